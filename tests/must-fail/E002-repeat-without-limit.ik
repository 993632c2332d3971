grid x = 16
field u : f64 = 1
repeat until norm(u) < 0.1 { u = u/2 }
