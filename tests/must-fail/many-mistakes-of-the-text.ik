grid x = 16, y = 16
field u f64
boundary u = 0
step 10 {
  u' = u + 0.1*(u[-1,0] + u[1,0]
  v' = 2 u
}
output u into u.npy
