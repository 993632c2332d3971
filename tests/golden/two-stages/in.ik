grid x = 8, y = 6
field e, h : f64 = noise(2)
boundary e, h = 0
step 2 {
  h' = h + 0.4*(e[1,0] - e)
  curl = h' - h'[-1,0]
  e' = e + 0.4*curl on interior(1)
}
