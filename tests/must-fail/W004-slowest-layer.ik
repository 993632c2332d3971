# run: run FILE --quiet --steps 2
grid x = 64, y = 64, spacing = 10 m
param dt = 1 ms
field u : f32, history 2
field c : f32 = if y < 32 then 1000 else 4000
boundary u = absorbing(10)
source gaussian(width = 10 ms) at (32, 50) into u
step 100 { u' = 2*u - u[t-1] + (c*dt)^2*laplacian(u, order = 8) }
