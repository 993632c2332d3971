arithmetic plain
grid x = 40, y = 30, z = 6
field in : f32 = noise(1)
field out : f32 = in
lap = 4*in - (in[1,0,0] + in[-1,0,0] + in[0,1,0] + in[0,-1,0])
flx = lap[1,0,0] - lap
fly = lap[0,1,0] - lap
out = in - 0.025*(flx - flx[-1,0,0] + fly - fly[0,-1,0]) on interior(2, 2, 0)
