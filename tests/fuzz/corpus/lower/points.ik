grid x = 4, y = 3
field u : f64
source 1e300*t at (1.5, 1e300) into u
source 1/t at (0.25, 1.75) with sinc into u
receiver u at (3, 2) count 1e9 every 1e18 into "a.segy"
step 2 { u' = u }
