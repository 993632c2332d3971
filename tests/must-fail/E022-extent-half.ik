grid x = 10.5
field u : f64
step 1 { u' = u }
