param a = log(-1), b = 1/0, c = 0/0, e = exp(1e9), s = sqrt(-1)
grid x = 4
field u : f32 = a + e
u = s*u + tan(1e308)
