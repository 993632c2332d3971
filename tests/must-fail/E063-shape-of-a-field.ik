# run: run FILE
grid x = 16
field u : f64 = file("data/three.npy")
step 1 { u' = u }
