# seed 178
param dt = 2 ms
grid x = 3, y = 1, z = 6
def f0(a) = (0.25*a[0, 1, 0] - 0.25*a + 0.5*a[0, 0, 1])
def f1(a) = 0.5*f0(a) + 0.5*(0.25*a[-1, 1, 1] - 0.25*a + 0.5*a[-1, 0, -1])
weights w0 = star(2, if distance == 0 then 0.5 else 0.5/12)
field u : f64 = 2*noise(8) - 1
field v : bf16 = 2*noise(5) - 1
field p : bf16 = 2*noise(3) - 1
field q : f32, on (y, z) = (1/5*(y + 1)/(ny + 2) + 1/4*0.5 + 0.249*0 - 1/5*0)
boundary u { -x = 1/3; +x = antimirror; -y = mirror; +y = antireflect; -z = 1/3; +z = antireflect }
boundary p { -x = antimirror; +x = 0.25; -y = antimirror; +y = copy; -z = copy; +z = mirror }
boundary q { -y = reflect; +y = antireflect; -z = reflect; +z = reflect }
step 1 {
  u' = (sin((0.249*u - 0.199*p + 1/4*p[0, 0, 1])))
  u' = 0.5*u' + 0.5*(stencil(p[1, 1, -2], w0))
  u' = 0.5*u' + 0.5*(0.142*(if (v > v) or (t/100 < 0.6875) then t/100 else (1/5*q[-3, -1] + q/5 + v/5 + 0.166*v)) + 0.199*(1/7*(t/100/3 - 0.249*p[-1, 1, -1]) + 0.142*u[-1, -1, 1] + 1/5*(0.2*mod(int(445*q), 5)) + 1/6*(u/3 - 1/2*p[-1, 0, 1]) + 0.166*(1/3*p[1, 3, 0] + 1/4*v)) - ((v)^4)/6 + 0.166*(if (z < 0) or (u > p[1, 13, -1]) then (tanh(u)) else (0.142*p - p/6 + 1/6*(x + 1)/(nx + 1) + 0.142*v + 0.166*t/100)) - 1/7*u[0, 3, -1])
}
  sweep y down {
    p = 0.5*p[1, 1, -1] + 0.5*(0.499*(1/6*q[0, 1] + u/5 + 0.199*q[3, 0] + 0.249*u[1, -1, -1]) + 1/4*q)
  }
  p = p*min(1, abs(dot(u, (min(p[-1, 3, -1], u, u)))))
source 0.01*p at (1, 0, 0) with sinc into u
source 0.01*ricker(f = 9 Hz) at (0, 0, 3.5) with linear into u
receiver u at (1, 0, 0) with sinc every 2 into "r0.npy"
