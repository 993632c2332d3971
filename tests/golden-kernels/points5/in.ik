grid x = 50, y = 37
field u : f32 = noise(1)
boundary u = reflect
step 5 { u' = 0.5*u + 0.125*(u[1,0] + u[-1,0] + u[0,1] + u[0,-1]) }
