/* ir.h: the stage graph: what a program computes, every decision of the language made explicit.
 *
 * A program is a list of statements over fields and scalars.  An assignment gives a field, on a box
 * of cells, the value of an expression for each cell; all cells are read before any is written.
 * Expressions carry their type and their order of evaluation: where the language says `fma`, an FMA
 * node stands here; nothing may be reordered later.  There are no names to resolve, no constants to
 * fold and no operators to expand: lang/lower.c has done that.
 *
 * Conventions: axis 0 is contiguous in memory.  Boxes are half open, in cells.  Level 1 is the new
 * value u', level 0 the current one, -1 the one before.  A field has extent 1 along axes it is not
 * on, and is read there at 0 whatever the cell.  All of it is immutable and lives in one arena.
 */
#pragma once
#include "base/arena.h"
#include "base/diag.h"
#include <stdint.h>

enum { IK_MAX_DIM = 3, IK_MAX_HISTORY = 16 };

typedef enum ik_type { IK_F64, IK_F32, IK_F16, IK_BF16, IK_I32, IK_BOOL, IK_NTYPES } ik_type;

typedef enum ik_op {
#define IK_OP(NAME, text, nargs, flops) IK_OP_##NAME,
#include "ir/ops.h"
#undef IK_OP
  IK_NOPS
} ik_op;

typedef struct ik_expr ik_expr;
struct ik_expr {
  ik_op          op;
  ik_type        type;
  const ik_expr *arg[3];
  double         value;           /* CONST, NOISE */
  int            id;              /* READ: field; SCALAR, TABLE: index; COORD: axis */
  int            level;           /* READ */
  int            off[IK_MAX_DIM]; /* READ, NOISE; 0 along axes that the field is not on */
  ik_span        span;
};

typedef struct ik_box { /* cells lo <= i < hi */
  int64_t lo[IK_MAX_DIM], hi[IK_MAX_DIM];
} ik_box;

/* What a read beyond a face finds, for a field of n cells along the axis:
 *   VALUE        the expression, at the cell as read
 *   PERIODIC     -1 is n-1
 *   MIRROR       -1 is 0, -2 is 1 (the face lies between cells); ANTIMIRROR the same, negated
 *   REFLECT      -1 is 1, -2 is 2 (the face lies on cell 0);     ANTIREFLECT the same, negated
 *   COPY         -1 is 0, -2 is 0
 * Axes are mapped independently, whatever the distance; VALUE of the lowest axis then wins. */
typedef enum ik_bc_kind {
  IK_BC_NONE,
  IK_BC_VALUE,
  IK_BC_PERIODIC,
  IK_BC_MIRROR,
  IK_BC_ANTIMIRROR,
  IK_BC_REFLECT,
  IK_BC_ANTIREFLECT,
  IK_BC_COPY,
  IK_NBC
} ik_bc_kind;

typedef struct ik_bc {
  ik_bc_kind     kind;
  const ik_expr *value; /* VALUE: of the field's type, reads no field */
  ik_span        span;
} ik_bc;

typedef enum ik_field_kind {
  IK_FIELD_USER,   /* declared; an input and a result */
  IK_FIELD_HIDDEN, /* made by the compiler for an absorbing layer; state, but no result */
  IK_FIELD_TEMP,   /* a named expression; lives within one pass over the statements of its block */
} ik_field_kind;

typedef struct ik_field {
  const char   *name;
  ik_field_kind kind;
  ik_type       type;
  bool          on[IK_MAX_DIM];
  ik_box        box;     /* cells that exist: [0,n) for stored fields; TEMP: where it is needed */
  int           history; /* levels that a step may read: 1 is level 0 alone */
  bool          has_new; /* some step assigns level 1 */
  ik_bc         bc[IK_MAX_DIM][2];     /* [axis][0: low, 1: high] */
  int           absorb[IK_MAX_DIM][2]; /* cells of an absorbing layer at this face, 0 without */
  ik_span       span;
} ik_field;

typedef struct ik_scalar {
  const char *name;
  ik_type     type;
  bool        hidden; /* made by the compiler */
  ik_span     span;
} ik_scalar;

typedef enum ik_stmt_kind {
  IK_ASSIGN, /* field, level, box, value */
  IK_LOAD,   /* field, level from a file (only in init) */
  IK_REDUCE, /* scalar = reduce of value over box */
  IK_SET,    /* scalar = value, which reads no field */
  IK_SWEEP,  /* body, once per level along the swept axes in order; see below */
  IK_STEPS,  /* body, count times; then sources are added and u' becomes u */
  IK_REPEAT, /* pre, test, body; until the test holds or count rounds are done */
} ik_stmt_kind;

typedef enum ik_reduce { IK_SUM, IK_MINIMUM, IK_MAXIMUM } ik_reduce;

/* SWEEP: for each index along the swept axes (axis[0] outermost), each statement of the body whose
 * box holds that index is done for all cells of the remaining axes before the next statement. */
typedef struct ik_stmt ik_stmt;
struct ik_stmt {
  ik_stmt_kind   kind;
  ik_span        span;
  ik_stmt       *next;
  int            field, level;
  ik_box         box;
  const ik_expr *value;  /* ASSIGN, REDUCE, SET; REPEAT: the test, a bool */
  int            scalar; /* REDUCE, SET */
  ik_reduce      reduce;
  int            naxes, axis[IK_MAX_DIM], dir[IK_MAX_DIM]; /* SWEEP; dir +1 or -1 */
  ik_stmt       *body, *pre;
  int64_t        count;
  const char    *path, *dataset; /* LOAD; dataset NULL unless HDF5 */
  int            raw_type;       /* LOAD of a raw file: an ik_type; -1 otherwise */
};

