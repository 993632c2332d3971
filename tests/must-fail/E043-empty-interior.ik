grid x = 16, y = 4
field u : f64
step 1 { u' = 0 on interior(2) }
