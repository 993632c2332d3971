grid x = 16
param k = 2
field u : f64
step 1 {
  k = 3
  u' = k*u
}
