grid x = 16
field u : f64
receiver u at 3 into "u.png"
step 1 { u' = u }
