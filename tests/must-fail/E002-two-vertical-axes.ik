grid x = 8, y = 8, down = y, up = x
field u : f64
step 1 { u' = u }
