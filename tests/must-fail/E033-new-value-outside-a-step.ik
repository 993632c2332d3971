grid x = 16
field u, v : f64
step 1 { u' = u + 1 }
v = u'
