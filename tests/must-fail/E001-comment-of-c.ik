grid x = 16
field u : f64   // the temperature
step 1 { u' = u }
