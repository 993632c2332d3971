grid x = 61, y = 40, z = 9
field u : f32 = noise(1)
boundary u { -x = copy; +x = -0.5; y = 0; z = mirror }
step 5 { u' = u + 0.1*laplacian(u) }
