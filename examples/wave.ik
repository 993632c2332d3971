# wave: an explosion under the surface of the earth, recorded by a line of receivers.
#
#   u_tt = c^2 (u_xx + u_yy + u_zz) + source
#
# Second order in time (leapfrog), eighth in space: 25 points in a star of radius 4, the stencil of
# the wafer-scale and seismic papers.  c is a field, so that layers, a salt dome or a file
# (file("velocity.npy")) can be put in.  A layer of cells along every face absorbs what leaves.
# The receivers' traces go to shot.segy, which any seismic tool reads.
#
#   ikat run wave.ik x=512 y=512 z=512 layer=30 depth=40 --steps 1000     a real shot

grid x = 64, y = 64, z = 48, spacing = 10 m
param dt = 1.2 ms
param f = 20 Hz
param layer = 10  # cells that absorb, along every face
param depth = 16  # of the source and the receivers, in cells

field u : f32, history 2
field c : f32 = if z < nz/2 then 2000 m/s else 3000 m/s
boundary u = absorbing(layer)

source ricker(f) at (floor(nx/2), floor(ny/2), depth) into u
receiver u at line (layer, floor(ny/2), depth) .. (nx - 1 - layer, floor(ny/2), depth)
    into "shot.segy"

step 100 {
  u' = 2*u - u[t-1] + (c*dt)^2*laplacian(u, order = 8)
}
