# jacobi1d: the smallest stencil there is, the mean of three cells.
#
#   u' = (u[-1] + u + u[1])/3
#
# The one-dimensional case with which the thesis on cost metrics explains hexagonal tiles.

grid x = 100000

field u : f32 = noise(1)
boundary u = 0

step 200 {
  u' = (u[-1] + u + u[1])/3
}
