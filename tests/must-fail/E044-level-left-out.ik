grid z = 16
field u : f64 = 1
sweep z up {
  within { c = u; u = c[-1] }
}