typedef struct ik_tap { /* a cell and how much of it */
  int64_t at[IK_MAX_DIM];
  double  weight;
} ik_tap;

typedef struct ik_inject { /* after the statements of a step: u'[tap] += type(value * weight) */
  int            field;
  const ik_expr *value; /* f64, at the tap's cell, level 0 of what it reads, TIME = t */
  int            ntap;
  const ik_tap  *tap;
  double         position[IK_MAX_DIM]; /* in cells, as given */
  double  frequency; /* the highest that its wavelet has, in Hz; 0: not known.  Not in text */
  ik_span span;
} ik_inject;

typedef struct ik_record { /* after each `every` steps: sum of tap * u, summed in f64 in order */
  int           field;
  int           npoint, ntap; /* taps per point */
  const ik_tap *tap;          /* [npoint][ntap] */
  const double *position;     /* [npoint][IK_MAX_DIM], in cells */
  int64_t       every;
  const char   *path;
  ik_span       span;
} ik_record;

typedef struct ik_output { /* fields written each `every` steps; 0: at the end only */
  int         nfield;
  const int  *field;
  int64_t     every;
  const char *path;
  ik_span     span;
} ik_output;

typedef struct ik_param {
  const char *name;
  double      value; /* SI */
  const char *unit;  /* as declared, NULL without */
  bool        overridden;
  ik_span     span;
} ik_param;

typedef struct ik_samples {
  const char   *name;
  int           n;
  const double *value;
} ik_samples;

typedef struct ik_vertical { /* the axis that is depth or height; see ir/space.h */
  bool known, up;
  int  axis;
} ik_vertical;

typedef enum ik_arithmetic { IK_CHAIN, IK_PLAIN } ik_arithmetic;

typedef struct ik_ir {
  const char   *name; /* of the program, for titles */
  int           ndim;
  const char   *axis[IK_MAX_DIM];
  int64_t       n[IK_MAX_DIM];       /* 1 beyond ndim */
  double        spacing[IK_MAX_DIM]; /* SI; 1 when not given */
  bool          has_spacing;
  ik_vertical   vertical;
  double        dt; /* the parameter dt; 0 without */
  ik_arithmetic arithmetic;
  int64_t       flops_written; /* of one cell and step, as the text has it */
  int           nfield, nscalar, nparam, ntable, ninject, nrecord, noutput;
  ik_field     *field;
  ik_scalar    *scalar;
  ik_param     *param;
  ik_samples   *table;
  ik_inject    *inject;
  ik_record    *record;
  ik_output    *output;
  ik_stmt      *init; /* once, before */
  ik_stmt      *body;
} ik_ir;

/* Every rule above that can be checked; a failure is a bug of whoever made the IR (the message says
 * which rule), or a fault of a text that was read back. */
ik_status ik_ir_verify(const ik_ir *ir, ik_diag *d);

/* The text form.  Printing, reading and printing again gives the same text. */
void      ik_ir_print(const ik_ir *ir, ik_buf *out);
void      ik_ir_print_expr(const ik_ir *ir, const ik_expr *e, ik_buf *out);
ik_status ik_ir_read(const ik_source *src, ik_arena *a, ik_diag *d, ik_ir **out);

int         ik_type_bytes(ik_type t); /* bool: 1 */
const char *ik_type_name(ik_type t);
int         ik_type_find(const char *name); /* -1 if there is none */
bool        ik_type_is_float(ik_type t);
const char *ik_op_name(ik_op op);
int         ik_op_nargs(ik_op op);
int         ik_op_flops(ik_op op);
const char *ik_bc_name(ik_bc_kind k);

/* Rounds a value to what the type can hold: the only rounding there is. */
double ik_type_round(ik_type t, double v);

static inline int64_t ik_box_cells(const ik_box *b) {
  int64_t n = 1;
  for (int d = 0; d < IK_MAX_DIM; d++) n *= b->hi[d] > b->lo[d] ? b->hi[d] - b->lo[d] : 0;
  return n;
}

/* The smallest box that has the cells of both. */
static inline ik_box ik_box_hull(const ik_box *a, const ik_box *b) {
  ik_box hull = *a;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    if (b->lo[d] < hull.lo[d]) hull.lo[d] = b->lo[d];
    if (b->hi[d] > hull.hi[d]) hull.hi[d] = b->hi[d];
  }
  return hull;
}

/* The parameter of that name, or NULL. */
const ik_param *ik_ir_param(const ik_ir *ir, const char *name);
/* Appends ", t = 0.4 s" after `t` steps, if the program has a time step. */
void ik_ir_time(const ik_ir *ir, int64_t t, const char *before, ik_buf *out);

static inline bool ik_stmt_is_loop(const ik_stmt *s) {
  return s->kind == IK_STEPS || s->kind == IK_REPEAT;
}

/* Calls `f` for every statement, outer before inner, in order (init first). */
void ik_ir_each_stmt(const ik_ir *ir, void (*f)(const ik_stmt *s, void *ctx), void *ctx);
/* The statements of a list up to `end` (NULL: all of them) as one of their own. */
ik_stmt *ik_stmt_copies(const ik_stmt *list, const ik_stmt *end, ik_arena *a);
/* Do the assignments of a list, inner ones included, give every cell of a box a value? */
bool ik_stmt_covers(const ik_stmt *list, int field, int level, ik_box b);
/* Calls `f` for every node of an expression, operands before their user. */
void ik_expr_each(const ik_expr *e, void (*f)(const ik_expr *e, void *ctx), void *ctx);
/* Is one of its nodes of that kind? */
bool ik_expr_has(const ik_expr *e, ik_op op);
