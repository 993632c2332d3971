# vadvc: vertical advection, a tridiagonal solve in every column, over and over.
# As examples/vadvc.ik, where more is told.

arithmetic plain
param rounds = 10
grid x = 256, y = 256, z = 64
param dtr = 3/20
param beta = 0
param bm = (1 - beta)/2
param bp = (1 + beta)/2

field ustage : f32 = 5 + 4*noise(2)
field upos : f32 = 5 + 4*noise(3)
field utens : f32 = noise(4) - 0.5
field utensstage : f32 = noise(5) - 0.5
field wcon : f32, on (x+1, y, z+1) = 0.2*(noise(6) - 0.5)

def below(w) = -(w[1,0,0] + w)/4
def above(w) = (w[1,0,1] + w[0,0,1])/4

repeat until rounds < 0 max rounds {
  sweep z up {
    at first {
      c = above(wcon)*bp
      b = dtr - c
      corr = -(above(wcon)*bm)*(ustage[0,0,1] - ustage)
      dd = dtr*upos + utens + utensstage + corr
      q = 1/b
      ccol = c*q
      dcol = dd*q
    }
    within {
      a = below(wcon)*bp
      c = above(wcon)*bp
      b = dtr - a - c
      corr = -(below(wcon)*bm)*(ustage[0,0,-1] - ustage) - (above(wcon)*bm)*(ustage[0,0,1] - ustage)
      dd = dtr*upos + utens + utensstage + corr
      q = 1/(b - ccol[0,0,-1]*a)
      ccol = c*q
      dcol = (dd - dcol[0,0,-1]*a)*q
    }
    at last {
      a = below(wcon)*bp
      b = dtr - a
      corr = -(below(wcon)*bm)*(ustage[0,0,-1] - ustage)
      dd = dtr*upos + utens + utensstage + corr
      q = 1/(b - ccol[0,0,-1]*a)
      dcol = (dd - dcol[0,0,-1]*a)*q
    }
  }
  sweep z down {
    at first {
      unew = dcol
      utensstage = dtr*(unew - upos)
    }
    within {
      unew = dcol - ccol*unew[0,0,1]
      utensstage = dtr*(unew - upos)
    }
    at last {
      unew = dcol - ccol*unew[0,0,1]
      utensstage = dtr*(unew - upos)
    }
  }
}
