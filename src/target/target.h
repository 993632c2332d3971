/* target.h: something that can run a program.  The rest of ikat meets targets only through this
 * struct; a new one is a folder, a line in list.h and a line in the docs. */
#pragma once
#include "runtime/engine.h"

typedef struct ik_target {
  const char        *name;
  const char        *help; /* one line */
  bool               simulated;
  bool               reference;  /* what the others are held against; there is one */
  const char *const *strategies; /* names, NULL at the end; the first is the default */
  /* Are hardware and toolchain here?  `why` gets a line when not. */
  bool (*probe)(ik_buf *why);
  /* Bytes that an engine takes besides the state; asked before anything is allocated. */
  int64_t (*bytes)(const ik_ir *ir);
  /* An engine for this program on this state; IK_ERR_UNSUPPORTED with the reason if it cannot. */
  ik_status (*create)(const ik_ir *ir, ik_state *s, ik_diag *d, ik_engine **out);
} ik_target;

/* In order of preference, NULL at the end. */
extern const ik_target *const ik_targets[];

/* The one that defines what a program means. */
const ik_target *ik_target_reference(void);

/* E082 unless the target has that strategy; NULL is its default. */
ik_status ik_target_strategy(const ik_target *t, const char *name, ik_diag *d, const char **out);

/* The target of that name, or the first that is here (NULL); E082 if there is none. */
ik_status ik_target_find(const char *name, ik_diag *d, const ik_target **out);
