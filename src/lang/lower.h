/* lower.h: gives a parsed program its meaning: names resolved, constants folded, operators
 * expanded, the order of arithmetic fixed, boxes and boundaries checked.
 *
 * The work is split over files that share the state below:
 *   lower.c    the order of things; overrides
 *   declare.c  grid, parameters, fields, boundaries, initial values
 *   node.c     nodes of expressions: types, conversions, constants
 *   express.c  expressions: names, units, shifts
 *   operator.c built-in functions and difference operators
 *   weights.c  patterns with weights
 *   chain.c    the order of arithmetic: a sum of products becomes one chain of fma
 *   stage.c    statements, regions, sweeps
 *   reads.c    boxes of temporaries; reads beyond faces
 *   absorb.c   absorbing layers
 *   path.c     names of files with parameters in them
 *   point.c    sources, receivers, outputs
 */
#pragma once
#include "ir/ir.h"
#include "lang/ast.h"
#include "lang/lang.h"

/* ---- expressions on their way into the IR ---- */

/* A node before its arithmetic is ordered.  Constants keep their exact value; a weak node (built
 * from numbers, parameters, coordinates and time alone) takes the type of what it meets. */
typedef struct ik_node {
  ik_expr        e; /* first: an ik_node is an ik_expr; operands are ik_node too */
  bool           weak;
  bool           cells;             /* has a value for each cell, not just one */
  bool           reads;             /* a field */
  int            reach[IK_MAX_DIM]; /* the last offset read, slowest axis deciding first */
  const ik_expr *done;              /* what chain.c made of it; NULL until then */
} ik_node;

typedef struct ik_quantity { /* what is known of a value's unit */
  ik_dim dim;
  bool   wild;  /* nothing: a field is involved */
  bool   plain; /* a bare number, which may stand beside any unit */
} ik_quantity;

typedef struct ik_value {
  ik_node    *node; /* NULL after an error, which has been reported */
  ik_quantity q;
} ik_value;

/* What a name stands for. */
typedef enum ik_amplification_kind {
  IK_SYM_PARAM,
  IK_SYM_FIELD,
  IK_SYM_SCALAR,
  IK_SYM_DEF,
  IK_SYM_WEIGHTS,
  IK_SYM_AXIS,
  IK_SYM_ARGUMENT,
} ik_amplification_kind;

typedef struct ik_weights {
  int n;
  int (*off)[IK_MAX_DIM];
  double *w;
} ik_weights;

typedef struct ik_amplification ik_amplification;
struct ik_amplification {
  ik_amplification_kind kind;
  const char           *name;
  ik_span               span;
  bool                  used;
  int                   id;      /* FIELD, SCALAR, AXIS */
  ik_value              value;   /* PARAM */
  const ik_item        *def;     /* DEF */
  ik_weights           *weights; /* WEIGHTS */
};

/* The arguments of a function being expanded, or the loose variables of a pattern. */
typedef struct ik_binding ik_binding;
struct ik_binding {
  const char   *name;
  const ik_ast *ast;      /* argument as written ... */
  bool          standard; /* ... by the definition: it sees nothing of the caller ... */
  ik_value      value;    /* ... or, when ast is NULL, a value */
  ik_binding   *next;
};

typedef struct ik_scope {                    /* where an expression stands */
  const ik_binding       *bindings;          /* of the innermost function */
  const struct ik_scope  *outer;             /* where its arguments were written */
  const ik_amplification *function;          /* the innermost function, or NULL */
  int                     shift[IK_MAX_DIM]; /* added to every offset below */
  bool                    constant;          /* only numbers and parameters may stand here */
  bool                    coordinates;       /* x, y, z and t have values here */
  bool                    fields;            /* fields and scalars have values here */
  bool                    reductions;        /* sum() and its like may stand here */
  bool                    in_step;           /* u' and u[t-1] have meaning */
  bool                    wavelets;          /* ricker() and its like may stand here */
} ik_scope;

/* Statements are collected in a list; reductions inside an expression go in front. */
typedef struct ik_list {
  ik_stmt *first, **last;
} ik_list;

typedef struct ik_layer { /* an absorbing layer of a field; the cells are in ik_field.absorb */
  const ik_item *asked;   /* the boundary that asks for it, or NULL */
  bool           sponge;
  double         strength; /* of the sponge */
  bool           made;     /* the hidden fields exist: the first step that needs them makes them */
  int            phi, axis[IK_MAX_DIM]; /* their ids; axis: eta, or the sponge's damping */
} ik_layer;

