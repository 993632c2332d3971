def f(u) = u[1] + u[-1] - u
grid x = 4
field u : f64
boundary u = 0
u = f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(u))))))))))))))))
