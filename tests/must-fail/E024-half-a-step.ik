grid x = 16
field u : f64
step 2.5 { u' = u }
