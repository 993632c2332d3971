grid x = 16
field u : f64
step 1 {
  inside = x > 2
  u' = if inside then u else 0
}
