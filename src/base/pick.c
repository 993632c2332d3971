#include "base/pick.h"
#include "base/embed.h"
#include <ctype.h>
#include <string.h>

static bool is_of_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static size_t word_length(const char *s) {
  size_t n = 0;
  while (is_of_word(s[n])) n++;
  return n;
}

static const char *after_comment(const char *s) {
  const char *end = strstr(s, "*/");
  return end ? end + 2 : s + strlen(s);
}

bool ik_pick_has(const char *code, const char *word) {
  size_t len = strlen(word);
  for (const char *s = code; *s;) {
    size_t n = word_length(s);
    if (n == len && memcmp(s, word, n) == 0) return true;
    s = n ? s + n : strncmp(s, "/*", 2) == 0 ? after_comment(s) : s + 1;
  }
  return false;
}

static const char *next_line(const char *s) {
  s += strcspn(s, "\n");
  return *s ? s + 1 : s;
}

typedef struct word {
  const char *at;
  int         len;
} word;

/* The word that a line at the margin defines: the one before the first ( [ = or ;, or the one after
 * #define.  Empty if it defines none. */
static word defined_by(const char *line) {
  static const char define[] = "#define ";
  if (strncmp(line, define, sizeof define - 1) == 0) {
    const char *name = line + sizeof define - 1;
    return (word){name, (int)word_length(name)};
  }
  const char *end = line + strcspn(line, "([=;\n");
  bool        margin = isalpha((unsigned char)*line) || *line == '}';
  if (!margin || *end == '\n' || !*end) return (word){"", 0};
  while (end > line && end[-1] == ' ') end--;
  const char *from = end;
  while (from > line && is_of_word(from[-1])) from--;
  return (word){from, (int)(end - from)};
}

bool ik_pick_defines(const char *source, const char *name) {
  size_t len = strlen(name);
  for (const char *line = source; *line; line = next_line(line)) {
    word w = defined_by(line);
    if ((size_t)w.len == len && memcmp(w.at, name, len) == 0) return true;
  }
  return false;
}

static bool is_needed(const char *part, const char *code, const char *taken, ik_arena *a) {
  for (const char *line = part; *line; line = next_line(line)) {
    word        w = defined_by(line);
    const char *name = ik_arena_dup(a, w.at, (size_t)w.len);
    if (w.len && (ik_pick_has(code, name) || ik_pick_has(taken, name))) return true;
  }
  return false;
}

/* Before the others, with `static` before functions that have none. */
static const char *put_before(const char *part, const char *taken, ik_arena *a) {
  const char *text = "";
  for (const char *line = part; *line; line = next_line(line)) {
    int  n = (int)(next_line(line) - line);
    bool open = *line != '}' && defined_by(line).len && strcspn(line, "(") < strcspn(line, "=;\n");
    bool told = *line == '#' || !strncmp(line, "static ", 7) || !strncmp(line, "typedef ", 8);
    text = ik_arena_printf(a, "%s%s%.*s", text, open && !told ? "static " : "", n, line);
  }
  return ik_arena_printf(a, "%s%s", text, taken);
}

const char *ik_pick(const char *source, const char *code, ik_arena *a) {
  const char *taken = "", *end = source + strlen(source);
  while (end > source) {
    const char *from = end - 1;
    while (from > source && strncmp(from - 1, "\n\n", 2) != 0) from--;
    const char *part = ik_arena_dup(a, from, (size_t)(end - from));
    size_t      len = strlen(part);
    while (len && part[len - 1] == '\n') len--;
    part = ik_arena_printf(a, "%.*s\n", (int)len, part);
    if (is_needed(part, code, taken, a)) taken = put_before(part, taken, a);
    end = from;
  }
  return taken;
}

const char *ik_pick_files(const char *const *name, int n, const char *code, ik_arena *a) {
  const char *parts = "";
  for (int i = n - 1; i >= 0; i--) {
    const char *needing = ik_arena_printf(a, "%s%s", parts, code);
    parts = ik_arena_printf(a, "%s%s", ik_pick(ik_embed_find(name[i])->data, needing, a), parts);
  }
  return parts;
}
