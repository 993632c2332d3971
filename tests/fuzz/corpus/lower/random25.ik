# seed 25
param dt = 2 ms
arithmetic plain
grid x = 8, y = 4, spacing = 3
def f0(a) = (0.25*a[1, 1] - 0.25*a + 0.5*a[-1, 1])
weights w0 = [[0/27, -1/27, -1/27], [0/27, -1/27, -1/27], [0/27, 1/27, 1/27]]
field u : bf16 = (0.199*0.5 + 0.199*t/100 - (y + 1)/(ny + 3)/6 + 0.7/5 + 1/7*(y + 1)/(ny + 4))
field v : bf16, on (x+1, y+1) = 2*noise(3) - 1
field p : bf16 = (cos(u[0, 1]))
field q : f16 = (u[0, 1]*p[0, 1])
boundary u = 0
boundary v { -x = reflect; +x = 0.6875; y = periodic }
boundary p { x = periodic; -y = 0.7; +y = 0.1 }
boundary q { x = periodic; -y = antimirror; +y = sin(0.3*y + t) }
  scalar s0 : f32 = max(p*(f0(0.999*q[0, 1])))
  p = (-(0.35*dfwd((y + 1)/(ny + 1), x, order = 4)))
step 2 {
  u' = ((0.249*v - 1/3*p[0, 0] - 0.332*v[-1, 1])/(1 + abs((0.15*d2(v[0, 1], x, order = 4)))))
}
  sweep x up {
    at first {
      a0 = (min(q, q[-3, 0], v[-1, 0]))
      u = (0.25*exp((bf16(v[-1, 1]))))
    }
    within {
      a0 = 0.5*a0[-1, 0] + 0.5*(stencil(v, w0))
      u = 0.5*u[-1, -1] + 0.5*(stencil(v, w0))
    }
    at last { u = 0.5*u[-1, 0] + 0.5*(max(((0.166*s0/(1 + abs(s0)) + q/5 + 1/4*q[2, -1] + 1/4*0.6875)[12, -1]), (0.166*v - q/4 + 1/6*p[0, -1] + p/5), (f0(0.999*v[-1, 1])))) }
  }
source 0.01*gaussian(3 ms) at (0, 0.25) with linear into u
