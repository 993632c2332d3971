/* wse2_open.h: from the text of a program to its place on the wafer. */
#pragma once
#include "lang/lang.h"
#include "targets/simulated/wse2/memory.h"
#include <stdlib.h>
#include <string.h>

typedef struct opened {
  ik_arena        arena;
  ik_diag         diag;
  ik_source       src;
  ik_ir          *ir;
  ik_wse2_timing  timing;
  ik_wse2_mapping map;
  bool            mapped; /* otherwise `diag` says why not */
} opened;

static inline void open_text(opened *o, const char *text) {
  ik_program_ast   program;
  ik_machine      *machine;
  ik_lower_options options = {.steps = -1, .name = "test"};
  memset(o, 0, sizeof *o);
  ik_arena_init(&o->arena);
  if (setjmp(o->arena.oom)) abort();
  o->src = (ik_source){"test.ik", text, strlen(text)};
  if (ik_lang_parse(&o->src, &o->arena, &o->diag, &program) ||
      ik_lang_lower(&program, &options, &o->arena, &o->diag, &o->ir) ||
      ik_machine_find("wse2", &o->arena, &o->diag, &machine) ||
      ik_wse2_timing_of(machine, &o->diag, &o->timing))
    return;
  o->mapped = !ik_wse2_map_of(o->ir, &o->timing, &o->arena, &o->diag, &o->map);
}

static inline void close_text(opened *o) {
  ik_diag_free(&o->diag);
  ik_arena_free(&o->arena);
}

/* What is said against it. */
static inline bool is_refused_with(const opened *o, const char *part) {
  for (int i = 0; i < o->diag.nmsg; i++)
    if (strstr(ik_buf_text(&o->diag.msg[i].text), part)) return !o->mapped;
  return false;
}
