grid x = 64
field u : f64
boundary u = absorbing(8)
step 1 { u' = u + 0.1*laplacian(u) }
