# run: run FILE
grid x = 16
field u : f64
step 1 { u' = u }
receiver u at (3) into "/tmp/trace.npy"
