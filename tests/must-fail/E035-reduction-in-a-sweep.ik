grid x = 16, z = 16
field u : f64 = 1
boundary u = 0
sweep z up { u = u[0,-1] + sum(u) }
