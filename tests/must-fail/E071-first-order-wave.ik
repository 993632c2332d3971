# run: run FILE
grid x = 32
param dt = 1.3
field u, v : f64 = noise(1)
boundary u = periodic
step 50 {
  v' = v + dt*(u[1] + u[-1] - 2*u)
  u' = u + dt*v'
}
