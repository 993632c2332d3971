grid x = 16
field u : f64
for i in 1..10 { u' = u }
