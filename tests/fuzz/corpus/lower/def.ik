grid x = 8, y = 8
def lap(u, h = 1) = (u[1,0] + u[-1,0] + u[0,1] + u[0,-1] - 4*u)/h^2
def twice(f) = lap(lap(f))
weights w = star(2, if distance == 0 then 0.5 else 0.5/8)
weights v = [[0,1,0],[1,-4,1],[0,1,0]]
field u : f32 = exp(-((x-4)^2 + (y-4)^2)/4)
boundary u = periodic
step 2 { g = lap(u); u' = stencil(u, w) - 0.01*twice(u) + g[1,0]*0.1 + stencil(u, v)[0,1]*0.01 + d(u, x, order = 4)*0 + dfwd(u, y) - dbwd(u, y) }
