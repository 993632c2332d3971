grid x = 16
field u : f64 = 1
