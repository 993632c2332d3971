grid x = 16
def mix(a, b, a) = a + b
field u : f64
step 1 { u' = mix(u, 1, 2) }
