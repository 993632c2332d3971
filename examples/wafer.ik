# wafer: the wave kernel of a wafer of processing elements, from its vendor's example.
#
#   u_tt = V^2 (u_xx + u_yy + u_zz) + source,   V = 2000 m/s
#
# Eighth order in space on a small cube, with a pulse in the corner.  The element (x, y) of the fabric
# holds the column of cells above (x, y); what its four times four neighbours in the plane have, it is
# sent.  The example's own values after 2 steps: min -0.0939295, max 57.403816; after 10: -1.3100899
# and 1200.9414062 (arXiv 2204.03775 has the algorithm).
#
#   ikat run wafer.ik --target wse2           the time is that of the wafer
#   ikat verify wafer.ik --target wse2        against the interpreter under the wafer's arithmetic
#   ikat run wafer.ik --target wse2 --strategy cycles    every element, cycle by cycle

grid x = 10, y = 10, z = 10, spacing = 20 m
param dt = 1.610153 ms
param sigma = 15 Hz

field u : f32, history 2
field vp : f32 = 10.3703699112  # (V dt)^2, in m^2
boundary u = 0

def pulse(q) = -16*sigma*(sigma - 16*sigma*q)*exp(-8*q)
source pulse((sigma*t*dt - 1)^2) at (0, 0, 0) into u

step 10 {
  u' = 2*u - u[t-1] + vp*laplacian(u, order = 8)
}

lowest = min(u)
highest = max(u)
