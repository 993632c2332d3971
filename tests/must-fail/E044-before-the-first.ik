grid z = 16
field u : f64 = 1
sweep z up { c = 2*c[-1] + u; u = c }
