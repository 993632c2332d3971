grid x = 16
field u : f64 = x**2
step 1 { u' = u }
