# heat: a hot spot spreads over a plate whose edges are held at zero.
#
#   u_t = k (u_xx + u_yy)
#
# Explicit Euler in time, five points in space; a is k dt/h^2 and must not exceed 1/4.
# The thesis on cost metrics times a Heat2D without giving its formula; this one is ours.

grid x = 256, y = 256
param a = 0.2
param width = 12  # of the hot spot, in cells

field u : f64
boundary u = 0
init u = exp(-((x - nx/3)^2 + (y - ny/2)^2)/(2*width^2))

step 500 {
  u' = u + a*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)
}
