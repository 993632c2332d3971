grid x = 4, y = 4
weights w = [[1, 2, 3], [1], [1, 2, 3]]
field u : f64
boundary u = 0
u = stencil(u, w)
