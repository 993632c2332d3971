/* info.c: what the library knows without a program: messages, targets, machines, templates.
 *
 * A text that was put together is handed to the caller until the same call is made again.  Such a
 * text is kept outside base/mem.h, one for each call and thread, and freed with the thread: whoever
 * counts blocks with ik_mem_live() sees none that the caller could have freed. */
#include "api/api.h"
#include "api/doctor.h"
#include "base/embed.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/text.h"
#include "machine/machine.h"
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- kept texts ---- */

typedef enum slot {
  KEEP_EXPLAIN,
  KEEP_DOCTOR,
  KEEP_TARGETS,
  KEEP_MACHINES,
  KEEP_MACHINE,
  NKEEP
} slot;

static _Thread_local char *kept[NKEEP];

static pthread_key_t  at_thread_end;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static bool           key_made;

static void drop_kept(void *texts) {
  for (int i = 0; i < NKEEP; i++) free(((char **)texts)[i]), ((char **)texts)[i] = NULL;
}

static void make_key(void) { key_made = pthread_key_create(&at_thread_end, drop_kept) == 0; }

/* A thread that ends after the library was unloaded must not call into it. */
__attribute__((destructor)) static void forget_key(void) {
  if (key_made) pthread_key_delete(at_thread_end);
}

/* Empties `b` into the slot; NULL when memory ran out since ik_mem_refused() was `before`. */
static const char *keep(slot s, ik_buf *b, long before) {
  const char *text = ik_answer(b, before);
  pthread_once(&key_once, make_key);
  free(kept[s]);
  kept[s] = text ? strdup(text) : NULL;
  ik_buf_free(b);
  if (key_made) pthread_setspecific(at_thread_end, kept);
  return kept[s];
}

/* ---- messages ---- */

/* "e012" is E012; -1 if there is no such code. */
static int find_code(const char *code) {
  char name[8] = {0};
  if (strlen(code) >= sizeof name) return -1;
  for (int i = 0; code[i]; i++) name[i] = (char)toupper((unsigned char)code[i]);
  return ik_code_find(name);
}

const char *ik_explain(const char *code) {
  int c = find_code(code);
  if (c < 0) return NULL;
  char path[32];
  snprintf(path, sizeof path, "docs/codes/%s.md", ik_code_name((ik_code)c));
  const ik_embedded *page = ik_embed_find(path);
  if (page) return page->data;
  ik_buf b = {0};
  ik_buf_printf(&b, "# %s: %s\n", ik_code_name((ik_code)c), ik_code_title((ik_code)c));
  const char *text = keep(KEEP_EXPLAIN, &b, ik_mem_refused());
  return text ? text : ik_code_title((ik_code)c);
}

const char *ik_explain_list(void) {
  return
#define IK_CODE(code, title) #code "  " title "\n"
#include "base/codes.h"
#undef IK_CODE
      ;
}

/* ---- this machine, targets, machines ---- */

const char *ik_doctor(bool json) {
  ik_buf b = {0};
  long   before = ik_mem_refused();
  ik_doctor_write(json, &b);
  return keep(KEEP_DOCTOR, &b, before);
}

static void json_target(ik_json *j, const ik_target *t, bool here, const char *why) {
  ik_json_open(j, NULL, '{');
  ik_json_str(j, "name", t->name);
  ik_json_str(j, "help", t->help);
  ik_json_bool(j, "simulated", t->simulated);
  ik_json_bool(j, "available", here);
  ik_json_str(j, "why", here ? NULL : why);
  ik_json_close(j, '}');
}

static void text_target(ik_buf *b, const ik_target *t, bool here, const char *why) {
  ik_buf_printf(b, "  %-10s %s%s", t->name, t->simulated ? "SIMULATED: " : "", t->help);
  if (!here) ik_buf_printf(b, " (not here: %s)", why);
  ik_buf_putc(b, '\n');
}

const char *ik_target_list(bool json) {
  ik_buf  b = {0};
  ik_json j = {.out = &b};
  long    before = ik_mem_refused();
  if (json) ik_json_open(&j, NULL, '[');
  for (const ik_target *const *t = ik_targets; *t; t++) {
    ik_buf why = {0};
    bool   here = (*t)->probe(&why);
    if (json)
      json_target(&j, *t, here, ik_buf_text(&why));
    else
      text_target(&b, *t, here, ik_buf_text(&why));
    ik_buf_free(&why);
  }
  if (json) ik_json_close(&j, ']');
  return keep(KEEP_TARGETS, &b, before);
}

/* A line, or an object without the figures. */
static void list_machine(const ik_machine *m, ik_json *j, ik_buf *b) {
  const char *title = ik_machine_text(m, "title"), *kind = ik_machine_text(m, "kind");
  if (!j) {
    ik_buf_printf(b, "  %-16s %-6s %s\n", m->name, kind ? kind : "", title ? title : "");
    return;
  }
  ik_json_open(j, NULL, '{');
  ik_json_str(j, "name", m->name);
  ik_json_str(j, "kind", kind);
  ik_json_str(j, "title", title);
  ik_json_close(j, '}');
}

