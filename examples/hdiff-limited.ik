# hdiff-limited: horizontal diffusion of a weather model with its flux limiter.
#
# As hdiff, but a flux that would run up the gradient of the field itself is set to zero, so that no
# new extremes appear.  The form of COSMO and GridTools; in each level
#
#   lap = 4 in - (its four neighbours)
#   flx = lap[1,0] - lap, or 0 if flx (in[1,0] - in) > 0;   fly alike along y
#   out = in - coeff (flx - flx[-1,0] + fly - fly[0,-1])
#
# Borders of two cells keep the input.

arithmetic plain
grid x = 256, y = 256, z = 64
param coeff = 0.025

field in : f32 = noise(1)
field out : f32 = in

def limited(flux, slope) = if flux*slope > 0 then 0 else flux

lap = 4*in - (in[1,0,0] + in[-1,0,0] + in[0,1,0] + in[0,-1,0])
flx = limited(lap[1,0,0] - lap, in[1,0,0] - in)
fly = limited(lap[0,1,0] - lap, in[0,1,0] - in)
out = in - coeff*(flx - flx[-1,0,0] + fly - fly[0,-1,0]) on interior(2, 2, 0)
