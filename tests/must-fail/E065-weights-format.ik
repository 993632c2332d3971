grid x = 16
weights w = file("w.xls")
field u : f64
boundary u = 0
step 1 { u' = stencil(u, w) }
