grid x = 16, y = 16
field u : f64
boundary u { x = periodic; -x = 0; y = 0 }
step 1 { u' = u[-1,0] }
