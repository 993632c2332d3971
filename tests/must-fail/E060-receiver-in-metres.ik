grid x = 16, spacing = 10 m
field u : f64
receiver u at 200 m into "trace.npy"
step 1 { u' = u }
