grid x = 16
grid y = 16
field u : f64
step 1 { u' = u }
