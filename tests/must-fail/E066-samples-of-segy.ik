# run: run FILE
grid x = 16
param dt = 1 ms
field u : f64
receiver u at 3 every 5 into "u.segy"
step 1 { u' = u }
