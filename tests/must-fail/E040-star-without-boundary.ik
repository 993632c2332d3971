grid x = 16, y = 16
field u : f64
step 1 {
  u' = u + 0.1*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)
}
