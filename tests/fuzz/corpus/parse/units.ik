param a = 10 m/s^2*kg, b = 3 m / s, c = 4Hz/ms, d = 5 mm^-2, e = 1e400, f = 1e-400, g = .5.5, h = 3 parsec
