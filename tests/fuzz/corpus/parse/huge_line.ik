grid x = 2e9
field u : f32
receiver u at line 0 .. 1999999999 into "a.npy"
step 1 { u' = u }
