# star: a star of any radius in one, two or three dimensions.
#
# Points on the axes up to `radius` cells away; the centre has the weight `centre`, the others share
# the rest equally, so that all add up to one.
#
#   ikat run star.ik dim=3 radius=4          25 points, as many as the wave of order 8 has

param dim = 2, radius = 1
param centre = 0.5
grid x = 64, y = 64 if dim >= 2, z = 64 if dim >= 3

field u : f32 = noise(1)
boundary u = periodic

weights w = star(radius, if distance == 0 then centre else (1 - centre)/(2*dim*radius))

step 20 {
  u' = stencil(u, w)
}

mass = sum(f64(u))
