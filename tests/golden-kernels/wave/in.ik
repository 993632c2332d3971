grid x = 24, y = 20, z = 18
field u : f32, history 2
field c : f32 = 0.2 + 0.1*noise(2)
boundary u = 0
init u = noise(1)
step 3 { u' = 2*u - u[t-1] + c^2*laplacian(u, order = 8) }
