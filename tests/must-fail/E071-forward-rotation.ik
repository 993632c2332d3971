# run: run FILE
grid x = 32
param dt = 0.83, f = 1
field u, v : f64 = noise(1)
step 50 {
  u' = u - dt*f*v
  v' = v + dt*f*u
}
