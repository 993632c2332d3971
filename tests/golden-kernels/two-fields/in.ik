grid x = 44, y = 32
field u, v : f32
boundary u, v = periodic
init u = 1 - 0.5*noise(1)
init v = 0.25*noise(2)
step 5 {
  r = u*v*v
  u' = u + 0.16*laplacian(u) - r + 0.037*(1 - u)
  v' = v + 0.08*laplacian(v) + r - 0.097*v
}
