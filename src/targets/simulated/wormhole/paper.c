#include "targets/simulated/wormhole/paper.h"
#include "base/text.h"
#include "targets/simulated/wormhole/tile.h"
#include <string.h>

/* T is the type, B the box, S the constant 1/6 of the type.  The solver's statements are those of
 * examples/poisson.ik. */
static const char solver_head[] = "scalar rr T\nscalar rz T\nscalar pq T\nscalar alpha T\n"
                                  "scalar new T\nscalar beta T\n"
                                  "field sol user T on x, y, z box B history 1\n"
                                  "field r user T on x, y, z box B history 1\n"
                                  "field b user T on x, y, z box B history 1\n";
static const char fields[] = "field p user T on x, y, z box B history 1\n"
                             "  low x value (T 0)\n  high x value (T 0)\n"
                             "  low y value (T 0)\n  high y value (T 0)\n"
                             "  low z value (T 0)\n  high z value (T 0)\n"
                             "field q user T on x, y, z box B history 1\n";
static const char apply[] =
    "assign q@0 on B = (sub.T (sub.T (sub.T (fma.T (T 6) p@0 (sub.T (sub.T (neg.T p@0[0,0,-1]) "
    "p@0[0,-1,0]) p@0[-1,0,0])) p@0[1,0,0]) p@0[0,1,0]) p@0[0,0,1])\n";
static const char dot[] = "reduce pq sum on B = (mul.T p@0 q@0)\n";
static const char round_head[] = "assign r@0 on B = b@0\nrepeat 1 {\nreduce rr sum on B = (mul.T "
                                 "r@0 r@0)\n} until (le.bool $rr (T 0)) {\n";
static const char round_tail[] =
    "set alpha = (div.T $rz $pq)\nassign sol@0 on B = (fma.T $alpha p@0 sol@0)\n"
    "assign r@0 on B = (fma.T (neg.T $alpha) q@0 r@0)\n"
    "reduce new sum on B = (mul.T (mul.T (T S) r@0) r@0)\nset beta = (div.T $new $rz)\n"
    "set rz = $new\nassign p@0 on B = (fma.T $beta p@0 (mul.T (T S) r@0))\n}\n";

enum { ROOM = 4000 }; /* for the text of a program */

typedef struct writer {
  const ik_wormhole_case *c;
  char                   *text; /* [ROOM] */
  size_t                  n;
} writer;

static void put(writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(writer *w, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  w->n += (size_t)ik_vformat(w->text + w->n, ROOM - w->n, fmt, ap);
  va_end(ap);
  IK_ASSERT(w->n < ROOM);
}

/* The text with T, B and S, where they stand alone, replaced. */
static void put_case(writer *w, const char *text) {
  const ik_wormhole_case *c = w->c;
  char                    before = ' ';
  for (; *text; before = *text++) {
    bool alone = strchr(" .(", before) && strchr(" \n,)", text[1]);
    if (alone && *text == 'T')
      put(w, "%s", ik_type_name(c->type));
    else if (alone && *text == 'S')
      put(w, "%.17g", ik_type_round(c->type, 1.0 / 6));
    else if (alone && *text == 'B')
      put(w, "0:%d, 0:%d, 0:%d", IK_WORMHOLE_ROWS * c->cores[0], IK_WORMHOLE_COLUMNS * c->cores[1],
          c->tiles);
    else
      put(w, "%c", *text);
  }
}

static void put_program(writer *w) {
  const ik_wormhole_case *c = w->c;
  bool                    solver = c->kernel == IK_WORMHOLE_SOLVER;
  put(w, "ikat-ir 1\nprogram \"paper\"\narithmetic chain\ngrid x=%d, y=%d, z=%d\n",
      IK_WORMHOLE_ROWS * c->cores[0], IK_WORMHOLE_COLUMNS * c->cores[1], c->tiles);
  put_case(w, solver ? solver_head : "scalar pq T\n");
  put_case(w, fields);
  put(w, "body {\n");
  if (solver) put_case(w, round_head);
  if (c->kernel != IK_WORMHOLE_DOT) put_case(w, apply);
  if (c->kernel != IK_WORMHOLE_OPERATOR) put_case(w, dot);
  if (solver) put_case(w, round_tail);
  put(w, "}\n");
}

ik_status ik_wormhole_paper(const ik_wormhole_case *c, ik_arena *a, ik_diag *d, const ik_ir **out) {
  writer     w = {.c = c, .text = IK_NEW_N(a, char, ROOM)};
  ik_source *src = IK_NEW(a, ik_source);
  ik_ir     *ir;
  put_program(&w);
  *src = (ik_source){"paper", w.text, w.n};
  IK_TRY(ik_ir_read(src, a, d, &ir));
  *out = ir;
  return IK_OK;
}
