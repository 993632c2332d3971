grid x = 16
param speed = 3
field u : f64
step 1 {
  twice = 2*u
  u' = u
}
