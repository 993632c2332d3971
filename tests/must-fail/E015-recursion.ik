grid x = 16
def f(a) = a*f(a - 1)
field u : f64
step 1 { u' = f(u) }
