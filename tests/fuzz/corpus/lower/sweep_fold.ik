grid x = 4, y = 4
field u : f64 = x
boundary u = mirror
sweep x up { u = u[-1, 1] }
