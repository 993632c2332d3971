/* reuse.c: what neighbours along a row compute alike.
 *
 * The flux through a cell's left side is the flux through the right side of the cell before.  Where
 * a result computes the one and its neighbours compute the other, the first is made of two vectors
 * of those by a shift, however many operations it has.  Of these the one on the left may belong to
 * the block before, which leaves it.  Both are the same operations on the same numbers: no bit
 * depends on it. */
#include "emit/expr.h"
#include <string.h>

enum { MOVED = IK_LEFT + 1, NONE = -1 };

typedef struct member { /* a value, one of those that are alike */
  int kind;             /* what it is, wherever it is along the row; NONE: it is like no other */
  int lane;             /* where it is */
  int length;           /* operations; what it needs twice is counted twice */
  int next;             /* of its kind */
} member;

typedef struct taker { /* a value that is made of two others */
  int  lo, hi;         /* values; hi is NONE: it is not such a one */
  int  lanes;          /* of lo that are left out */
  bool left;           /* lo is that of the block before */
} taker;

typedef struct sharer {
  ik_block *b;
  ik_block  kinds;             /* kinds and their places, as values: each once */
  member   *of;                /* [n] */
  taker    *from;              /* [n] */
  int       nplace, *at_place; /* which value is at a place; NONE */
  int      *first;             /* [nplace] of a kind */
  bool     *live;              /* [n] whole blocks need it */
  bool     *apart;             /* [n] so do single vectors, or blocks that nothing is left for */
  bool      any;
} sharer;

/* ---- kinds ---- */

static int place_of(sharer *s, int kind, int lane) {
  ik_what w = {.op = MOVED, .arg = {kind, -1, -1, -1}};
  w.at[IK_LANE] = lane;
  return ik_block_add(&s->kinds, &w, 0);
}

/* Reads of what is stored meanwhile stay where they are, unless it is stored in rows ahead. */
static bool stays(const ik_block *b, const ik_what *w) {
  int input = b->port[w->id].input;
  if (b->kernel->input[input].rows) return false;
  return ik_block_overwrites(b->pass, b->kernel, input);
}

static bool varies(const sharer *s, int value) {
  return value >= 0 && s->b->value[value].where == IK_PER_CELL;
}

/* The operands of a kind: places of others from its own, or values that all of a row share. */
static bool gather(sharer *s, ik_what *w, member *m) {
  bool placed = false;
  for (int k = 0; k < 4 && !placed; k++)
    if (varies(s, w->arg[k])) m->lane = s->of[w->arg[k]].lane, placed = true;
  m->length = 1;
  for (int k = 0; k < 4; k++) {
    if (w->arg[k] < 0) continue;
    const member *arg = &s->of[w->arg[k]];
    bool          moves = varies(s, w->arg[k]);
    if (moves && arg->kind == NONE) return false;
    w->arg[k] = moves ? place_of(s, arg->kind, arg->lane - m->lane) : -2 - w->arg[k];
    m->length += arg->length;
  }
  return placed;
}

/* A read is one, be it taken from two vectors. */
static bool settle(sharer *s, ik_what *w, member *m) {
  if (w->op == IK_OP_READ && stays(s->b, w)) return false;
  m->lane = w->at[IK_LANE], w->at[IK_LANE] = 0;
  w->arg[0] = w->arg[1] = -1;
  return true;
}

static void classify(sharer *s, int i) {
  ik_what w = s->b->value[i].what;
  member *m = &s->of[i];
  m->kind = m->next = NONE;
  if (!varies(s, i) || w.op >= IK_NOPS || w.op == IK_OP_NOISE) return;
  bool leaf = w.op == IK_OP_READ || w.arg[0] < 0;
  if (leaf ? settle(s, &w, m) : gather(s, &w, m)) m->kind = ik_block_add(&s->kinds, &w, 0);
}

static int *none(ik_arena *a, int n) {
  int *list = IK_NEW_N(a, int, n);
  for (int i = 0; i < n; i++) list[i] = NONE;
  return list;
}

