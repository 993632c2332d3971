# hdiff: horizontal diffusion with its flux limiter and a coefficient in every cell, over and over.
# As examples/hdiff-limited.ik, where more is told.

arithmetic plain
param rounds = 10
grid x = 256, y = 256, z = 64

field in : f32 = noise(1)
field coeff : f32 = 0.02 + 0.01*noise(2)
field out : f32 = in

def limited(flux, slope) = if flux*slope > 0 then 0 else flux

repeat until rounds < 0 max rounds {
  lap = 4*in - (in[1,0,0] + in[-1,0,0] + in[0,1,0] + in[0,-1,0])
  flx = limited(lap[1,0,0] - lap, in[1,0,0] - in)
  fly = limited(lap[0,1,0] - lap, in[0,1,0] - in)
  out = in - coeff*(flx - flx[-1,0,0] + fly - fly[0,-1,0]) on interior(2, 2, 0)
}
