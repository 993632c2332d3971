grid x = 16
param Δt = 0.1
field u : f64
step 1 { u' = u }
