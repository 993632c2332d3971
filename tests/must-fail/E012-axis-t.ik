grid x = 16, t = 100
field u : f64
step 1 { u' = u }
