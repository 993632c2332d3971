grid x = 16
field u : f64
boundary u { -x = periodic; +x = 0 }
step 1 { u' = u[-1] }
