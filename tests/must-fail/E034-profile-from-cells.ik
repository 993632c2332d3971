grid x = 16, z = 16
field u : f64
field profile : f64, on z
profile = u
step 1 { u' = u*profile }
