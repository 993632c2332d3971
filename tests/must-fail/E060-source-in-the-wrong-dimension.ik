grid x = 16, y = 16
field u : f64
source 1 at (3, 3, 3) into u
step 1 { u' = u }
