grid x = 16
field u : f64
field v : f64, history u
step 1 { v' = u }
