grid x = 8
field u : f64
step 1 { u' = 2*file("c.npy") }
