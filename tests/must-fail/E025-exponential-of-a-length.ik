grid x = 16
param a = exp(10 m)
field u : f64
step 1 { u' = a*u }
