grid x = 16
param n = 4
field u : f64
step 1 { u' = u/(n - 4) + 1/(n - 4) }
