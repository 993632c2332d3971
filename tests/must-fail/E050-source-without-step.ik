grid x = 16
field u : f64
source 1 at 3 into u
u = 2*u
