grid x = 16
field u : f64 = 1e999
step 1 { u' = u }
