# wave: second order in time, eighth in space: 25 points, and v = (c dt/h)^2 in every cell.

param rounds = 10
grid x = 64, y = 64, z = 64

field u : f32, history 2 = noise(1)
field v : f32 = 0.05 + 0.1*noise(2)
boundary u = 0

step rounds {
  u' = 2*u - u[t-1] + v*laplacian(u, order = 8)
}
