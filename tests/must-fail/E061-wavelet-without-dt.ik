grid x = 16
field u : f64
source ricker(f = 10 Hz) at 3 into u
step 1 { u' = u }
