grid x = 16
field u : f64
step { u' = u }
