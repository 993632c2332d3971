grid x = 16
field u : f64
twice(a) = 2*a
step 1 { u' = twice(u) }
