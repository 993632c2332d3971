# run: run FILE --quiet
grid x = 16
field u : f64 = 1
repeat until max(u) < 0.01 max 3 { u = u/2 }
