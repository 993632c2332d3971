# star: a star of any radius; every weight is another, and all add up to one.

param rounds = 10
param dim = 2, radius = 1
grid x = 64, y = 64, z = 64 if dim >= 3

field u : f32 = noise(1)
boundary u = 0

weights w = star(radius, (1 + (i + 2*j + 3*k)/(8*radius))/(2*dim*radius + 1))

step rounds {
  u' = stencil(u, w)
}
