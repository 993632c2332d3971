grid x = 16
field u, v : f64
field w : f64 = 1
boundary u, v = 0
step 10 {
  u' = u + 0.1*laplacian(u) + v*w
  v' = 0.5*v
  w' = w + u
}