static void find_kinds(sharer *s) {
  int n = s->b->n, *place = none(s->b->a, n);
  for (int i = 0; i < n; i++) classify(s, i);
  for (int i = 0; i < n; i++)
    if (s->of[i].kind != NONE) place[i] = place_of(s, s->of[i].kind, s->of[i].lane);
  s->nplace = s->kinds.n;
  s->at_place = none(s->b->a, s->nplace), s->first = none(s->b->a, s->nplace);
  for (int i = n - 1; i >= 0; i--) {
    if (place[i] == NONE) continue;
    s->at_place[place[i]] = i;
    s->of[i].next = s->first[s->of[i].kind];
    s->first[s->of[i].kind] = i;
  }
}

/* ---- what is needed ---- */

static void mark_live(const sharer *s, int i) {
  const taker *t = &s->from[i];
  const int   *arg = s->b->value[i].what.arg;
  if (s->live[i]) return;
  s->live[i] = true;
  if (t->hi != NONE) mark_live(s, t->lo), mark_live(s, t->hi);
  for (int k = 0; k < 4 && t->hi == NONE; k++)
    if (arg[k] >= 0) mark_live(s, arg[k]);
}

static void mark_apart(const sharer *s, int i) {
  const int *arg = s->b->value[i].what.arg;
  if (s->apart[i]) return;
  s->apart[i] = true;
  for (int k = 0; k < 4; k++)
    if (arg[k] >= 0) mark_apart(s, arg[k]);
}

static void find_live(const sharer *s) {
  memset(s->live, 0, (size_t)s->b->n * sizeof *s->live);
  for (int i = 0; i < s->b->n; i++)
    if (s->b->value[i].what.op == IK_STORE) mark_live(s, i);
}

/* The first result of each plane, and what blocks take from those before. */
static void find_apart(const sharer *s) {
  int each = s->b->size.rows * s->b->size.vectors;
  for (int i = 0; i < s->b->n; i++) {
    const ik_block_value *v = &s->b->value[i];
    if (s->from[i].left || (v->what.op == IK_STORE && v->result % each == 0)) mark_apart(s, i);
  }
}

/* ---- who takes from whom ---- */

/* One that is computed, NONE if there is none. */
static int find(sharer *s, int kind, int lane) {
  int p = place_of(s, kind, lane), i = p < s->nplace ? s->at_place[p] : NONE;
  return i != NONE && s->live[i] ? i : NONE;
}

/* Made of two of its kind that begin at multiples of the vector length and `phase`. */
static bool takes(sharer *s, int i, int phase, taker *out) {
  int lanes = s->b->shape->lanes, width = s->b->size.vectors * lanes, kind = s->of[i].kind;
  int behind = ik_lanes_behind(s->of[i].lane - phase, lanes), lane = s->of[i].lane - behind;
  if (behind == 0 || !s->live[i]) return false;
  taker t = {find(s, kind, lane), find(s, kind, lane + lanes), behind, false};
  if (t.lo == NONE && s->b->size.in_turn) t.lo = find(s, kind, lane + width), t.left = true;
  if (t.lo == NONE || t.hi == NONE) return false;
  *out = t;
  return true;
}

static int count_takers(sharer *s, int kind, int phase) {
  taker t;
  int   n = 0;
  for (int i = s->first[kind]; i != NONE; i = s->of[i].next) n += takes(s, i, phase, &t);
  return n;
}

/* The phase of those that most of the others can be made of. */
static void share_kind(sharer *s, int kind) {
  int best = 0, most = 0;
  for (int i = s->first[kind]; i != NONE; i = s->of[i].next) {
    int n = count_takers(s, kind, s->of[i].lane);
    if (n > most) most = n, best = s->of[i].lane;
  }
  if (!most) return;
  for (int i = s->first[kind]; i != NONE; i = s->of[i].next) takes(s, i, best, &s->from[i]);
  find_live(s);
  s->any = true;
}

