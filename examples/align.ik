# align: the best local alignment of two sequences, after Smith and Waterman.
#
#   H = max(0, H[-1,-1] + s(a, b), H[-1,0] - gap, H[0,-1] - gap)
#
# H is the score of the best alignment that ends at letter x of one sequence and y of the other:
# its last letters side by side (match or mismatch), or one of them beside a gap.  A cell needs
# neighbours of the same matrix that are new already, so the cells are swept in order; those on a
# diagonal do not need each other.
#
# The letters are the digits of two numbers, 1 2 3 4 for A C G T, repeated along longer axes: here
# GGTTGACTA and TGTTACGG, which match best as GTTGAC over GTT-AC.  Long ones come from a file:
#   field a : i32, on x = file("a.npy")

param one = 334431241, letters_one = 9  # nine letters at most
param two = 43441233, letters_two = 8
param match = 3, mismatch = -3, gap = 2
grid x = letters_one, y = letters_two

field a : i32, on x
field b : i32, on y
field H : i32
boundary a, b, H = 0

# The number less its last digit, from the last cell to the first; then the last digit of each.
sweep x down {
  a = if mod(nx - 1 - x, letters_one) == 0 then one else a[1]/10
}
sweep y down {
  b = if mod(ny - 1 - y, letters_two) == 0 then two else b[1]/10
}
a = mod(a, 10)
b = mod(b, 10)

sweep x up, y up {
  H = max(0, H[-1,-1] + (if a == b then match else mismatch), H[-1,0] - gap, H[0,-1] - gap)
}

score = max(H)
