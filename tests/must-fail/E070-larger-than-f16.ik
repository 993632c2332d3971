# run: run FILE
grid x = 4
field u : f16 = 60000
step 3 { u' = 2*u }
