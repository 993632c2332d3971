#include "emit/tree.h"

void ik_tree_add(ik_arena *a, ik_tree *to, ik_tree *child) {
  IK_PUSH(a, to->child, to->nchild, to->cap, child);
}

static ik_tree *node(ik_arena *a, ik_tree_kind kind, const char *text, int n,
                     ik_tree *const child[]) {
  ik_tree *t = IK_NEW(a, ik_tree);
  t->kind = kind, t->text = text;
  t->child = IK_NEW_N(a, ik_tree *, n);
  t->nchild = t->cap = n;
  for (int i = 0; i < n; i++) t->child[i] = child[i];
  return t;
}

static ik_tree *typed(ik_arena *a, ik_tree_kind kind, const char *type, const char *text,
                      ik_tree *child) {
  ik_tree *t = node(a, kind, text, 1, &child);
  t->type = type;
  return t;
}

/* ---- expressions ---- */

ik_tree *ik_tree_name(ik_arena *a, const char *name) {
  return node(a, IK_TREE_NAME, name, 0, NULL);
}

ik_tree *ik_tree_int(ik_arena *a, int64_t v) {
  ik_tree *t = node(a, IK_TREE_INT, NULL, 0, NULL);
  t->whole = v;
  return t;
}

ik_tree *ik_tree_number(ik_arena *a, ik_type type, double v) {
  ik_tree *t = node(a, IK_TREE_NUMBER, NULL, 0, NULL);
  t->number = type, t->value = v;
  return t;
}

ik_tree *ik_tree_call(ik_arena *a, const char *function, int n, ...) {
  ik_tree *t = node(a, IK_TREE_CALL, function, 0, NULL);
  va_list  ap;
  va_start(ap, n);
  for (int i = 0; i < n; i++) ik_tree_add(a, t, va_arg(ap, ik_tree *));
  va_end(ap);
  return t;
}

ik_tree *ik_tree_index(ik_arena *a, ik_tree *of, ik_tree *at) {
  return node(a, IK_TREE_INDEX, NULL, 2, (ik_tree *[]){of, at});
}

ik_tree *ik_tree_member(ik_arena *a, ik_tree *of, const char *name) {
  return node(a, IK_TREE_MEMBER, name, 1, &of);
}

ik_tree *ik_tree_unary(ik_arena *a, const char *op, ik_tree *x) {
  return node(a, IK_TREE_UNARY, op, 1, &x);
}

ik_tree *ik_tree_binary(ik_arena *a, ik_tree *x, const char *op, ik_tree *y) {
  return node(a, IK_TREE_BINARY, op, 2, (ik_tree *[]){x, y});
}

ik_tree *ik_tree_choose(ik_arena *a, ik_tree *c, ik_tree *x, ik_tree *y) {
  return node(a, IK_TREE_CHOOSE, NULL, 3, (ik_tree *[]){c, x, y});
}

ik_tree *ik_tree_cast(ik_arena *a, const char *type, ik_tree *x) {
  return typed(a, IK_TREE_CAST, type, NULL, x);
}

ik_tree *ik_tree_plus(ik_arena *a, ik_tree *x, int64_t v) {
  if (v == 0) return x;
  if (v < 0 && v != INT64_MIN) return ik_tree_binary(a, x, "-", ik_tree_int(a, -v));
  return ik_tree_binary(a, x, "+", ik_tree_int(a, v));
}

/* ---- statements ---- */

ik_tree *ik_tree_block(ik_arena *a) { return node(a, IK_TREE_BLOCK, NULL, 0, NULL); }

ik_tree *ik_tree_function(ik_arena *a, const char *type, const char *name, ik_tree *body) {
  return typed(a, IK_TREE_FUNCTION, type, name, body);
}

ik_tree *ik_tree_for(ik_arena *a, ik_tree *first, ik_tree *cond, ik_tree *next, ik_tree *body) {
  return node(a, IK_TREE_FOR, NULL, 4, (ik_tree *[]){first, cond, next, body});
}

ik_tree *ik_tree_if(ik_arena *a, ik_tree *cond, ik_tree *yes, ik_tree *no) {
  return node(a, IK_TREE_IF, NULL, 3, (ik_tree *[]){cond, yes, no});
}

ik_tree *ik_tree_declare(ik_arena *a, const char *type, const char *name, ik_tree *value) {
  return typed(a, IK_TREE_DECLARE, type, name, value);
}

ik_tree *ik_tree_assign(ik_arena *a, ik_tree *to, const char *op, ik_tree *value) {
  return node(a, IK_TREE_ASSIGN, op, 2, (ik_tree *[]){to, value});
}

ik_tree *ik_tree_do(ik_arena *a, ik_tree *e) { return node(a, IK_TREE_DO, NULL, 1, &e); }

ik_tree *ik_tree_comment(ik_arena *a, const char *text) {
  return node(a, IK_TREE_COMMENT, text, 0, NULL);
}

ik_tree *ik_tree_line(ik_arena *a, const char *text) {
  return node(a, IK_TREE_LINE, text, 0, NULL);
}

ik_tree *ik_tree_blank(ik_arena *a) { return node(a, IK_TREE_BLANK, NULL, 0, NULL); }
