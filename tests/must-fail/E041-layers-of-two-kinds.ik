grid x = 64
field u : f64, history 2
boundary u { -x = absorbing(8); +x = sponge(8) }
step 1 { u' = 2*u - u[t-1] + 0.1*laplacian(u) }
