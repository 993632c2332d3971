# run: run FILE --max-memory 1GiB
grid x = 1024, y = 1024, z = 1024
field u : f64
step 1 { u' = u }
