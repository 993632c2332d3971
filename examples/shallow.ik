# shallow: waves on shallow water in a closed, rotating basin.
#
#   h_t = -(h u)_x - (h v)_y      u_t = f v - g h_x      v_t = -f u - g h_y
#
# The heights h are at the centres of the cells and the velocities u and v on their faces (Arakawa's
# C grid), so u has one column more and v one row more.  First the velocities, then the heights with
# the new velocities.  What leaves a cell enters its neighbour, hence no water is lost.
# Advection of momentum is left out.

grid x = 200, y = 200, spacing = 1000 m
param dt = 5 s
param g = 9.81 m/s^2
param f = 1e-4  # Coriolis, 1/s
param depth = 100 m
param drop = 1 m  # height of the hump at the start

field h : f64 = depth + drop*exp(-((x - nx/3)^2 + (y - ny/2)^2)/50)
field u : f64, on (x+1, y)
field v : f64, on (x, y+1)
boundary h, u, v = mirror  # read only beside the walls, where nothing flows

before = sum(h)

step 800 {
  u' = u + dt*(f*(v + v[-1,0] + v[0,1] + v[-1,1])/4 - g*(h - h[-1,0])/dx) on interior(1, 0)
  v' = v - dt*(f*(u + u[1,0] + u[0,-1] + u[1,-1])/4 + g*(h - h[0,-1])/dy) on interior(0, 1)
  qx = u'*(h[-1,0] + h)/2
  qy = v'*(h[0,-1] + h)/2
  h' = h - dt*((qx[1,0] - qx)/dx + (qy[0,1] - qy)/dy)
}

after = sum(h)
