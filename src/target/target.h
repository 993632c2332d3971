/* target.h: something that can run a program.  The rest of ikat meets targets only through this
 * struct; a new one is a folder, a line in list.h and a line in the docs. */
#pragma once
#include "runtime/engine.h"

typedef struct ik_target {
  const char *name;
  const char *help; /* one line */
  bool        simulated;
  /* Are hardware and toolchain here?  `why` gets a line when not. */
  bool (*probe)(ik_buf *why);
  /* Bytes that an engine takes besides the state; asked before anything is allocated. */
  int64_t (*bytes)(const ik_ir *ir);
  /* An engine for this program on this state; IK_ERR_UNSUPPORTED with the reason if it cannot. */
  ik_status (*create)(const ik_ir *ir, ik_state *s, ik_diag *d, ik_engine **out);
} ik_target;

/* In order of preference, NULL at the end. */
extern const ik_target *const ik_targets[];

/* The target of that name, or the first that is here (NULL); E082 if there is none. */
ik_status ik_target_find(const char *name, ik_diag *d, const ik_target **out);
