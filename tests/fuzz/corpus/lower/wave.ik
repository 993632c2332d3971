param dt = 1 ms, c = 1500 m/s
grid x = 16, y = 12, spacing = 5 m
field u : f32, history 2
boundary u = absorbing(3)
source ricker(f = 25 Hz) at (8, 6) into u
receiver u at line (0, 2) .. (15, 2) count 5 with sinc every 2 into "r.npy"
output u into "u.npy"
step 4 { u' = 2*u - u[t-1] + (c*dt)^2*laplacian(u, order = 4) }
