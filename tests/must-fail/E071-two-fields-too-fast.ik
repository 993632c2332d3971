# run: run FILE
grid x = 32
field u, v : f64 = noise(1)
boundary u, v = periodic
step 50 {
  u' = u + 0.6*(u[1] + u[-1] - 2*u)
  v' = v + 0.1*(v[1] + v[-1] - 2*v) + 0.001*u
}
