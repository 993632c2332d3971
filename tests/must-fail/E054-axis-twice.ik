grid x = 16
field u : f64
boundary u = 0
sweep x up, x down { u = u[-1] }