typedef struct ik_lower {
  ik_arena               *a;
  ik_diag                *d;
  const ik_lower_options *opt;
  ik_ir                  *ir;
  const ik_source        *source; /* the program's text; values from outside have others */
  const ik_item          *items;  /* all of it */
  ik_type            compute;     /* all floating arithmetic in this type; IK_NTYPES: by operands */
  bool               spacing_unit; /* the spacing was given as a length */
  ik_amplification **symbol;
  int nsymbol, capsymbol, capfield, capscalar, capparam, captable, capinject, caprecord, capoutput;
  int64_t  nodes;  /* made so far: a bound against programs that explode */
  int64_t  failed; /* expressions without a value: the same, for programs that are wrong */
  bool     exploded;
  ik_list *list;     /* where statements go now */
  ik_list *init;     /* statements that run once, before */
  int      nuser;    /* declared fields: they have the first ids */
  int64_t  depth;    /* of the expression being lowered */
  bool     has_step; /* the program has a step: only that one's flops count */
  /* while a body is lowered */
  const ik_item *grid;       /* the first one, or NULL */
  const char    *naming;     /* the new name that is being given a value, or NULL */
  const ik_item *step;       /* the step around, or NULL */
  const ik_item *sweep;      /* the sweep around, or NULL */
  ik_stmt       *sweep_stmt; /* and the statement made of it */
  bool          *is_new;     /* [nuser] u' has a value in this step */
  bool          *is_plain;   /* [nuser] assigned with = in this step */
  ik_layer      *layer;      /* [nuser] */
  double         frequency;  /* the highest that the wavelets of the source at hand have; 0: none */
} ik_lower;

/* lower.c */
ik_amplification *ik_lower_find(ik_lower *lo, const char *name);
ik_amplification *ik_lower_declare(ik_lower *lo, ik_amplification_kind kind, const char *name,
                                   ik_span at);
/* A name whose declaration is wrong, which has been said: what uses it has no value, silently. */
void ik_lower_poison(ik_lower *lo, const char *name, ik_span at);
bool ik_lower_is_poison(const ik_amplification *y);
/* "the axes are x, y" */
void ik_lower_help_axes(ik_lower *lo);
/* "unknown name", with the nearest known one. */
void ik_lower_unknown(ik_lower *lo, const char *name, ik_span at, const char *what);
/* Remedies that change a declaration: the history of a field, the axes it is on (all of them), a
 * parameter that becomes a scalar. */
void ik_lower_fix_history(ik_lower *lo, const char *field, int history);
void ik_lower_fix_axes(ik_lower *lo, const char *field);
void ik_lower_fix_scalar(ik_lower *lo, const char *param);
/* The field of that name, or NULL after saying what is wrong. */
ik_amplification *ik_lower_field_named(ik_lower *lo, const char *name, ik_span at);
int  ik_lower_scalar(ik_lower *lo, const char *name, ik_type t, bool hidden, ik_span at);
int  ik_lower_field(ik_lower *lo, const ik_field *f);
void ik_list_add(ik_list *l, ik_stmt *s);

/* declare.c */
/* The type of that name; false after saying that there is none. */
bool ik_declare_type(ik_lower *lo, const char *name, ik_span at, ik_type *out);
void ik_declare_language(ik_lower *lo, const ik_item *it);
void ik_declare_grid(ik_lower *lo, const ik_item *it);
void ik_declare_param(ik_lower *lo, const ik_item *it);
void ik_declare_field(ik_lower *lo, const ik_item *it);
void ik_declare_def(ik_lower *lo, const ik_item *it);
void ik_declare_boundary(ik_lower *lo, const ik_item *it);
void ik_declare_init(ik_lower *lo, const ik_item *it);
void ik_declare_field_init(ik_lower *lo, const ik_item *it);
void ik_declare_arithmetic(ik_lower *lo, const ik_item *it);

/* express.c */
ik_value ik_express(ik_lower *lo, const ik_ast *e, const ik_scope *s);
/* A finished expression of the given type (IK_NTYPES: as it comes); NULL after an error. */
const ik_expr *ik_express_as(ik_lower *lo, const ik_ast *e, const ik_scope *s, ik_type t);
const ik_expr *ik_express_finish(ik_lower *lo, ik_node *r, ik_type t);
bool           ik_express_constant(ik_lower *lo, const ik_ast *e, double *out, ik_quantity *q);
/* The same, where a scope binds names or has a message of its own. */
bool ik_express_constant_in(ik_lower *lo, const ik_ast *e, const ik_scope *s, double *out,
                            ik_quantity *q);
