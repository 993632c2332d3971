/* nest_writer.h: what the files that write plain loops share; for nest_*.c alone. */
#pragma once
#include "apps/bench/nest.h"

typedef struct ik_nest_writer {
  const ik_nest *n;
  const ik_ir   *ir;
  ik_arena      *a;
  ik_buf        *out;     /* functions */
  ik_buf         round;   /* what a round calls */
  bool          *filled;  /* [narray] the cells beyond its faces are up to date */
  bool          *used;    /* [narray] of the function that is written */
  bool          *written; /* [narray] */
  bool           time;    /* it asks for the step */
  bool          *scalar;  /* [nscalar] */
  int            nfunction, indent;
} ik_nest_writer;

extern const char ik_nest_axes[]; /* "xyz" */

/* For functions whose writer is called `w`. */
#define PUT(...)  ik_buf_printf(w->out, __VA_ARGS__)
#define LINE(...) (ik_nest_begin_line(w), PUT(__VA_ARGS__), ik_buf_putc(w->out, '\n'))

/* A line with an expression between two texts, of which the former has a format. */
#define LINE_OF(e, after, ...)                                                                     \
  (ik_nest_begin_line(w), PUT(__VA_ARGS__), ik_nest_put_expr(w, e), PUT(after "\n"))

static inline int64_t ik_nest_extent(const ik_box *b, int d) { return b->hi[d] - b->lo[d]; }

/* ---- nest_cells.c ---- */

void ik_nest_begin_line(ik_nest_writer *w); /* its indentation */
void ik_nest_put_expr(ik_nest_writer *w, const ik_expr *e);

/* What the next function uses: forgotten, gathered, declared. */
void ik_nest_forget_uses(ik_nest_writer *w);
void ik_nest_use(const ik_expr *e, void *writer); /* for ik_expr_each() */
void ik_nest_use_statement(ik_nest_writer *w, const ik_stmt *s);
void ik_nest_declare_scalars(ik_nest_writer *w);
void ik_nest_declare_time(ik_nest_writer *w);
void ik_nest_declare_rest(ik_nest_writer *w); /* axes beyond the grid's, which have one cell */
/* A function with all that, which the round calls. */
void ik_nest_begin_function(ik_nest_writer *w);
void ik_nest_end_function(ik_nest_writer *w);

/* The k-th array of a field, the spare one included. */
const char *ik_nest_any_array_name(ik_nest_writer *w, int field, int k);

/* Loops: along one axis; from axis `from` down to x, of which it returns the number; and their
 * ends.  `reduction` is a clause of OpenMP, or "". */
void ik_nest_open_axis(ik_nest_writer *w, const ik_box *b, int d);
int  ik_nest_open_box(ik_nest_writer *w, const ik_box *b, int from, bool parallel,
                      const char *reduction);
void ik_nest_close_axes(ik_nest_writer *w, int count);
void ik_nest_put_simd(ik_nest_writer *w, const char *reduction);
/* Threads share axis d, and the next if there is one in the nest (`more`) and d is short. */
void ik_nest_put_parallel(ik_nest_writer *w, const ik_box *b, int d, bool more,
                          const char *reduction);

/* Cell (x, y, z) of an array. */
const char *ik_nest_cell(ik_nest_writer *w, int field, const char *array);
/* An assignment of the nest that begins with `first`. */
void ik_nest_put_assign(ik_nest_writer *w, const ik_stmt *first, const ik_stmt *s);

/* ---- nest_sweep.c ---- */

void ik_nest_write_sweep(ik_nest_writer *w, const ik_stmt *sweep);

/* ---- nest_faces.c ---- */

void ik_nest_write_faces(ik_nest_writer *w);
void ik_nest_write_begin(ik_nest_writer *w); /* plain_begin() */

/* The round fills what `e`, done for these cells, reads beyond faces, if it is not up to date. */
void ik_nest_fill_for(ik_nest_writer *w, const ik_expr *e, const ik_box *cells);
/* No longer up to date: after an assignment, after a scalar has changed, anything. */
void ik_nest_forget_field(ik_nest_writer *w, const ik_stmt *s);
void ik_nest_forget_scalar(ik_nest_writer *w);
void ik_nest_forget_faces(ik_nest_writer *w);
