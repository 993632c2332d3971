grid x = 4
field u : f64
source u[1] at (3) into u
step 1 { u' = u }
