grid x = 16
field u : f64
boundary u = perodic
step 1 { u' = u[-1] }
