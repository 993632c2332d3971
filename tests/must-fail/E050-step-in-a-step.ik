grid x = 16
field u : f64
step 1 { step 2 { u' = u } }
