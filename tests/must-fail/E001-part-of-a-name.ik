grid x = 16
field u : f64, history 2
step 1 { u' = 2*u - u.prev }
