grid x = 16
field u : double
step 1 { u' = u }
