grid x = 6, y = 5, z = 4, spacing = (1 m, 2 m, 4 m)
field u : bf16 = noise(1)
boundary u = antireflect
step 1 { u' = u + 0.1*laplacian(u, order = 4) }
