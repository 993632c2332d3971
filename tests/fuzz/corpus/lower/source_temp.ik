grid x = 4
field u : f64
a = u + 1
u = a
source a at (1) into u
step 1 { u' = u }
