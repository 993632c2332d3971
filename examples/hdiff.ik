# hdiff: horizontal diffusion of a weather model, a compound of three stencils.
#
# The Laplacian of each level, its differences along x and y (the fluxes), and their divergence.
# COSMO's kernel without the flux limiter (see hdiff-limited), as in NERO's Algorithm 1 with its
# two misprints mended: the row flux takes the row neighbour, and coeff multiplies both terms.
# Borders of two cells keep the input.  Laplacian and fluxes are temporaries: they have no storage
# of their own unless an engine finds that it pays.

arithmetic plain
grid x = 256, y = 256, z = 64
param coeff = 0.025

field in : f32 = noise(1)
field out : f32 = in

lap = 4*in - (in[1,0,0] + in[-1,0,0] + in[0,1,0] + in[0,-1,0])
flx = lap[1,0,0] - lap
fly = lap[0,1,0] - lap
out = in - coeff*(flx - flx[-1,0,0] + fly - fly[0,-1,0]) on interior(2, 2, 0)
