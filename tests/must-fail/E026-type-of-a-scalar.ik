grid x = 16
field u : f64
scalar s : float = 2
step 1 { u' = u*s }
