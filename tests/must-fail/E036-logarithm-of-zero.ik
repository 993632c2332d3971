grid x = 4
param a = log(0)
field u : f64
step 1 { u' = u*a }
