grid x = 8, y = 8
field cell : i32 = if noise(5) < 0.4 then 1 else 0
boundary cell = periodic
weights ring = box(1, if distance == 0 then 0 else 1)
step 2 {
  n = stencil(cell, ring)
  cell' = if n == 3 or (n == 2 and cell == 1) then 1 else 0
}
