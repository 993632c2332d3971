grid x = 16, y = 12, spacing = 10 m
param dt = 1 ms
field u : f32, history 2
field c : f32 = if y < 6 then 1500 m/s else 2000 m/s
boundary u { x = absorbing(3); -y = 0; +y = absorbing(4) }
source ricker(f = 25 Hz) at (75 m, 20 m) into u
receiver u at line (4, 1) .. (10, 1) into "shot.npy"
step 20 { u' = 2*u - u[t-1] + (c*dt)^2*laplacian(u) }
