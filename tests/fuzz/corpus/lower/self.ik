grid x = 4
def f(u) = g(u)
def g(u) = f(u)
field u : f64
u = f(u)
