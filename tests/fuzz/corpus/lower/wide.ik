grid x = 4, y = 4, z = 4
weights w = box(64, i + j + k)
field u : f64
boundary u = 0
u = stencil(u, w)
