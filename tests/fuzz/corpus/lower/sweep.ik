grid x = 5, y = 4, z = 6
field a, b : f64 = noise(3)
boundary a = copy
sweep z up { at first { c = a; b = a*2 } within { c = c[0,0,-1] + a; b = b[0,0,-1] + c } at last { b = c[0,0,-1] } }
sweep x up, y down { a = 0.5*(a[-1,0,0] + a[0,1,0]) }
