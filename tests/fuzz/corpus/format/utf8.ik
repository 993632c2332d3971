# größe — ok
field größe : f64 "ü"
