# box: a full box of any radius in one, two or three dimensions.
#
# (2 radius + 1)^dim points; the centre has the weight `centre`, the others share the rest equally,
# so that all add up to one.
#
#   ikat run box.ik dim=3 radius=1           27 points
#   ikat run box.ik dim=2 radius=3           49 points

param dim = 2, radius = 1
param centre = 0.5
param others = (2*radius + 1)^dim - 1
grid x = 64, y = 64 if dim >= 2, z = 64 if dim >= 3

field u : f32 = noise(1)
boundary u = periodic

weights w = box(radius, if distance == 0 then centre else (1 - centre)/others)

step 20 {
  u' = stencil(u, w)
}

mass = sum(f64(u))
