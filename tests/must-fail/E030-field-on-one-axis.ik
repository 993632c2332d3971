grid x = 16, z = 16
field u : f64
field profile : f64, on z = 1
boundary u, profile = 0
step 1 { u' = u*profile[0, 1] }
