# poisson: preconditioned conjugate gradients for the 7-point Laplacian with zero boundaries.
#
# Solves A x = b with A(u) = 6u minus its six neighbours and the preconditioner M = 6, so z = r/6.
# Scalars (alpha, beta, ...) are numbers; sum() and norm() are reductions over all cells in a fixed
# tree, so that the result does not depend on how many threads or ranks compute it.

grid x = 64, y = 64, z = 64
param tolerance = 1e-4

field sol, r, p, q : f32
field b : f32 = noise(7)
boundary p, sol = 0

def A(u) = 6*u - u[0,0,-1] - u[0,0,1] - u[-1,0,0] - u[1,0,0] - u[0,-1,0] - u[0,1,0]

r = b
p = r/6
scalar rz = sum(r*(r/6))

repeat until norm(r) <= tolerance max 500 {
  q = A(p)
  alpha = rz/sum(p*q)
  sol = sol + alpha*p
  r = r - alpha*q
  rz_new = sum(r*(r/6))
  beta = rz_new/rz
  rz = rz_new
  p = r/6 + beta*p
}

# The recursive residual r drifts from the true one; a solver that is trusted reports both.
true_residual = norm(b - A(sol))
recursive_residual = norm(r)
