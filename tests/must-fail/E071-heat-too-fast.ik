# run: run FILE
grid x = 64, y = 64
field u : f64
boundary u = 0
init u = exp(-((x-32)^2 + (y-32)^2)/20)
step 100 { u' = u + 0.3*laplacian(u) }
