# run: run FILE
grid x = 16
field u : f64
step 1 { u' = u }
output u into "../u.npy"
