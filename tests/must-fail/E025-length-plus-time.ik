grid x = 16
param a = 10 m + 2 s
field u : f64
step 1 { u' = a*u }
