arithmetic plain
param rounds = 4
grid x = 80, y = 30, z = 6
field in : f32 = noise(1)
field out : f32 = 2*noise(2)
repeat until rounds < 0 max rounds {
  lap = 4*in - (in[1,0,0] + in[-1,0,0] + in[0,1,0] + in[0,-1,0])
  flx = lap[1,0,0] - lap
  fly = lap[0,1,0] - lap
  out = in - 0.025*(flx - flx[-1,0,0] + fly - fly[0,-1,0]) on interior(2, 2, 0)
}
