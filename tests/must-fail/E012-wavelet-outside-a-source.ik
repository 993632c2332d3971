grid x = 16
param dt = 1 ms
field u : f64
step 1 { u' = u + ricker(f = 10 Hz) }
