# heat3d: heat in a block, with all 27 points of the cell and its neighbours.
#
#   u' = u + a L(u),   L = (14 faces + 3 edges + corners - 128 centre)/30
#
# L approximates the Laplacian (times h^2) and treats all directions more alike than seven points
# do.  The thesis on cost metrics times a Heat3D without giving its formula; the flop rates it
# prints speak for 27 points rather than for seven.

grid x = 64, y = 64, z = 64
param a = 0.2

field u : f32
boundary u = 0
init u = if abs(x - nx/2) < nx/8 and abs(y - ny/2) < ny/8 and abs(z - nz/2) < nz/8 then 1 else 0

weights L = box(1,
    if distance == 0 then -128/30
    else if distance == 1 then 14/30
    else if distance == 2 then 3/30
    else 1/30)

step 50 {
  u' = u + a*stencil(u, L)
}

heat = sum(f64(u))
