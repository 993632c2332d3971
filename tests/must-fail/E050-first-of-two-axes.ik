grid x = 16, y = 16
field u : f64
boundary u = 0
sweep x up, y up { at first { u = 0 } within { u = u[-1,-1] } }
