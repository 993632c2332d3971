# run: check FILE --confine
grid x = 16
field u : f64 = file("/etc/hostname.npy")
boundary u = 0
step 1 { u' = u[1] }
