# seed 30
param dt = 2 ms
arithmetic chain f64
grid x = 2
field u : f32, history 2
field v : f16 = 2*noise(6) - 1
boundary u { -x = antireflect; +x = sin(0.3*x + t) }
boundary v { -x = antimirror; +x = copy }
init u[t-1] = 2*noise(3) - 1
step 2 {
  scalar s0 : f64 = sum(v*(0.142*u + v[0]/5 + 1/6*u + v[1]/5 + 1/5*u[1]))
  sweep x up {
    at first {
      v' = u[t-1]
    }
    within {
      v' = 0.5*v'[-1] + 0.5*(min((u/3 - 1/4*u[t-1, 0] - u[t-1, 1]/3), (1/7*v - 1/5*u - 0.166*0 + u[0]/6 + 0.166*(x + 1)/(nx + 2)), (0.332*(x + 1)/(nx + 3) + 1/2*v[-1])))
    }
  }
  scalar s1 : f32 = min(v'*t/100)
  u' = (if not (x == 5) then (if u[-1] >= s1/(1 + abs(s1)) then (x + 1)/(nx + 3) else u[-1]) else v')
}
