grid x = 16
field u : f64 = 1
total = sum(u/sum(u))
step 1 { u' = u*total }
