grid x = 8
field u : f32 = file("u.npy", "velocity")