bool ik_express_integer(ik_lower *lo, const ik_ast *e, const char *what, int64_t lo_, int64_t hi,
                        int64_t *out);
bool ik_express_is_cells(const ik_expr *e); /* has a value for each cell, not just one */
extern const ik_scope ik_scope_constant;
/* The unit of two values that are added, compared or chosen from; E025 if they do not fit. */
ik_quantity ik_quantity_meet(ik_lower *lo, ik_quantity a, ik_quantity b, ik_span at);

/* node.c: builders.  Fold constants, find the type, insert conversions.  NULL operands give NULL.
 */
ik_node *ik_node_const(ik_lower *lo, double v, ik_span at);
ik_node *ik_node_read(ik_lower *lo, int field, int level, const int off[IK_MAX_DIM], ik_span at);
ik_node *ik_node_coord(ik_lower *lo, int axis, int shift, ik_span at);
ik_node *ik_node_leaf(ik_lower *lo, ik_op op, ik_type t, int id, ik_span at);
ik_node *ik_node_op1(ik_lower *lo, ik_op op, ik_node *a, ik_span at);
ik_node *ik_node_op2(ik_lower *lo, ik_op op, ik_node *a, ik_node *b, ik_span at);
ik_node *ik_node_select(ik_lower *lo, ik_node *c, ik_node *a, ik_node *b, ik_span at);
ik_node *ik_node_cast(ik_lower *lo, ik_type t, ik_node *a, ik_span at);
ik_node *ik_node_power(ik_lower *lo, ik_node *a, int64_t n, ik_span at);
static inline bool ik_node_is_const(const ik_node *r) { return r->e.op == IK_OP_CONST; }

/* operator.c */
enum { IK_MOST_PARAMETERS = 16 }; /* of a function */
ik_value    ik_operator_call(ik_lower *lo, const ik_ast *e, const ik_scope *s);
bool        ik_operator_is_known(const char *name);
int         ik_operator_count(void);
const char *ik_operator_name(int i);

/* weights.c */
void ik_weights_declare(ik_lower *lo, const ik_item *it);

/* chain.c */
typedef struct ik_term { /* coef * factor[0] * factor[1] * ... */
  double    coef;
  int       nfactor, cap;
  ik_node **factor; /* not constant */
} ik_term;
typedef struct ik_terms {
  int      n, cap;
  ik_term *term;
} ik_terms;
/* The terms of a sum, equal reads merged, zero terms dropped, in order of the text. */
void           ik_chain_terms(ik_lower *lo, ik_node *r, ik_terms *out);
ik_node       *ik_chain_sum(ik_lower *lo, const ik_terms *t, ik_type type, ik_span at);
const ik_expr *ik_chain_finish(ik_lower *lo, ik_node *r);
int            ik_chain_count(const ik_node *r); /* operations as written */

/* stage.c */
void     ik_stage_item(ik_lower *lo, const ik_item *it);
void     ik_stage_keep_others(ik_lower *lo);
void     ik_stage_forget(ik_lower *lo, int from); /* temporaries among the symbols from there on */
void     ik_stage_boxes(ik_lower *lo);            /* boxes of temporaries, then all reads checked */
ik_stmt *ik_stage_assign(ik_lower *lo, int field, int level, ik_box box, const ik_expr *value,
                         ik_span at);

/* Reduces a value for each cell of the grid to a hidden scalar, by a statement added to `list`. */
ik_node *ik_stage_reduce(ik_lower *lo, ik_list *list, ik_reduce op, ik_node *v, ik_span at);

/* reads.c */
void ik_reads_check(ik_lower *lo); /* boxes of temporaries, then all reads */

/* absorb.c */
bool ik_absorb_is_layer(const ik_ast *kind); /* absorbing(n) or sponge(n) */
void ik_absorb_declare(ik_lower *lo, const ik_item *it, const ik_ast *kind, int field, int axis,
                       int side);
void ik_absorb_update(ik_lower *lo, int field, ik_node *value, ik_span at);

/* path.c */
/* The name of a file with the values of the parameters that stand in braces; NULL with an error.
 * `at` is the string with its quotes. */
const char *ik_path(ik_lower *lo, const char *text, ik_span at);
const char *ik_path_of(ik_lower *lo, const ik_ast *string);

/* point.c */
void ik_point_source(ik_lower *lo, const ik_item *it);
void ik_point_receiver(ik_lower *lo, const ik_item *it);
void ik_point_output(ik_lower *lo, const ik_item *it);
