grid x = 16, y = 16
field u, v : f64
boundary v { x = 0 }
step 10 {
  u' = u + v[1,0] + v[0,1]
  v' = v + u'[-1,0] + u'[0,-2]
}
