grid x = 16, y = 16
field c : f64, on (y, x) = 1
field u : f64
step 1 { u' = c*u }
