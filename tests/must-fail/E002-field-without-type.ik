grid x = 16
field u
step 1 { u' = u }
