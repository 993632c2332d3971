grid x = 2e9, y = 2e9, z = 2e9
field u : f64
m = mean(u)
