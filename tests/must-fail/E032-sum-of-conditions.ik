grid x = 16
field u : f64
step 1 { u' = (x > 2) + (x < 8) }
