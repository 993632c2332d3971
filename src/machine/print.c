#include "machine/machine.h"
#include <string.h>

static const char *const label_names[] = {
    ['P'] = "published", ['S'] = "another public source",
    ['D'] = "derived",   ['C'] = "calibrated",
    ['A'] = "assumed",   ['M'] = "measured or read on the machine"};

/* Characters on the screen, not bytes. */
static int width(const char *s) {
  int n = 0;
  for (; *s; s++) n += (*s & 0xC0) != 0x80;
  return n;
}

static int value_width(const ik_figure *f) {
  return width(f->value) + (f->unit[0] ? 1 + width(f->unit) : 0);
}

static void pad(ik_buf *out, int have, int want) {
  if (have < want) ik_buf_pad(out, ' ', want - have);
}

static void print_figure(const ik_figure *f, int key, int value, ik_buf *out) {
  ik_buf_printf(out, "  %s", f->key);
  pad(out, width(f->key), key);
  ik_buf_printf(out, "  %s%s%s", f->value, f->unit[0] ? " " : "", f->unit);
  if (f->source || f->comment) pad(out, value_width(f), value);
  if (f->label)
    ik_buf_printf(out, "  %c", f->label);
  else if (f->source)
    ik_buf_puts(out, "   ");
  if (f->source) ik_buf_printf(out, " %s", f->source);
  if (f->comment) ik_buf_printf(out, "  # %s", f->comment);
  ik_buf_putc(out, '\n');
}

/* What the letters in use mean. */
static void print_legend(const ik_machine *m, ik_buf *out) {
  const char *before = "\n  ";
  for (const char *c = IK_LABELS; *c; c++) {
    bool used = false;
    for (int i = 0; i < m->n; i++) used |= m->figure[i].label == *c;
    if (!used) continue;
    ik_buf_printf(out, "%s%c %s", before, *c, label_names[(int)*c]);
    before = ", ";
  }
  if (before[0] == ',') ik_buf_putc(out, '\n');
}

void ik_machine_print(const ik_machine *m, ik_buf *out) {
  const char *title = ik_machine_text(m, "title");
  int         key = 0, value = 0;
  ik_buf_printf(out, "%s%s%s\n", m->name, title ? "  " : "", title ? title : "");
  for (int i = 0; i < m->n; i++) {
    int k = width(m->figure[i].key), v = value_width(&m->figure[i]);
    if (strcmp(m->figure[i].key, "title") == 0) continue;
    if (k > key) key = k;
    if (m->figure[i].source && v > value) value = v;
  }
  for (int i = 0; i < m->n; i++)
    if (strcmp(m->figure[i].key, "title")) print_figure(&m->figure[i], key, value, out);
  print_legend(m, out);
}

static void json_figure(const ik_figure *f, ik_json *j) {
  char label[2] = {f->label};
  ik_json_open(j, NULL, '{');
  ik_json_str(j, "key", f->key);
  if (f->numeric)
    ik_json_num(j, "value", f->number);
  else
    ik_json_str(j, "value", f->value);
  ik_json_str(j, "unit", f->unit[0] ? f->unit : NULL);
  ik_json_str(j, "label", f->label ? label : NULL);
  ik_json_str(j, "source", f->source);
  ik_json_str(j, "comment", f->comment);
  ik_json_close(j, '}');
}

void ik_machine_json(const ik_machine *m, ik_json *j) {
  ik_json_open(j, NULL, '{');
  ik_json_str(j, "name", m->name);
  ik_json_str(j, "title", ik_machine_text(m, "title"));
  ik_json_str(j, "kind", ik_machine_text(m, "kind"));
  ik_json_open(j, "figures", '[');
  for (int i = 0; i < m->n; i++) json_figure(&m->figure[i], j);
  ik_json_close(j, ']');
  ik_json_close(j, '}');
}
