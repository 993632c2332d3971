grid x = 16
field u, v : f64
step 1 { u' = u; v' = v }
output u, v into "uv.npy"
