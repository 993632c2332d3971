grid x = 16, y = 16
field u : f64
boundary u = 0
sweep y up { u = u[-1,0] + u[0,-1] }
