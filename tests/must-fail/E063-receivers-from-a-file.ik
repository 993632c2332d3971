grid x = 16, y = 16
field u : f64
receiver u at file("data/three.npy") into "out.npy"
step 1 { u' = u }
