grid x = 7
field u, f : f64 = noise(2)
boundary u { -x = reflect; +x = antireflect }
repeat until norm(f - u[-1] + 2*u - u[1]) <= 1e-3 max 5 { u = 0.5*(u[-1] + u[1] + f) on interior(1) }
total = sum(u); m = max(abs(u)); scalar q : f32 = dot(u, f)/mean(u)
