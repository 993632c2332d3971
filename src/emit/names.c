#include "emit/names.h"
#include "base/hash.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Keywords, types and the macros in small letters that headers may define. */
static const char *const words_of_c[] = {
    "asm",     "assert",   "auto",     "bool",     "break",    "case",     "char",     "complex",
    "const",   "continue", "default",  "do",       "double",   "else",     "enum",     "errno",
    "extern",  "false",    "float",    "for",      "goto",     "if",       "inline",   "int",
    "linux",   "long",     "register", "restrict", "return",   "short",    "signed",   "sizeof",
    "static",  "stderr",   "stdin",    "stdout",   "struct",   "switch",   "true",     "typedef",
    "typeof",  "union",    "unix",     "unsigned", "void",     "volatile", "while",    "int8_t",
    "int16_t", "int32_t",  "int64_t",  "uint8_t",  "uint16_t", "uint32_t", "uint64_t", "size_t",
    NULL};

static const char **find(const ik_names *s, const char *name) {
  uint64_t mask = (uint64_t)s->nslot - 1;
  for (uint64_t i = ik_hash(IK_HASH_INIT, name, strlen(name)) & mask;; i = (i + 1) & mask)
    if (!s->slot[i] || strcmp(s->slot[i], name) == 0) return &s->slot[i];
}

static void widen(ik_names *s) {
  ik_names old = *s;
  s->nslot = old.nslot ? 2 * old.nslot : 256;
  s->slot = IK_NEW_N(s->a, const char *, s->nslot);
  for (int i = 0; i < old.nslot; i++)
    if (old.slot[i]) *find(s, old.slot[i]) = old.slot[i];
}

static bool take(ik_names *s, const char *name) {
  if (2 * s->n >= s->nslot) widen(s);
  const char **at = find(s, name);
  if (*at) return false;
  *at = name, s->n++;
  return true;
}

void ik_names_init(ik_names *s, ik_arena *a, const char *const *reserved) {
  *s = (ik_names){.a = a};
  for (const char *const *w = words_of_c; *w; w++) take(s, *w);
  for (; *reserved; reserved++) take(s, *reserved);
}

/* Macros and names of ours begin with ik_, those of C are in capitals or begin with '_'. */
static const char *clean(ik_arena *a, const char *wanted) {
  bool  small = false, ours = strncmp(wanted, "ik_", 3) == 0;
  char *s =
      ik_arena_printf(a, "%s%s", ours || !isalpha((unsigned char)*wanted) ? "a_" : "", wanted);
  for (char *c = s; *c; c++) {
    if (!isalnum((unsigned char)*c)) *c = '_';
    small |= islower((unsigned char)*c) != 0;
  }
  return small ? s : ik_arena_printf(a, "%s_", s);
}

const char *ik_names_add(ik_names *s, const char *wanted) {
  const char *name = clean(s->a, wanted), *unique = name;
  for (int k = 2; !take(s, unique); k++) unique = ik_arena_printf(s->a, "%s_%d", name, k);
  return unique;
}
