# Each mistake is told once; what depends on it is not.
grid x = 16
param k = 1/0
param l = k + 1
field u, v : f64
boundary u, v = 0
scalar s = v
total = sum(3)
step 10 {
  a = u + wind
  b = a[1] - a
  v' = v + b*total*s*l
  u' = u + v'[1]
}
