arithmetic plain
grid x = 4, y = 3, z = 5
field a, out : f64 = noise(3)
sweep z up {
  at first { s = a }
  within { s = 0.5*s[0,0,-1] + a }
  at last { s = s[0,0,-1] }
}
sweep z down {
  out = s
}
