# run: run FILE --target abacus
grid x = 16
field u : f64
step 1 { u' = u }
