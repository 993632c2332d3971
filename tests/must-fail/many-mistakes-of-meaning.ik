grid x = 16, y = 16
param k = 10 m + 2 s
field u, v : f64
boundary u = perodic
boundary w = 0
step 10 {
  u' = u + k*(u[-1] + u[1,0])
  v' = v + veloc*u[t-1]
}
receiver u at (20, 3) into "u.csv"
