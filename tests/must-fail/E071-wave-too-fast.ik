# run: run FILE
grid x = 64, y = 64, spacing = 10 m
param dt = 4 ms
field u : f32, history 2
field c : f32 = 2500 m/s
boundary u = 0
source ricker(f = 10 Hz) at (32, 32) into u
step 100 { u' = 2*u - u[t-1] + (c*dt)^2*laplacian(u, order = 8) }
