/* Smith-Waterman: a case worked out by hand, and long sequences against a plain loop. */
#include "run.h"

/* GGTTGACTA along x, TGTTACGG along y; match 3, mismatch -3, gap 2.  By hand, row by row:
 *
 *        G  G  T  T  G  A  C  T  A
 *    T   0  0  3  3  1  0  0  3  1
 *    G   3  3  1  1  6  4  2  1  0
 *    T   1  1  6  4  4  3  1  5  3
 *    T   0  0  4  9  7  5  3  4  2
 *    A   0  0  2  7  6 10  8  6  7
 *    C   0  0  0  5  4  8 13 11  9
 *    G   3  3  1  3  8  6 11 10  8
 *    G   3  6  4  2  6  5  9  8  7
 */
static const int by_hand[8][9] = {
    {0, 0, 3, 3, 1, 0, 0, 3, 1},   {3, 3, 1, 1, 6, 4, 2, 1, 0},  {1, 1, 6, 4, 4, 3, 1, 5, 3},
    {0, 0, 4, 9, 7, 5, 3, 4, 2},   {0, 0, 2, 7, 6, 10, 8, 6, 7}, {0, 0, 0, 5, 4, 8, 13, 11, 9},
    {3, 3, 1, 3, 8, 6, 11, 10, 8}, {3, 6, 4, 2, 6, 5, 9, 8, 7},
};

CASE(worked_by_hand) {
  run x = run_example("align", NULL);
  run_advance(&x, -1);
  for (int j = 0; j < 8; j++)
    for (int i = 0; i < 9; i++) CHECK_EQ(ik_run_value(x.r, "H", i, j, 0), by_hand[j][i]);
  CHECK_EQ(run_scalar(&x, "score"), 13);
  run_free(&x);
}

enum { NA = 211, NB = 160 };

static int larger(int a, int b) { return a > b ? a : b; }

static int plain_score(const int *a, const int *b, int match, int mismatch, int gap) {
  static int h[NB + 1][NA + 1];
  int        best = 0;
  for (int j = 1; j <= NB; j++)
    for (int i = 1; i <= NA; i++) {
      int v = h[j - 1][i - 1] + (a[i - 1] == b[j - 1] ? match : mismatch);
      v = larger(larger(v, 0), larger(h[j - 1][i], h[j][i - 1]) - gap);
      best = larger(best, h[j][i] = v);
    }
  return best;
}

/* The example's sweep on letters made by noise. */
CASE(long_sequences) {
  char *text = example_text("align");
  text = replaced(text, "a = mod(a, 10)", "a = int(4*noise(1))");
  text = replaced(text, "b = mod(b, 10)", "b = int(4*noise(2))");
  static const char *const weights[] = {"match=3 mismatch=-3 gap=2", "match=2 mismatch=-1 gap=1",
                                        "match=5 mismatch=-4 gap=7"};
  static const int         w[][3] = {{3, -3, 2}, {2, -1, 1}, {5, -4, 7}};
  for (int k = 0; k < 3; k++) {
    char set[128];
    int  a[NA], b[NB];
    snprintf(set, sizeof set, "x=%d y=%d %s", NA, NB, weights[k]);
    run x = run_text(text, set);
    run_advance(&x, -1);
    for (int i = 0; i < NA; i++) a[i] = (int)ik_run_value(x.r, "a", i, 0, 0);
    for (int j = 0; j < NB; j++) b[j] = (int)ik_run_value(x.r, "b", 0, j, 0);
    CHECK_EQ(run_scalar(&x, "score"), plain_score(a, b, w[k][0], w[k][1], w[k][2]));
    run_free(&x);
  }
  free(text);
}

/* A sequence against itself: every letter matches. */
CASE(itself) {
  run x = run_example("align", "two=334431241 letters_two=9");
  run_advance(&x, -1);
  CHECK_EQ(run_scalar(&x, "score"), 27);
  run_free(&x);
}
