grid x = 16
def sqrt(a) = a^0.5
field u : f64
step 1 { u' = sqrt(u) }
