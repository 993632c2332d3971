grid x = 64
field u : f64, history 2
boundary u = sponge(8)
step 1 { u' = 2*u - u[t-1] + 0.1*laplacian(u) on interior(1) }
