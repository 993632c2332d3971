grid x = 4, y = 4
weights w = box(20, 1)
field u : f64
boundary u = 0
u = stencil(u, w)
