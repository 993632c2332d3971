grid x = 16
field u, v : f64
source 1 at 3 into v
step 1 { u' = u + v }
