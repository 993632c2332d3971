# run: check FILE dt=3m
grid x = 16
param dt = 1 ms
field u : f64
step 1 { u' = u*dt }
