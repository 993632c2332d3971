grid x = 9, y = 7
field u : f32, history 2 = noise(1)
boundary u { -x = sponge(2); +x = sponge(3, strength = 0.1); y = mirror }
step 3 { u' = 1.9*u - 0.9*u[t-1] + 0.1*d2(u, x) }
