grid x = 4
field u : f64
boundary u = periodic
u = laplacian(u, order = 32) + d(u, x, order = 1e9) + d2(u, x, order = 3)
