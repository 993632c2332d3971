grid x = 16
field r : f64 = 1
repeat until r < 0.1 max 10 { r = r/2 }
