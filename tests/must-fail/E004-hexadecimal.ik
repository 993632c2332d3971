grid x = 0x40
field u : f64
step 1 { u' = u }
