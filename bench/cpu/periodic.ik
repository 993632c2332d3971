# periodic: the star of radius one on a torus, for strategies that need one.

param rounds = 10

grid x = 64, y = 64

field u : f32 = noise(1)
boundary u = periodic

weights w = star(1, (1 + (i + 2*j)/8)/5)

step rounds {
  u' = stencil(u, w)
}
