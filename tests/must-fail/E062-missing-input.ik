grid x = 4
field u : f64 = file("none.npy")
step 1 { u' = u }
