grid x = 16, y = 16 if 2
field u : f64
step 1 { u' = u }
