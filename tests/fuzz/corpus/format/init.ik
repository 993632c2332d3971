grid x = 5 if 1 > 0, y = 2 if 0 > 1
field u : f64, history 3 = x
init u[t-1] = 2*x
init u[t-2] = -x^3
boundary u = sin(x + t)
step 2 { u' = u[t-2, -7] + u[t-1][9]*sqrt(abs(u)) }
