grid x = 16
field source : f64
step 1 { source' = source }
