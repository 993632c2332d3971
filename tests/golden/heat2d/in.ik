grid x = 8, y = 6
param rate = 0.1
field u : f64 = x + y
boundary u { x = 0; -y = mirror; +y = copy }
step 3 { u' = u + rate*laplacian(u) }
