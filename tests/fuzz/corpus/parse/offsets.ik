grid x = 4
field u : f64
boundary u = mirror
u = u[1000000] + u[-1000000] + u[1000001]
a = u[999999]; b = a[-999999]; u = b[1000000]
