u = if a < b < c then -a^-b^c' else not not x == y or z and w[t-1][1]'[2]
