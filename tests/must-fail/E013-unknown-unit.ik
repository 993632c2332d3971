grid x = 16
param f = 10 hz
field u : f64
step 1 { u' = f*u }
