grid x = 16
field u : f64
step 1 { u' = if x > 2 && x < 8 then 1 else u }
