grid x = 16
field u : f64
u' = 2*u
