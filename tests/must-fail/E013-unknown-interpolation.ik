grid x = 16
field u : f64
source 1 at 3.5 with cubic into u
step 1 { u' = u }
