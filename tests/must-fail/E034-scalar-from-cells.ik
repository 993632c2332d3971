grid x = 16
field u : f64
scalar s = 2*u
step 1 { u' = s*u }
