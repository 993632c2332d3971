# run: run FILE k=
grid x = 16
param k = 2
field u : f64
step 1 { u' = u*k }
