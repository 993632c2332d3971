grid x = 16
def twice(a) = 2*a
field u : f64
step 1 { u' = twice + u }
