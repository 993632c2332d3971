# life: Conway's game, on a torus.
#
# A living cell with two or three living neighbours stays alive, a dead one with exactly three
# comes alive, all others are dead.  Whole numbers, no rounding anywhere.

grid x = 128, y = 128
param density = 0.3  # of living cells at the start

field cell : i32 = if noise(1) < density then 1 else 0
boundary cell = periodic

weights around = [
    [1, 1, 1],
    [1, 0, 1],
    [1, 1, 1]]

step 300 {
  n = stencil(cell, around)
  cell' = if n == 3 or (n == 2 and cell == 1) then 1 else 0
}

alive = sum(cell)
