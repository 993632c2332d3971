grid x = 16
field u : f64
step 1 {
  a = 2*u
  u' = a'
}
