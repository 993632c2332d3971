param a = (3 m)^1e30
grid x = 4
field u : f64 = a
u = 1
