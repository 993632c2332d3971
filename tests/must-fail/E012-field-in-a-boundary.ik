grid x = 16
field u, v : f64
boundary u = v
step 1 { u' = u[-1] + v }
