grid x = 16
step 1 {
  field u : f64
  u' = u
}
