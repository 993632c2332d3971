# laplacian2d: five points with two coefficients, one for the cell and one for its neighbours.
#
#   u' = a u + b (u[-1,0] + u[1,0] + u[0,-1] + u[0,1])
#
# With a + 4b = 1 a constant stays a constant.  Named in the thesis on cost metrics, which does not
# print its formula.

grid x = 256, y = 256
param b = 0.125
param a = 1 - 4*b

field u : f32 = if mod(int(x/32) + int(y/32), 2) == 0 then 1 else 0  # a chessboard
boundary u = periodic

step 200 {
  u' = a*u + b*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1])
}
