grid x = 8
field u : f32
boundary u = periodic
step 1 { u' = 0.25*u[-1] + 0.5*u + 0.25*u[1] }
