/* facts.h: everything that models, planners and people ask of a program, derived from its IR alone:
 * no machine, no tile, no thread is known here.
 *
 * Each fact has its own header; this is their sum.  What the facts are about (the time step, and
 * the cell in its middle) is told in subject.h.
 */
#pragma once
#include "base/json.h"
#include "facts/bytes.h"
#include "facts/cfl.h"
#include "facts/depend.h"
#include "facts/extents.h"
#include "facts/flops.h"
#include "facts/fuse.h"
#include "facts/linear.h"
#include "facts/memory.h"
#include "facts/pattern.h"
#include "facts/stability.h"
#include "facts/subject.h"

typedef struct ik_facts {
  ik_subject   subject;
  ik_patterns  pattern;
  ik_fused     fused;
  ik_flops     flops;
  ik_bytes     bytes;
  double       intensity; /* I = C/M in operations per byte; 0 if nothing is moved */
  ik_linear    linear;    /* weights with those leaves frozen that are known: see ik_facts_known */
  ik_extents   extents;
  ik_depend    depend;
  ik_stability stability;
  double       cfl; /* ik_cfl_of of the field shown; NaN where it does not apply */
  ik_memory    memory;
} ik_facts;

/* All facts about a verified program.  `flops_written` are the operations per cell as the user
 * wrote them, which only the caller knows; -1 if it does not.  The result lives in `a`, `ir` is
 * only read. Fails with E027 if the state is larger than can be addressed. */
ik_status ik_facts_of(const ik_ir *ir, int64_t flops_written, ik_arena *a, ik_diag *d,
                      ik_facts *out);

/* An ik_frozen (its ctx is the const ik_ir *): a field or scalar that the program gives one
 * constant value and never another has that value, a hidden field is zero (as outside its layer),
 * all else is not known. */
double ik_facts_known(void *ir, const ik_expr *leaf);

/* A table for people, and the members of a JSON object. */
void ik_facts_print(const ik_ir *ir, const ik_facts *f, ik_buf *out);
void ik_facts_json(const ik_ir *ir, const ik_facts *f, ik_json *out);
