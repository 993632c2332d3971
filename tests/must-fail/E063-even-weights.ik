grid x = 16
weights w = [1, 2]
field u : f64
boundary u = 0
step 1 { u' = stencil(u, w) }
