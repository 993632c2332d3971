# wave2d: a shot over layered ground, seen from the side.
#
#   u_tt = c^2 (u_xx + u_yy) + source
#
# The wave runs down from the source, is bent where the ground gets faster, throws part of itself
# back at every interface and creeps along them as a head wave.  A lens of fast salt stands in its
# way.  Order 8 in space, leapfrog in time, absorbing layers on all sides.  y points down.
#
#   ikat run wave2d.ik --picture wave.png
#   ikat run wave2d.ik f=30Hz --steps 900

grid x = 320, y = 240, spacing = 5 m, down = y
param dt = 0.5 ms
param f = 25 Hz  # the pulse's peak frequency
param layer = 24  # cells that absorb, along every side
param depth = 30  # of the source and the receivers, in cells
param salt = 4500 m/s

# The ground: a folded interface, a dipping one, and an ellipse of salt between them.
def fold(x) = 0.36*ny + 0.05*ny*sin(2*pi*x/nx)
def dip(x) = 0.75*ny - 0.15*ny*x/nx
def lens(x, y) = ((x - 0.62*nx)/(0.16*nx))^2 + ((y - 0.55*ny)/(0.08*ny))^2

field u : f32, history 2
field c : f32 =
    if lens(x, y) < 1 then salt
    else if y < fold(x) then 1500 m/s
    else if y < dip(x) then 2200 m/s
    else 3200 m/s
boundary u = absorbing(layer)

source ricker(f) at (floor(0.42*nx), depth) into u
receiver u at line (layer, depth) .. (nx - 1 - layer, depth) into "shot2d.npy"

step 850 {
  u' = 2*u - u[t-1] + (c*dt)^2*laplacian(u, order = 8)
}
