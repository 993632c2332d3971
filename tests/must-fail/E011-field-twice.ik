grid x = 16
field u : f64
field u : f32
step 1 { u' = u }
