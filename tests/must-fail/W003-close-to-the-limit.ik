# run: run FILE
grid x = 64, spacing = 10 m
param dt = 3.99 ms
field u : f64, history 2
field c : f64 = 2500 m/s
boundary u = 0
source ricker(f = 10 Hz) at 32 into u
step 10 { u' = 2*u - u[t-1] + (c*dt)^2*laplacian(u) }
