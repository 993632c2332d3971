# gray-scott: two substances that react and diffuse, forming spots, stripes and labyrinths.
#
#   u_t = Du lap(u) - u v^2 + F (1 - u)
#   v_t = Dv lap(v) + u v^2 - (F + k) v
#
# v eats u and copies itself; u is fed, v is taken away.  After Pearson, "Complex patterns in a
# simple system", Science 261 (1993).  Try  F=0.025 k=0.055  or  F=0.055 k=0.062.

grid x = 192, y = 192
param F = 0.037, k = 0.060
param Du = 0.16, Dv = 0.08
param dt = 1
param seed = 10  # half the width of the square at the start, in cells
param rough = 0.1  # how uneven that square is

field u, v : f32
boundary u, v = periodic

init u = if abs(x - nx/2) < seed and abs(y - ny/2) < seed then 0.5 else 1
init v = if abs(x - nx/2) < seed and abs(y - ny/2) < seed then 0.25 + rough*noise(1) else 0

step 3000 {
  r = u*v*v
  u' = u + dt*(Du*laplacian(u) - r + F*(1 - u))
  v' = v + dt*(Dv*laplacian(v) + r - (F + k)*v)
}
