grid x = 200000, y = 200000, z = 200000
field u : f64
step 1 { u' = u }
