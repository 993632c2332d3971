# pcg: conjugate gradients for the 7-point Laplacian with a diagonal preconditioner, a fixed number
# of rounds.  As examples/poisson.ik, where more is told.

param rounds = 10
grid x = 64, y = 64, z = 64

field sol, p, q : f32
field r : f32 = noise(7) - 0.5
boundary p = 0

def A(u) = 6*u - u[0,0,-1] - u[0,0,1] - u[-1,0,0] - u[1,0,0] - u[0,-1,0] - u[0,1,0]

p = r/6
scalar rz = sum(r*(r/6))

repeat until rz <= 0 max rounds {
  q = A(p)
  alpha = rz/sum(p*q)
  sol = sol + alpha*p
  r = r - alpha*q
  rz_new = sum(r*(r/6))
  beta = rz_new/rz
  rz = rz_new
  p = r/6 + beta*p
}
