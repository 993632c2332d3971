grid x = 16
field u : f64
boundary u = 0
sweep x { u = u[-1] + 1 }
