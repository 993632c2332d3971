grid x = 16
field u : f64
step 1 { u' = if x > 2 then u else x < 1 }
