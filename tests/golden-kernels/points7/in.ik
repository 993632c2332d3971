grid x = 21, y = 18, z = 13
field u : f64 = noise(1)
step 5 { u' = u + 0.1*laplacian(u) on interior(1) }
