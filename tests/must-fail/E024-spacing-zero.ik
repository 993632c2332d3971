grid x = 16, spacing = 0
field u : f64
step 1 { u' = u }
