/* nero_trial.h: a program on a board of NERO, with the words of a plan. */
#pragma once
#include "check.h"
#include "random/trial.h"
#include <stdio.h>
#include <string.h>

/* False if the board refuses it; `t` is open, and says why. */
static inline bool nero_open(trial *t, const char *board, const char *override) {
  const ik_target *target;
  ik_problem       problem = {.ir = t->ir, .override = override};
  return !ik_target_find(board, &t->diag, &target) &&
         !target->open(&problem, &t->diag, &t->engine) &&
         !ik_state_create_in(t->ir, t->engine->layout, &t->diag, &t->state);
}

/* Appends the text with every `from` replaced by `to`. */
static inline void nero_replace(const char *text, const char *from, const char *to, ik_buf *out) {
  for (const char *at; (at = strstr(text, from)); text = at + strlen(from)) {
    ik_buf_write(out, text, (size_t)(at - text));
    ik_buf_puts(out, to);
  }
  ik_buf_puts(out, text);
}

/* A program of the source tree. */
static inline void nero_read(const char *folder, const char *name, ik_buf *out) {
  char path[96];
  snprintf(path, sizeof path, "%s/%s.ik", folder, name);
  FILE *f = fopen(check_data(path), "r");
  for (int c; f && (c = getc(f)) != EOF;) ik_buf_putc(out, (char)c);
  if (f) fclose(f);
}
