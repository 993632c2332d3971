grid x = 1e15
field u : f64
u = 1
