# run: run FILE --target cpu --plan stps=4
grid x = 16
field u : f64
step 1 { u' = u }
