/* lang.h: source text in, IR out. */
#pragma once
#include "ir/ir.h"
#include "lang/ast.h"

typedef struct ik_override { /* name=value from outside: a parameter or the extent of an axis */
  const char      *name;
  const ik_source *text;  /* the value, with units if it has any */
  ik_span          place; /* of the name, for messages */
} ik_override;

/* Of a loop, whoever says how many: sums of them and of what is done between them still count. */
#define IK_MOST_STEPS INT64_C(1000000000000)

typedef struct ik_lower_options {
  const ik_override *override;
  int                noverride;
  int64_t            steps; /* replaces the count of the program's step; -1: as written */
  const char        *name;  /* of the program, for titles */
} ik_lower_options;

/* Gives the program its meaning.  Reports as many errors as it can; IK_ERR_SOURCE if there is any.
 * `*out` lives in `a` and passes ik_ir_verify(). */
ik_status ik_lang_lower(const ik_program_ast *p, const ik_lower_options *opt, ik_arena *a,
                        ik_diag *d, ik_ir **out);
