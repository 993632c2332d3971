# run: run FILE
grid x = 32
field u, v : f64 = noise(1)
step 50 {
  u' = u + 0.3*v
  v' = v + 0.3*u
}
