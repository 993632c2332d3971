grid x = 16
field u : f64
boundary u = 0
step 1 {
  a = u[1] - u on interior(1)
  u' = a
}