/* One of each kind is asked.  Most kinds are there once for a vector. */
static bool is_worth(const sharer *s, int i) {
  bool phases = false;
  if (s->of[i].kind == NONE || s->first[s->of[i].kind] != i) return false;
  if (s->of[i].length < s->b->shape->reused_from || s->b->value[i].what.type == IK_BOOL)
    return false;
  for (int k = i; k != NONE && !phases; k = s->of[k].next)
    phases = (s->of[k].lane - s->of[i].lane) % s->b->shape->lanes != 0;
  return phases;
}

/* ---- the list anew ---- */

typedef struct lister {
  const sharer         *s;
  const ik_block_value *old;
  int                  *where; /* [n] */
} lister;

static int list(const lister *l, int i);

static int list_computed(const lister *l, int i) {
  ik_what w = l->old[i].what;
  for (int k = 0; k < 4; k++)
    if (w.arg[k] >= 0) w.arg[k] = list(l, w.arg[k]);
  return ik_block_add(l->s->b, &w, l->old[i].result);
}

/* It is known what the block leaves when all values are listed. */
static int list_left(const lister *l, int i) {
  ik_block *b = l->s->b;
  ik_what   w = {.op = IK_LEFT, .type = l->old[i].what.type, .arg = {-1, -1, -1, -1}, .id = i};
  return ik_block_add(b, &w, l->old[i].result);
}

static int list_taken(const lister *l, int i) {
  const taker *t = &l->s->from[i];
  ik_what      w = {.op = IK_SHIFTED, .type = l->old[i].what.type, .id = t->lanes};
  w.arg[0] = t->left ? list_left(l, i) : list(l, t->lo), w.arg[1] = list(l, t->hi);
  w.arg[2] = l->s->apart[i] ? list_computed(l, i) : -1, w.arg[3] = -1;
  return ik_block_add(l->s->b, &w, l->old[i].result);
}

static int list(const lister *l, int i) {
  if (l->where[i] != NONE) return l->where[i];
  l->where[i] = l->s->from[i].hi == NONE ? list_computed(l, i) : list_taken(l, i);
  l->s->b->value[l->where[i]].name = l->old[i].name;
  return l->where[i];
}

static void list_all(const sharer *s) {
  ik_block *b = s->b;
  int       n = b->n;
  lister    l = {s, b->value, none(b->a, n)};
  ik_block_clear(b);
  for (int i = 0; i < n; i++)
    if (s->live[i] || s->apart[i]) list(&l, i);
  for (int i = 0; i < b->n; i++) {
    const ik_what *w = &b->value[i].what;
    if (w->op != IK_SHIFTED || b->value[w->arg[0]].what.op != IK_LEFT) continue;
    const taker  *t = &s->from[b->value[w->arg[0]].what.id];
    ik_block_left left = {.taken = i, .by = l.where[t->lo]};
    IK_PUSH(b->a, b->left.of, b->left.n, b->left.cap, left);
  }
}

/* Those with the most operations come last, and first here: what they are made of may be for
 * nothing then. */
void ik_block_reuse(ik_block *b) {
  if (b->shape->lanes == 1 || (b->size.vectors == 1 && !b->size.in_turn)) return;
  sharer s = {.b = b, .kinds = *b};
  ik_block_clear(&s.kinds);
  s.of = IK_NEW_N(b->a, member, b->n), s.from = IK_NEW_N(b->a, taker, b->n);
  s.live = IK_NEW_N(b->a, bool, b->n), s.apart = IK_NEW_N(b->a, bool, b->n);
  for (int i = 0; i < b->n; i++) s.from[i].hi = NONE;
  find_kinds(&s);
  find_live(&s);
  for (int i = b->n - 1; i >= 0; i--)
    if (is_worth(&s, i)) share_kind(&s, s.of[i].kind);
  if (!s.any) return;
  find_apart(&s);
  list_all(&s);
}
