# run: check FILE --confine
grid x = 16
weights w = file("../weights.npy")
field u : f64
boundary u = 0
step 1 { u' = stencil(u, w) }
