grid x = 16, y = 16
field u : f64
boundary u { x = 0; z = periodic }
step 1 { u' = u }
