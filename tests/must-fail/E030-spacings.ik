grid x = 16, y = 16, spacing = (1, 2, 3)
field u : f64
step 1 { u' = u }
