grid x = 8
field u : f32 = file("m.npz", f32)
