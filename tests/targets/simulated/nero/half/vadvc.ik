# vadvc of examples/ in half precision as C has it where it computes in float: every value with a name
# is rounded to f16, what lies between is not.

arithmetic plain
grid x = 12, y = 10, z = 8
param dtr = 3/20
param beta = 0
param bm = (1 - beta)/2
param bp = (1 + beta)/2

field ustage : f16 = 5 + 4*noise(2)
field upos : f16 = 5 + 4*noise(3)
field utens : f16 = noise(4) - 0.5
field utensstage : f16 = noise(5) - 0.5
field wcon : f16, on (x+1, y, z+1) = 0.2*(noise(6) - 0.5)

def below(w) = f16(-(w[1,0,0] + w)/4)
def above(w) = f16((w[1,0,1] + w[0,0,1])/4)

sweep z up {
  at first {
    c = f16(above(wcon)*bp)
    b = f16(f16(dtr) - c)
    corr = f16(-f16(above(wcon)*bm)*(ustage[0,0,1] - ustage))
    dd = f16(f16(dtr)*upos + utens + utensstage + corr)
    q = f16(1/b)
    ccol = f16(c*q)
    dcol = f16(dd*q)
  }
  within {
    a = f16(below(wcon)*bp)
    c = f16(above(wcon)*bp)
    b = f16(f16(dtr) - a - c)
    corr = f16(-f16(below(wcon)*bm)*(ustage[0,0,-1] - ustage) - f16(above(wcon)*bm)*(ustage[0,0,1] - ustage))
    dd = f16(f16(dtr)*upos + utens + utensstage + corr)
    q = f16(1/(b - ccol[0,0,-1]*a))
    ccol = f16(c*q)
    dcol = f16((dd - dcol[0,0,-1]*a)*q)
  }
  at last {
    a = f16(below(wcon)*bp)
    b = f16(f16(dtr) - a)
    corr = f16(-f16(below(wcon)*bm)*(ustage[0,0,-1] - ustage))
    dd = f16(f16(dtr)*upos + utens + utensstage + corr)
    q = f16(1/(b - ccol[0,0,-1]*a))
    dcol = f16((dd - dcol[0,0,-1]*a)*q)
  }
}
sweep z down {
  at first {
    unew = dcol
    utensstage = f16(dtr)*(unew - upos)
  }
  within {
    unew = f16(dcol - ccol*unew[0,0,1])
    utensstage = f16(dtr)*(unew - upos)
  }
  at last {
    unew = f16(dcol - ccol*unew[0,0,1])
    utensstage = f16(dtr)*(unew - upos)
  }
}
