# run: run FILE
grid x = 16
field u : f64 = log(x - 3)
step 1 { u' = u }
