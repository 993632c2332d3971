/* expr.h: what a kernel computes for a block of cells, as a list of named values.
 *
 * A block is planes by rows by vectors of results, the first of them at (x, y, z).  Equal values
 * are computed once: a vector that several results read is loaded once, and so is a sum that two
 * rows share.  Operations stand in the order in which the rows that they read arrive, so that a
 * loaded vector serves all results at once and then is done with; and within that, one operation of
 * each result after the other, so that the results are chains which do not wait for each other.
 * Operands, and what is computed from what, are those of the IR: no bit depends on this.
 *
 * A value belongs to the outermost loop it can stand in.  How things are called is for a table to
 * say: there is one for each language of kernels.
 */
#pragma once
#include "emit/names.h"
#include "emit/shape.h"
#include "emit/tree.h"

typedef struct ik_load_words {
  const char *whole, *part; /* (&element), (&element, n) */
  const char *if_inside;    /* (condition, &element, number): that in all lanes if it fails */
  const char *low, *high;   /* (vector, i, number): that in lanes whose index, i being that of the
                               first, is below 0, or is not */
  const char *shift;        /* (vector, next, lanes): read so many lanes on */
} ik_load_words;

typedef struct ik_store_words {
  const char *whole, *part; /* (&element, value), (&element, value, n) */
  const char *streaming;    /* (&element, value): past the caches, where `streams` holds ... */
  const char *rest;         /* (&element, value, n, streaming): ... if that holds and n is all */
  /* (&element, value, skip, n): lanes from skip to n; (..., streaming, remainder): of the line that
   * `remainder` has the rest of, unless that is NULL */
  const char *middle, *middle_streaming;
} ik_store_words;

typedef struct ik_prefetch_words { /* (&element): */
  const char *load, *store;        /* it will be read, or stored to */
  const char *near;                /* it will be read so soon that the first cache has it yet */
} ik_prefetch_words;

typedef struct ik_given_words { /* what the function around it provides */
  const char *x, *y, *z, *step, *part, *skip, *stream_rest, *last, *streams, *scalars, *rt,
      *weights;
} ik_given_words;

typedef struct ik_words {
  const char       *type[IK_NTYPES];    /* of a value: "ik_f32" */
  const char       *element[IK_NTYPES]; /* of an array: "float" */
  const char       *suffix[IK_NTYPES];  /* of every function on values: "_f32" */
  const char       *op[IK_NOPS];        /* "ik_fma" */
  const char       *choose[IK_NOPS];    /* a comparison and a choice in one: "ik_select_lt" */
  bool              runtime[IK_NOPS];   /* takes `rt` first */
  const char       *set, *index; /* (number) in all lanes; (whole) and one more in each lane */
  const char       *weight;      /* (weights[k]) in all lanes */
  const char       *lane;        /* (value, k) */
  const char       *noise;       /* (rt, seed, x, y, z) */
  ik_load_words     load;
  ik_store_words    store;
  ik_prefetch_words prefetch;
  ik_given_words    given;
} ik_words;

typedef enum ik_where { IK_PER_CALL, IK_PER_ROW, IK_PER_CELL } ik_where;

/* Beside the operations of a program. */
enum { IK_STORE = IK_NOPS };

/* What makes a value what it is.  No padding: compared and hashed as bytes. */
typedef struct ik_what {
  int op; /* an ik_op, or IK_STORE */
  int type;
  int compare; /* SELECT: the comparison of its first two of four operands; 0: a plain one */
  int arg[4];  /* values, -1 beyond their number; READ: none, or the two vectors it is taken from
                */
  int id; /* READ: port; CONST: 0, or 1 + its index in the array of weights; STORE: [output * planes
             + k]; COORD: role; SCALAR, TABLE: index; NOISE: periods to go back */
  int    at[IK_NROLES];   /* the cell, from the first of the block; 0 along what does not matter */
  int    off[IK_MAX_DIM]; /* NOISE: added by axis */
  double value;           /* CONST, NOISE */
} ik_what;
_Static_assert(sizeof(ik_what) == 14 * sizeof(int) + sizeof(double), "no padding");

typedef struct ik_block_value {
  ik_what     what;
  const char *name; /* NULL: a store */
  ik_where    where;
  int         result;  /* that asked for it first: index of its cell in the block */
  int         arrival; /* of the last row that it needs */
  int         place;   /* within that */
} ik_block_value;

typedef struct ik_block_plane { /* of an input, or of an output: pointers to it */
  const char *origin;           /* given: to cell (0, 0) */
  const char *at;               /* to the first cell of the block */
  const char *remainder;        /* output: to what its rows leave, or NULL */
} ik_block_plane;

typedef struct ik_block_port {
  int            input, dz;
  bool           used;
  ik_block_plane plane;
} ik_block_port;

typedef struct ik_block_table { /* hash table over what values are */
  int  n;
  int *at; /* 1 + index */
} ik_block_table;

typedef struct ik_block_weights { /* constants that are too many for registers: an array */
  int           n;
  const double *of;
} ik_block_weights;

typedef struct ik_block_size { /* results at a time */
  int planes, rows, vectors;
} ik_block_size;

typedef struct ik_block {
  const ik_ir           *ir;
  const ik_pass         *pass;
  const ik_pipe_kernel  *kernel;
  const ik_kernel_shape *shape; /* of the kernel */
  const ik_words        *words;
  ik_arena              *a;
  ik_names               names;
  ik_block_size          size;
  int                    nport;
  ik_block_port         *port;     /* those of `planes` results, in the order of the kernel's */
  ik_block_plane        *output;   /* [noutput * planes] */
  ik_block_plane        *prefetch; /* [planes that are prefetched of each] */
  int                    n, cap;
  ik_block_value        *value; /* operands before their users */
  ik_block_table         table;
  int                    norder;
  int                   *order; /* operations and stores of each cell, in the order they are done */
  ik_block_weights       weights;
} ik_block;

/* The kernel for that many results at a time. */
ik_block *ik_block_of(const ik_ir *ir, const ik_pass *pass, const ik_pipe_kernel *k,
                      ik_block_size size, const ik_words *w, ik_arena *a);

/* The value's index; it is added if there is none like it.  `result` is the cell that asks. */
int ik_block_add(ik_block *b, const ik_what *w, int result);

/* Lanes from the last multiple of the vector length. */
static inline int ik_lanes_behind(int lane, int lanes) { return (lane % lanes + lanes) % lanes; }

/* Reads as parts of whole vectors; ik_block_of() calls it where the kernel asks for that. */
void ik_block_shift(ik_block *b);

/* Fills in arrival, place and order; ik_block_of() calls it. */
void ik_block_schedule(ik_block *b);

/* May planes of this input be planes that the kernel writes? */
bool ik_block_overwrites(const ik_pass *pass, const ik_pipe_kernel *k, int input);

typedef struct ik_block_form { /* how a block is printed */
  int  rows, vectors;          /* the first so many of it */
  bool part;                   /* one vector that has words->part lanes, perhaps all */
  bool streaming;              /* stores go past the caches if words->streams holds */
} ik_block_form;

/* Appends the statements of one place for the results of a form. */
void ik_block_emit(const ik_block *b, ik_where where, ik_block_form f, ik_tree *into);
