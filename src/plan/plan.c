#include "plan/plan.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_count(ik_buf *out, int n, const char *what) {
  ik_buf_printf(out, "%d %s%s", n, what, n == 1 ? "" : "s");
}

static void put_tile(const ik_plan *p, const ik_ir *ir, ik_buf *out) {
  ik_buf_puts(out, "tile ");
  for (int d = 0; d < ir->ndim; d++) {
    if (d) ik_buf_puts(out, " x ");
    if (p->tile[d])
      ik_buf_printf(out, "%" PRId64, p->tile[d]);
    else
      ik_buf_puts(out, "all");
  }
}

void ik_plan_print(const ik_plan *p, const ik_ir *ir, ik_buf *out) {
  ik_buf_printf(out, "%s: ", p->strategy);
  put_count(out, p->steps, "step");
  ik_buf_puts(out, ", ");
  put_tile(p, ir, out);
  ik_buf_puts(out, ", ");
  if (p->planes > 1) ik_buf_printf(out, "%d planes x ", p->planes);
  put_count(out, p->rows, "row");
  ik_buf_puts(out, " x ");
  put_count(out, p->vectors, "vector");
  ik_buf_printf(out, " of %d bytes", p->vector_bytes);
  if (p->stream) ik_buf_puts(out, ", streaming stores");
  if (p->shift) ik_buf_puts(out, ", shifted neighbours");
  if (p->place) ik_buf_puts(out, ", in place");
}

void ik_plan_json(const ik_plan *p, const ik_ir *ir, ik_json *out) {
  ik_json_str(out, "target", p->target);
  ik_json_str(out, "strategy", p->strategy);
  ik_json_int(out, "steps", p->steps);
  ik_json_open(out, "tile", '[');
  for (int d = 0; d < ir->ndim; d++) ik_json_int(out, NULL, p->tile[d]);
  ik_json_close(out, ']');
  ik_json_int(out, "rows", p->rows);
  ik_json_int(out, "vectors", p->vectors);
  ik_json_int(out, "vector_bytes", p->vector_bytes);
  ik_json_bool(out, "stream", p->stream);
  ik_json_bool(out, "shift", p->shift);
  ik_json_bool(out, "place", p->place);
  ik_json_int(out, "threads", p->threads);
}

/* ---- as text ---- */

static const char *const strategies[] = {"sweep", "fuse", "hex", "skew", "matrix-band", "spectral"};

void ik_plan_write(const ik_plan *p, ik_buf *out) {
  ik_buf_printf(out, "%s steps=%d tile=%" PRId64 ",%" PRId64 ",%" PRId64, p->strategy, p->steps,
                p->tile[0], p->tile[1], p->tile[2]);
  if (p->planes > 1) ik_buf_printf(out, " planes=%d", p->planes);
  ik_buf_printf(out, " rows=%d vectors=%d bytes=%d stream=%d shift=%d place=%d", p->rows,
                p->vectors, p->vector_bytes, p->stream, p->shift, p->place);
  if (p->terms > 1) ik_buf_printf(out, " terms=%d", p->terms);
}

/* "name=value": true if it is that one and the value a number within bounds. */
static bool read_number(const char *word, const char *name, int low, int high, int *out) {
  size_t n = strlen(name);
  if (strncmp(word, name, n) || word[n] != '=') return false;
  const char *at = word + n + 1;
  char       *end;
  long long   v = strtoll(at, &end, 10); /* one that is too large is not made to fit */
  if (end == at || *end || v < low || v > high) return false;
  return *out = (int)v, true;
}

/* "tile=512,0": up to three numbers; the others are 0. */
static bool read_tile(const char *word, int64_t tile[IK_MAX_DIM]) {
  static const char name[] = "tile=";
  int64_t           t[IK_MAX_DIM] = {0};
  const char       *at = word + sizeof name - 1;
  if (strncmp(word, name, sizeof name - 1)) return false;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    char     *end;
    long long v = strtoll(at, &end, 10);
    if (end == at || v < 0 || v > 1 << 30 || (*end && *end != ',')) return false;
    t[d] = v;
    if (!*end) return memcpy(tile, t, sizeof t), true;
    at = end + 1;
  }
  return false; /* a fourth */
}

static bool read_word(const char *word, ik_plan *p) {
  int flag;
  for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++)
    if (strcmp(word, strategies[i]) == 0) return p->strategy = strategies[i], true;
  if (read_number(word, "stream", 0, 1, &flag)) return p->stream = flag, true;
  if (read_number(word, "shift", 0, 1, &flag)) return p->shift = flag, true;
  if (read_number(word, "place", 0, 1, &flag)) return p->place = flag, true;
  if (read_number(word, "planes", 1, 8, &p->planes)) return true;
  if (read_number(word, "terms", 1, 3, &p->terms)) return true;
  return read_number(word, "steps", 1, 64, &p->steps) ||
         read_number(word, "rows", 1, 16, &p->rows) ||
         read_number(word, "vectors", 1, 8, &p->vectors) ||
         read_number(word, "bytes", 8, 64, &p->vector_bytes) || read_tile(word, p->tile);
}

bool ik_plan_read(const char *text, ik_plan *p) {
  ik_plan q = *p;
  char    word[128];
  for (int n; sscanf(text, " %127s%n", word, &n) == 1; text += n)
    if (!read_word(word, &q)) return false;
  bool power =
      q.vector_bytes == 8 || q.vector_bytes == 16 || q.vector_bytes == 32 || q.vector_bytes == 64;
  if (!power) return false;
  *p = q;
  return true;
}
