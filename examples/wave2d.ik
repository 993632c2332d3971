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

grid x = 400, y = 300, spacing = 5 m
param dt = 0.5 ms
param f = 20 Hz           # the pulse's peak frequency
param layer = 30          # cells that absorb, along every side
param depth = 40          # of the source and the receivers, in cells
param salt = 4000 m/s

def top(x)    = 0.40*ny + 0.05*ny*sin(2*pi*x/nx)      # first interface: a gentle fold
def bottom(x) = 0.70*ny - 0.10*ny*x/nx                # second one: dips to the left
def lens(x, y) = ((x - 0.66*nx)/(0.13*nx))^2 + ((y - 0.60*ny)/(0.07*ny))^2

field u : f32, history 2
field c : f32 = if lens(x, y) < 1 then salt
                else if y < top(x) then 1600 m/s
                else if y < bottom(x) then 2200 m/s
                else 3000 m/s
boundary u = absorbing(layer)

source ricker(f) at (floor(0.4*nx), depth) into u
receiver u at line (layer, depth) .. (nx - 1 - layer, depth) into "shot2d.npy"

step 800 { u' = 2*u - u[t-1] + (c*dt)^2*laplacian(u, order = 8) }
