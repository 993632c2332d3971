grid x = 4
field u : f64
u = 1 on x = 2147483647 .. 2147483647
u = 2 on interior(2147483647)
u = 3 on x = 1 .. 0
u = 4 on x = -1
