grid x = 8, y = 8, z = 8, w = 8
field u : f64
step 1 { u' = u }
