grid x = 16
def mix(a, b, w = 0.5) = w*a + (1 - w)*b
field u : f64
step 1 { u' = mix(u) }
