grid x = 16
field u, v : f64
boundary v = 0
step 1 {
  u' = u + v'[1]
  v' = v + u'
}
