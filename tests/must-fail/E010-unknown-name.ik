grid x = 16
param velocity = 2
field u : f64
step 1 { u' = u*velocty }
