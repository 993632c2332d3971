# maxwell: an electromagnetic wave in a box with perfectly conducting walls.
#
#   E_t = curl H      H_t = -curl E         (units in which c = epsilon = mu = 1)
#
# Yee's grid: every component sits on its own edge or face of the cell, every difference is
# centred.  The magnetic field reads the new electric one.  Along a wall the electric field is zero:
# those edges are left out of the update and stay what they were.
# The start is the mode (m, n, 0) of the cavity; its frequency is sqrt((m/a)^2 + (n/b)^2)/2 for a
# box of a times b.

grid x = 40, y = 30, z = 20, spacing = 0.025
param dt = 0.014  # below dx/sqrt(3)
param m = 1, n = 1

field ez : f64, on (x+1, y+1, z) = sin(m*pi*x/nx)*sin(n*pi*y/ny)
field ex : f64, on (x, y+1, z+1)
field ey : f64, on (x+1, y, z+1)
field hx : f64, on (x+1, y, z)
field hy : f64, on (x, y+1, z)
field hz : f64, on (x, y, z+1)

step 500 {
  ez' = ez + dt*((hy - hy[-1,0,0])/dx - (hx - hx[0,-1,0])/dy) on interior(1, 1, 0)
  ex' = ex + dt*((hz - hz[0,-1,0])/dy - (hy - hy[0,0,-1])/dz) on interior(0, 1, 1)
  ey' = ey + dt*((hx - hx[0,0,-1])/dz - (hz - hz[-1,0,0])/dx) on interior(1, 0, 1)

  hx' = hx - dt*((ez'[0,1,0] - ez')/dy - (ey'[0,0,1] - ey')/dz)
  hy' = hy - dt*((ex'[0,0,1] - ex')/dz - (ez'[1,0,0] - ez')/dx)
  hz' = hz - dt*((ey'[1,0,0] - ey')/dx - (ex'[0,1,0] - ex')/dy)
}
