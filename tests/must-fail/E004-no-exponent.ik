grid x = 16
field u : f64 = 1e-
step 1 { u' = u }
