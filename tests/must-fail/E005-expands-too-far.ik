grid x = 16
field u : f64
def f1(a) = a*a + a*a + a*a + a*a
def f2(a) = f1(f1(f1(f1(a))))
step 1 { u' = f2(f2(u)) }
