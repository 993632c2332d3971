grid x = 16
param dt = 1 ms
field u : f64
source ricker(f = 0) at 3 into u
step 1 { u' = u }
