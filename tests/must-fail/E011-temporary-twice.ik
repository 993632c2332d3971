grid x = 16
field u : f64
step 1 {
  a = u + 1
  a = u + 2
  u' = a
}
