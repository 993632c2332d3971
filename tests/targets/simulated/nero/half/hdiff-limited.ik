# hdiff-limited of examples/ in half precision as C has it where it computes in float: every value with a name
# is rounded to f16, what lies between is not.

arithmetic plain
grid x = 12, y = 10, z = 8
param coeff = 0.025

field in : f16 = noise(1)
field out : f16 = in

def limited(flux, slope) = if flux*slope > 0 then 0 else flux

lap = f16(4*in - (in[1,0,0] + in[-1,0,0] + in[0,1,0] + in[0,-1,0]))
flx = limited(f16(lap[1,0,0] - lap), in[1,0,0] - in)
fly = limited(f16(lap[0,1,0] - lap), in[0,1,0] - in)
out = in - f16(coeff)*(flx - flx[-1,0,0] + fly - fly[0,-1,0]) on interior(2, 2, 0)
