grid x = 16
field u : f64
step 1 {
  u' = 2*u
  u = 3*u
}
