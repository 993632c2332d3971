grid x = 16
def f(a, b, c, d0, e, f0, g, h, i, j, k, l, m, n, o, p, q) = a
field u : f64
step 1 { u' = f(u) }
