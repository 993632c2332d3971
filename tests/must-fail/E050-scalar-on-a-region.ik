grid x = 4
field u : f64
scalar s = 1
s = 2 on x = 1
u = s
