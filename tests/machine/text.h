/* text.h: a machine from a text, for tests. */
#pragma once
#include "check.h"
#include "machine/machine.h"

typedef struct reading {
  ik_arena    arena;
  ik_source   source;
  ik_diag     diag;
  ik_machine *machine; /* NULL if the text is wrong */
} reading;

static inline ik_status read_bytes(reading *r, const char *text, size_t len) {
  *r = (reading){.source = {"test.ikm", text, len}};
  ik_arena_init(&r->arena);
  if (setjmp(r->arena.oom)) return IK_ERR_RESOURCE;
  return ik_machine_read("test", &r->source, &r->arena, &r->diag, &r->machine);
}

static inline ik_status read_text(reading *r, const char *text) {
  return read_bytes(r, text, strlen(text));
}

static inline void end_reading(reading *r) {
  ik_arena_free(&r->arena);
  ik_diag_free(&r->diag);
}

/* NAN if there is no such figure, or in another unit. */
static inline double number(const ik_machine *m, const char *key, const char *unit) {
  double v;
  return ik_machine_number(m, key, unit, &v) ? v : NAN;
}
