# run: run FILE
grid x = 16
field u : f64 = file("u.raw")
step 1 { u' = u }
