step 3 { u' = (u[1, 2
  "abc
