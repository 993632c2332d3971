grid x = 8, y = 6
field u : f64 = x + 2*y
boundary u = 0
step 3 { u' = u + 0.1*laplacian(u) }
