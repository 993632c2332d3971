/* info.c: what the library knows without a program: messages, targets, machines, templates.
 *
 * A text that was put together is handed to the caller until the same call is made again.  Such a
 * text is kept outside base/mem.h, one for each call and thread, and freed with the thread: whoever
 * counts blocks with ik_mem_live() sees none that the caller could have freed. */
#include "api/api.h"
#include "api/doctor.h"
#include "base/embed.h"
#include "base/json.h"
#include "base/text.h"
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

/* Empties `b` into the slot; `otherwise` when memory ran out. */
static const char *keep(slot s, ik_buf *b, const char *otherwise) {
  pthread_once(&key_once, make_key);
  free(kept[s]);
  kept[s] = b->failed ? NULL : strdup(ik_buf_text(b));
  ik_buf_free(b);
  if (key_made) pthread_setspecific(at_thread_end, kept);
  return kept[s] ? kept[s] : otherwise;
}

static const char *out_of_memory(bool json) {
  return json ? "{\"error\":\"out of memory\"}" : "out of memory\n";
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
  return keep(KEEP_EXPLAIN, &b, ik_code_title((ik_code)c));
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
  ik_doctor_write(json, &b);
  return keep(KEEP_DOCTOR, &b, out_of_memory(json));
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
  return keep(KEEP_TARGETS, &b, out_of_memory(json));
}

const char *ik_machine_list(bool json) {
  ik_buf b = {0};
  ik_buf_puts(&b, json ? "[]" : "");
  return keep(KEEP_MACHINES, &b, out_of_memory(json));
}

const char *ik_machine_show(const char *name, bool json, ik_log *log) {
  ik_buf b = {0};
  (void)json;
  ik_error(&log->d, IK_E082, IK_NOSPAN, "there is no machine '%s'", name);
  keep(KEEP_MACHINE, &b, NULL);
  return NULL;
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
    {"acoustic2d", "wave2d"},
    {"acoustic3d", "wave"},
    {"cg", "poisson"},
    {"diffusion2d", "heat"},
    {"diffusion3d", "heat3d"},
    {"fdtd", "maxwell"},
    {"reaction-diffusion", "gray-scott"},
    {"smith-waterman", "align"},
};

static template templates[MOST_TEMPLATES];
static int            ntemplates;
static pthread_once_t templates_once = PTHREAD_ONCE_INIT;

/* examples/NAME.ik, with the first line of the file, a comment, as title. */
static void add_example(const ik_embedded *e) {
  static const char folder[] = "examples/", suffix[] = ".ik";
  size_t            len = strlen(e->name), around = sizeof folder - 1 + sizeof suffix - 1;
  if (strncmp(e->name, folder, sizeof folder - 1) || len <= around) return;
  if (strcmp(e->name + len - (sizeof suffix - 1), suffix) || ntemplates == MOST_TEMPLATES) return;
  template *t = &templates[ntemplates++];
  t->file = e;
  snprintf(t->name, sizeof t->name, "%.*s", (int)(len - around), e->name + sizeof folder - 1);
  const char *line = e->data + strspn(e->data, "# ");
  snprintf(t->title, sizeof t->title, "%.*s", (int)strcspn(line, "\r\n"), line);
}

static void add_alias(const char *name, const char *of) {
  for (int i = 0; i < ntemplates && ntemplates < MOST_TEMPLATES; i++) {
    if (strcmp(templates[i].name, of)) continue;
    template *t = &templates[ntemplates++];
    t->file = templates[i].file;
    snprintf(t->name, sizeof t->name, "%s", name);
    snprintf(t->title, sizeof t->title, "%s: another name of %s", name, of);
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
