#include "runtime/memory.h"
#include "base/system.h"
#include "runtime/record.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Of the line that begins with the key; -1: there is none. */
static int64_t number_in(const char *path, const char *key) {
  char        text[4096];
  size_t      len = strlen(key);
  const char *line = ik_system_read(path, text, sizeof text) ? text : NULL;
  long long   n;
  while (line && strncmp(line, key, len)) {
    line = strchr(line, '\n');
    if (line) line++;
  }
  return line && sscanf(line + len, "%lld", &n) == 1 ? n : -1;
}

/* Address space that the process may still take (ulimit -v); INT64_MAX: any. */
static int64_t address_space_left(void) {
  int64_t limit = ik_system_memory_limit(), pages = number_in("/proc/self/statm", "");
  int64_t used = pages < 0 ? 0 : pages * sysconf(_SC_PAGESIZE);
  return limit == INT64_MAX ? limit : limit > used ? limit - used : 0;
}

int64_t ik_memory_within(int64_t free, int64_t most, int64_t used) {
  return most >= 0 && used >= 0 && most - used < free ? most - used : free;
}

int64_t ik_memory_free(void) {
  int64_t kib = number_in("/proc/meminfo", "MemAvailable:");
  int64_t free = kib < 0 ? INT64_MAX : kib * 1024;
  int64_t most = number_in("/sys/fs/cgroup/memory.max", "");
  int64_t used = number_in("/sys/fs/cgroup/memory.current", "");
  int64_t space = address_space_left();
  free = ik_memory_within(free, most, used);
  return space < free ? space : free;
}

void ik_memory_text(int64_t bytes, ik_buf *out) {
  static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double                   v = (double)bytes;
  int                      u = 0;
  while (v >= 1024) v /= 1024, u++; /* no number of bytes reaches 1024 EiB */
  ik_buf_printf(out, u == 0 || v >= 999.5 ? "%.0f %s" : "%.3g %s", v, unit[u]);
}

static int64_t field_bytes(const ik_ir *ir, const ik_layout *l, int field) {
  ik_layout_field f = ik_layout_at(ir, l, field);
  return ik_layout_field_bytes(&f);
}

static void note_fields(const ik_ir *ir, const ik_layout *l, ik_diag *d) {
  ik_buf t = {0};
  for (int f = 0; f < ir->nfield; f++) {
    ik_buf_printf(&t, "%s%s ", f ? ", " : "", ir->field[f].name);
    ik_memory_text(field_bytes(ir, l, f), &t);
  }
  ik_note_add(d, IK_NOSPAN, "%s", ik_buf_text(&t));
  ik_buf_free(&t);
}

/* Bytes of all fields on a grid of other extents. */
static double bytes_on(const ik_ir *ir, const ik_layout *l, const int64_t n[IK_MAX_DIM]) {
  double sum = 0;
  for (int f = 0; f < ir->nfield; f++) {
    const ik_box *b = &ir->field[f].box;
    double        bytes = (double)field_bytes(ir, l, f);
    for (int d = 0; d < IK_MAX_DIM; d++) {
      int64_t was = b->hi[d] - b->lo[d], is = ir->field[f].on[d] ? was - ir->n[d] + n[d] : was;
      if (was > 0) bytes *= (double)(is > 0 ? is : 0) / (double)was;
    }
    sum += bytes;
  }
  return sum;
}

/* Extents scaled down alike until the fields fit into `room`. */
static void help_smaller(const ik_ir *ir, const ik_layout *l, double room, ik_diag *d) {
  int64_t n[IK_MAX_DIM] = {1, 1, 1}, longest = 2;
  double  scale = 0.999 * fmin(1, pow(room / bytes_on(ir, l, ir->n), 1.0 / ir->ndim));
  for (; longest > 1; scale *= 0.999) {
    longest = 1;
    for (int k = 0; k < ir->ndim; k++) {
      n[k] = (int64_t)fmax(1, floor((double)ir->n[k] * scale));
      if (n[k] > longest) longest = n[k];
    }
    if (bytes_on(ir, l, n) <= room) break;
  }
  if (bytes_on(ir, l, n) > room) return;
  ik_buf t = {0};
  for (int k = 0; k < ir->ndim; k++)
    ik_buf_printf(&t, "%s%s=%lld", k ? " " : "", ir->axis[k], (long long)n[k]);
  ik_help(d, "the largest grid of this shape that fits:  %s", ik_buf_text(&t));
  ik_buf_free(&t);
}

int64_t ik_memory_need(const ik_ir *ir, const ik_layout *l, int64_t engine) {
  int64_t fields = ik_layout_bytes(ir, l), need;
  if (fields < 0 || __builtin_add_overflow(fields, ik_recorder_bytes(ir), &need) ||
      __builtin_add_overflow(need, engine, &need))
    return INT64_MAX;
  return need;
}

/* Of which memory there is too little, what takes it, and what would fit. */
static ik_status refuse(const ik_ir *ir, const ik_layout *l, int64_t need, int64_t free,
                        const char *of, const char *are, ik_diag *d) {
  ik_buf a = {0}, b = {0};
  ik_memory_text(need, &a), ik_memory_text(free, &b);
  ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "this run needs %s%s%s, and %s %s",
          ik_buf_text(&a), of ? " of the memory of " : "", of ? of : "", ik_buf_text(&b), are);
  if (ik_layout_bytes(ir, l) >= 0) {
    note_fields(ir, l, d);
    /* what does not depend on the grid is not there for it */
    double fixed = (double)need - bytes_on(ir, l, ir->n);
    if (fixed < (double)free) help_smaller(ir, l, (double)free - fixed, d);
  }
  ik_buf_free(&a), ik_buf_free(&b);
  return IK_ERR_RESOURCE;
}

ik_status ik_memory_plan(const ik_ir *ir, const ik_layout *l, int64_t engine, int64_t limit,
                         ik_diag *d) {
  int64_t need = ik_memory_need(ir, l, engine), free = limit > 0 ? limit : ik_memory_free();
  if (need <= free) return IK_OK;
  return refuse(ir, l, need, free, NULL, limit > 0 ? "are allowed" : "are free", d);
}

ik_status ik_memory_plan_device(const ik_ir *ir, const ik_layout *l, const ik_device *x,
                                ik_diag *d) {
  return x->bytes <= x->free ? IK_OK : refuse(ir, l, x->bytes, x->free, x->name, "are free", d);
}
