grid x = 16
field u : f64
step 1 { u' = if u then 1 else 0 }
