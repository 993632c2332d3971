grid x = 4
field u : f64, history 1e9
field v : f64, history 16
step 1e12 { u' = v[t-15] + v[t-16] }
