# run: run FILE --steps 10
grid x = 16
field u : f64
step 1 { u' = u }
step 2 { u' = 2*u }
