grid x = 16, spacing = 10 s
field u : f64
step 1 { u' = u }
