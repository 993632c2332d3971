grid x = 8, y = 4
field r, p : f64 = noise(4)
scalar rr = dot(r, r)
repeat until norm(r) <= 1e-3 max 5 {
  alpha = rr/(1 + sum(p*p))
  r = r - alpha*p
}
