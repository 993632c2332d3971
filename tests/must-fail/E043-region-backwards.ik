grid x = 16
field u : f64
step 1 { u' = 0 on x = 8 .. 3 }
