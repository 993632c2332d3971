grid x = 16
field u : f64 = 1.5.2
step 1 { u' = u }
