/* Conway's game: what is known of gliders, blinkers and blocks, exactly. */
#include "run.h"
#include <stdint.h>

enum { N = 16 };

static void put(int32_t *cell, int x, int y, const char *rows) {
  for (int i = x; *rows; rows++)
    if (*rows == '/')
      i = x, y++;
    else
      cell[y * N + i++] = *rows == 'o';
}

static void run_life(int32_t *cell, int generations) {
  run x = run_example("life", "x=16 y=16");
  run_bind(&x, "cell", cell, N * N * sizeof *cell);
  run_advance(&x, generations);
  memcpy(cell, ik_run_data(x.r, "cell", NULL), N * N * sizeof *cell);
  run_free(&x);
}

CASE(glider) {
  int32_t start[N * N] = {0}, cell[N * N];
  put(start, 5, 6, ".o./..o/ooo");
  memcpy(cell, start, sizeof cell);
  run_life(cell, 4);
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) CHECK_EQ(cell[(j + 1) % N * N + (i + 1) % N], start[j * N + i]);
  run_life(cell, 4 * (N - 1)); /* once around the torus */
  CHECK(memcmp(cell, start, sizeof cell) == 0);
}

CASE(blinker_and_block) {
  int32_t start[N * N] = {0}, turned[N * N] = {0}, cell[N * N];
  put(start, 2, 3, "ooo"), put(turned, 3, 2, "o/o/o");
  put(start, 9, 9, "oo/oo"), put(turned, 9, 9, "oo/oo");
  memcpy(cell, start, sizeof cell);
  run_life(cell, 1);
  CHECK(memcmp(cell, turned, sizeof cell) == 0);
  run_life(cell, 1);
  CHECK(memcmp(cell, start, sizeof cell) == 0);
}

/* The rule itself, cell by cell, on a random board. */
CASE(one_generation_of_noise) {
  int32_t was[N * N], now[N * N];
  run     x = run_example("life", "x=16 y=16");
  run_advance(&x, 0);
  memcpy(was, ik_run_data(x.r, "cell", NULL), sizeof was);
  run_advance(&x, 1);
  memcpy(now, ik_run_data(x.r, "cell", NULL), sizeof now);
  run_free(&x);
  int alive = 0;
  for (int c = 0; c < N * N; c++) {
    int n = 0;
    for (int dj = -1; dj <= 1; dj++)
      for (int di = -1; di <= 1; di++)
        if (di || dj) n += was[(c / N + dj + N) % N * N + (c % N + di + N) % N];
    CHECK_EQ(now[c], n == 3 || (n == 2 && was[c]));
    alive += was[c];
  }
  CHECK(alive > N && alive < N * N / 2);
}
