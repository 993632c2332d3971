grid x = 64, y = 64
field u : f32, history 2
step 10 { u' = 2*u - u[t-1] + 0.1*laplacian(u, order = 10) }
