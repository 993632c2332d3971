grid x = 10
field u : f64 = 1
boundary u = 0
source file("w.txt") at (3) into u
step 2 { u' = u }
