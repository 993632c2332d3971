grid x = 100
field u : f32 = noise(1)
boundary u = 0
step 5 { u' = 0.25*u[-1] + 0.5*u + 0.25*u[1] }
