grid x = 16
field u : f64
step 1 {
  lap = u[-1] - 2*u + u[1]
  u' = u - 0.1*(lap[-1] - 2*lap + lap[1]) on interior(1)
}
