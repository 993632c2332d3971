# gradient2d: a stencil that is not linear: a division and a square root in every cell.
#
#   u' = u + s/sqrt(eps + sum over the four neighbours of (u - neighbour)^2)
#
# Flat places rise, steep ones stay.  Named in the thesis on cost metrics, which does not print its
# formula; this is the one of that name that is common among tiling compilers.

grid x = 256, y = 256
param s = 1e-3, eps = 1e-4

field u : f32 = noise(1)
boundary u = copy

def square(e) = e*e

step 100 {
  u' = u + s/sqrt(eps + square(u - u[-1,0]) + square(u - u[1,0])
      + square(u - u[0,-1]) + square(u - u[0,1]))
}
