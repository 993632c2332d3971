/* What we ask of the engine: bench/goals, a line for each kind of machine, case and strategy. */
#include "base/embed.h"
#include "base/text.h"
#include "apps/bench/bench.h"
#include <stdio.h>
#include <string.h>

enum { WORD = 40 };

typedef struct entry {
  char   kind[WORD], suite[WORD], name[WORD], strategy[WORD];
  double must, aim;
} entry;

/* False: an empty line, or a comment. */
static bool read_entry(const char *at, entry *l) {
  char must[WORD], aim[WORD];
  if (sscanf(at, "%39s %39s %39s %39s %39s %39s", l->kind, l->suite, l->name, l->strategy, must,
             aim) != 6 ||
      *l->kind == '#')
    return false;
  l->must = ik_strtod(must, NULL), l->aim = ik_strtod(aim, NULL);
  return l->must > 0 && l->aim >= l->must;
}

static bool is_meant(const entry *l, const char *kind, const char *suite, const char *name,
                     const char *strategy) {
  return (!strcmp(l->kind, kind) || !strcmp(l->kind, "any")) && !strcmp(l->suite, suite) &&
         (!strcmp(l->name, name) || !strcmp(l->name, "*")) && !strcmp(l->strategy, strategy);
}

bool ik_bench_goal_find(const char *text, const char *kind, const char *suite, const char *name,
                        const char *strategy, ik_bench_goal *out) {
  char one[256];
  while (*text) {
    size_t len = strcspn(text, "\n");
    entry  l;
    snprintf(one, sizeof one, "%.*s", (int)len, text);
    if (read_entry(one, &l) && is_meant(&l, kind, suite, name, strategy)) {
      *out = (ik_bench_goal){l.must, l.aim};
      return true;
    }
    text += len + (text[len] == '\n');
  }
  return false;
}

/* Of a case its special strategy has a goal of its own; of the others the fastest with the bits of
 * the interpreter has one. */
bool ik_bench_goal_of(const ik_bench *b, const ik_bench_row *row, const ik_bench_line *line,
                      ik_bench_goal *out) {
  const ik_embedded   *e = ik_embed_find("bench/goals");
  const ik_bench_case *c = row->c;
  const char          *kind = b->limits.vector_bytes >= 32 ? "wide" : "narrow";
  bool                 special = c->special && !strcmp(line->strategy, c->special);
  if (!e || ik_bench_compared(row, line) <= 0) return false;
  if (!special && line != ik_bench_best(row, false)) return false;
  return ik_bench_goal_find(e->data, kind, b->suite->name, c->name,
                            special ? line->strategy : "same-bits", out);
}
