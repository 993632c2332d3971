# laplacian3d: seven points with two coefficients, one for the cell and one for its neighbours.
#
#   u' = a u + b (its six neighbours)
#
# With a + 6b = 1 a constant stays a constant.  Named in the thesis on cost metrics, which does not
# print its formula.

grid x = 64, y = 64, z = 64
param b = 0.1
param a = 1 - 6*b

field u : f32 = noise(1)
boundary u = periodic

step 50 {
  u' = a*u + b*(u[-1,0,0] + u[1,0,0] + u[0,-1,0] + u[0,1,0] + u[0,0,-1] + u[0,0,1])
}
