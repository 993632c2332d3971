grid x = 16
field u : f64 = 1
total = sum(3)
step 1 { u' = u*total }
