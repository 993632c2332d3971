grid x = 16
field u : f64 = 1
step 2 { u' = u }
output u into "no-such-folder/u.npy"
