grid x = 16
field u : f64
step 1 {
  twice = 2*u
  u' = twice
}
u = twice
