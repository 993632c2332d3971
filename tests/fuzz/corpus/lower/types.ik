arithmetic plain f32
grid x = 4, y = 3, z = 2
field k : i32 = mod(x + y, 3)
field h : f16, on (x+1, y) = 0.1
field b : bf16, on z = z/2
boundary h { -x = antimirror; +x = 1; y = periodic }
boundary k = periodic
step 2 { k' = k[-1,0,0] + int(h[1,0]) - k/2; h' = if x > 1 and not y == 0 then h else min(h[-1,1], 0.5) on x = 0 .. 2, y = 1
 b' = f32(b)*tanh(b) }
