# run: run FILE --target ref --strategy tiles
grid x = 16
field u : f64
step 1 { u' = u }
