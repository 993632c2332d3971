# run: run FILE
grid x = 16
field u : f64 = 2
step 100 { u' = u*u }
