grid x = 200, y = 100, spacing = (10 m, 5 m)
param dt = 1 ms
field u : f64, history 2
field c : f64 = 1500 m/s
boundary u = 0
source ricker(f = 15 Hz) at (100, 50) into u
step 100 { u' = 2*u - u[t-1] + (c*dt)^2*laplacian(u, order = 4) }
