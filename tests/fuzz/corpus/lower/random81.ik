# seed 81
param dt = 2 ms
grid x = 10, y = 5, spacing = 2
field u : i32 = int(noise(0)*2846)
field v : i32, on (x, y+1) = int(noise(8)*1069)
field p : bf16, history 3 = (y + 1)/(ny + 3)
boundary u = 0
boundary v { x = periodic; -y = 7; +y = reflect }
boundary p { -x = reflect; +x = reflect; y = periodic }
  p = (0.249*(log(1 + abs((1/3*p[t-2, 0, 1] + t/100/3 + 0.249*p)))) - (0.15*d2(p[0, -1], x, order = 2))/2)
step 2 {
  a0 = 0.5*mod(u[1, 1], 2) + 0.5*(0.5*atan((f16(p[1, 1]))))
  u' = (mod((max(abs((u*v)), 37)), (((3*u - 7) - (max(abs(u), 32))) + t - t))) on interior(2)
  v = int(560*p[t-2, 0, 15]) on interior(1)
  v = (u'[1, 0]/(u + t - t))
  a1 = 0.5*mod(u[2, 1], 2) + 0.5*((1/3*p + p[t-2, -2, 0]/4 + 1/4*a0)/5 - 0.249*(p[t-1]*p) + 1/5*(max(p[t-1, 1, 2], p[t-1, -1, 1])) + 0.166*(log(1 + abs(1/3))))
}
repeat until sum(p[t-2]*(0.2*mod(v[2, 1], 5))) > 0.13 max 2 {
  u = (3*((int(997*p) + v) - u) - 5) on interior(2)
}
  a2 = 0.5*mod(u[1, 0], 2) + 0.5*(0.2*mod((mod(u[-1, 3], (u[-1, 1] + t - t))), 5))
  p = (abs((1/2*p + 1/3*a2[-2, 0]))) on interior(1)
source 0.01*(0.199*p + p[-1, -1]/4 - 0.249*p[t-2, 1, 0]) at (1, 2) into u
source 0.01*(1/3 + p[0, 0]/2) at (8.5, 1.5) with sinc into u
receiver u at (2.25, 1) every 2 into "r0.npy"
receiver u at (1.5, 2.5) with sinc every 1 into "r1.npy"
