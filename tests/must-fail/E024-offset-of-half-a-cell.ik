grid x = 16
field u : f64
boundary u = 0
step 1 { u' = u[0.5] }
