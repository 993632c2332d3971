grid x = 8, depht = 8, down = depth
field u : f64
step 1 { u' = u }
