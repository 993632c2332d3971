step 1 { step 2 { field u : f64 sweep x up { at first { at last { } } } } }
