grid x = 16
param x = 3
field u : f64
step 1 { u' = u }