/* Runs in an arena that is gone afterwards. */
static void list_machines(ik_json *j, ik_buf *b) {
  ik_arena a;
  ik_diag  d = {0};
  int      n;
  ik_arena_init(&a);
  if (setjmp(a.oom)) {
    ik_arena_free(&a), ik_diag_free(&d);
    return;
  }
  const char *const *names = ik_machine_names(&n);
  for (int i = 0; i < n; i++) {
    ik_machine *m;
    if (ik_machine_find(names[i], &a, &d, &m) == IK_OK) list_machine(m, j, b);
  }
  ik_arena_free(&a), ik_diag_free(&d);
}

const char *ik_machine_list(bool json) {
  ik_buf  b = {0};
  ik_json j = {.out = &b};
  long    before = ik_mem_refused();
  if (json) ik_json_open(&j, NULL, '[');
  list_machines(json ? &j : NULL, &b);
  if (json) ik_json_close(&j, ']');
  return keep(KEEP_MACHINES, &b, before);
}

static ik_status show_machine(const char *name, bool json, ik_diag *d, ik_arena *a, ik_buf *b) {
  ik_machine *m;
  ik_json     j = {.out = b};
  if (setjmp(a->oom)) return IK_OK;
  IK_TRY(ik_machine_find(name, a, d, &m));
  if (json)
    ik_machine_json(m, &j);
  else
    ik_machine_print(m, b);
  return IK_OK;
}

const char *ik_machine_show(const char *name, bool json, ik_log *log) {
  ik_buf   b = {0};
  ik_arena a;
  long     before = ik_mem_refused();
  ik_arena_init(&a);
  ik_status s = show_machine(name, json, &log->d, &a, &b);
  ik_arena_free(&a);
  const char *text = keep(KEEP_MACHINE, &b, before);
  if (!s && !text) ik_log_no_memory(log);
  return s ? NULL : text;
}

/* ---- templates ---- */

enum { MOST_TEMPLATES = 64 };

typedef struct template {
  char               name[32];
  char               title[112];
  const ik_embedded *file;
}
template;

/* Other names under which people look for an example; listed after the examples themselves. */
static const struct {
  const char *name, *of;
} aliases[] = {
    {"acoustic2d", "wave2d"},   {"acoustic3d", "wave"},      {"cg", "poisson"},
    {"diffusion2d", "heat"},    {"diffusion3d", "heat3d"},   {"fdtd", "maxwell"},
    {"reaction", "gray-scott"}, {"smith-waterman", "align"},
};

static template templates[MOST_TEMPLATES];
static int            ntemplates;
static pthread_once_t templates_once = PTHREAD_ONCE_INIT;

/* examples/NAME.ik.  The first line of the file is "# NAME: title". */
static void add_example(const ik_embedded *e) {
  static const char folder[] = "examples/", suffix[] = ".ik";
  size_t            len = strlen(e->name), around = sizeof folder - 1 + sizeof suffix - 1;
  if (strncmp(e->name, folder, sizeof folder - 1) || len <= around) return;
  if (strcmp(e->name + len - (sizeof suffix - 1), suffix) || ntemplates == MOST_TEMPLATES) return;
  template *t = &templates[ntemplates++];
  t->file = e;
  snprintf(t->name, sizeof t->name, "%.*s", (int)(len - around), e->name + sizeof folder - 1);
  const char *line = e->data + strspn(e->data, "# "), *colon = strstr(line, ": ");
  if (colon && (size_t)(colon - line) == strlen(t->name)) line = colon + 2;
  snprintf(t->title, sizeof t->title, "%.*s", (int)strcspn(line, "\r\n"), line);
}

static void add_alias(const char *name, const char *of) {
  for (int i = 0; i < ntemplates && ntemplates < MOST_TEMPLATES; i++) {
    if (strcmp(templates[i].name, of)) continue;
    template *t = &templates[ntemplates++];
    t->file = templates[i].file;
    snprintf(t->name, sizeof t->name, "%s", name);
    snprintf(t->title, sizeof t->title, "alias of %s", of);
    return;
  }
}

static void make_templates(void) {
  for (const ik_embedded *e = ik_embedded_files; e->name; e++) add_example(e);
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
    add_alias(aliases[i].name, aliases[i].of);
}

int ik_template_count(void) {
  pthread_once(&templates_once, make_templates);
  return ntemplates;
}

bool ik_template(int i, const char **name, const char **title, const char **text, size_t *len) {
  if (i < 0 || i >= ik_template_count()) return false;
  const template *t = &templates[i];
  *name = t->name, *title = t->title, *text = t->file->data, *len = t->file->size;
  return true;
}

const char *ik_nearest_word(const char *word, const char *const *words, int n) {
  return ik_nearest(word, words, n);
}
