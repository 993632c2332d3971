# jacobi2d: the mean of a cell and its four neighbours.
#
#   u' = (u + u[-1,0] + u[1,0] + u[0,-1] + u[0,1])/5
#
# The boundary is hot on the left and cold on the right; repeated averaging leads to the steady state
# between them.  Named in the thesis on cost metrics, which does not print its formula.

grid x = 256, y = 256
param left = 1, right = 0

field u : f32 = noise(1)
boundary u {
  -x = left
  +x = right
  y = mirror
}

step 200 {
  u' = (u + u[-1,0] + u[1,0] + u[0,-1] + u[0,1])/5
}
