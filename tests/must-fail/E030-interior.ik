grid x = 16, y = 16, z = 16
field u : f64
boundary u = 0
step 1 { u' = u[-1,0,0] on interior(1, 1) }
