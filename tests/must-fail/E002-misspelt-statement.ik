grid x = 16
feild u : f64
step 1 { u' = u }
