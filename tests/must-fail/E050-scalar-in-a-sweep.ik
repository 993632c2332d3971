grid x = 16
field u : f64
boundary u = 0
scalar s = 1
sweep x up { s = 2; u = u[-1]*s }
