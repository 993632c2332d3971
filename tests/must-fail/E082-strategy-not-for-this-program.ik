# run: run FILE --strategy spectral
grid x = 16
field u : f64
boundary u = 0
step 1 { u' = 0.5*(u[-1] + u[1]) }
