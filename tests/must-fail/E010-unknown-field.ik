grid x = 16
field pressure : f64
boundary presure = 0
step 1 { pressure' = pressure }
