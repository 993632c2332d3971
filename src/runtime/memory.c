#include "runtime/memory.h"
#include "ir/state.h"
#include "runtime/record.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static int64_t number_in(const char *path, const char *key) {
  FILE   *f = fopen(path, "r");
  char    line[256];
  int64_t v = -1;
  size_t  len = strlen(key);
  while (f && v < 0 && fgets(line, sizeof line, f)) {
    long long n;
    if (strncmp(line, key, len) == 0 && sscanf(line + len, "%lld", &n) == 1) v = n;
  }
  if (f) fclose(f);
  return v;
}

int64_t ik_memory_free(void) {
  int64_t kib = number_in("/proc/meminfo", "MemAvailable:");
  int64_t free = kib < 0 ? INT64_MAX : kib * 1024;
  int64_t most = number_in("/sys/fs/cgroup/memory.max", "");
  int64_t used = number_in("/sys/fs/cgroup/memory.current", "");
  if (most >= 0 && used >= 0 && most - used < free) free = most - used;
  return free;
}

void ik_memory_text(int64_t bytes, ik_buf *out) {
  static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double                   v = (double)bytes;
  int                      u = 0;
  while (v >= 1024 && u < 6) v /= 1024, u++;
  ik_buf_printf(out, u == 0 || v >= 999.5 ? "%.0f %s" : "%.3g %s", v, unit[u]);
}

static void note_fields(const ik_ir *ir, ik_diag *d) {
  ik_buf t = {0};
  for (int f = 0; f < ir->nfield; f++) {
    ik_buf_printf(&t, "%s%s ", f ? ", " : "", ir->field[f].name);
    ik_memory_text(ik_state_field_bytes(ir, f), &t);
  }
  ik_note_add(d, IK_NOSPAN, "%s", ik_buf_text(&t));
  ik_buf_free(&t);
}

/* Extents scaled down alike until the fields fit. */
static void help_smaller(const ik_ir *ir, double ratio, ik_diag *d) {
  ik_buf t = {0};
  double scale = pow(ratio, 1.0 / ir->ndim);
  for (int k = 0; k < ir->ndim; k++) {
    int64_t n = (int64_t)floor((double)ir->n[k] * scale * 0.999);
    ik_buf_printf(&t, "%s%s=%lld", k ? " " : "", ir->axis[k], (long long)(n < 1 ? 1 : n));
  }
  ik_help(d, "the largest grid of this shape that fits:  %s", ik_buf_text(&t));
  ik_buf_free(&t);
}

ik_status ik_memory_plan(const ik_ir *ir, int64_t limit, ik_diag *d) {
  int64_t fields = ik_state_bytes(ir), traces = ik_recorder_bytes(ir), need;
  int64_t free = limit > 0 ? limit : ik_memory_free();
  if (fields < 0 || __builtin_add_overflow(fields, traces, &need)) need = INT64_MAX;
  if (need <= free) return IK_OK;
  ik_buf a = {0}, b = {0};
  ik_memory_text(need, &a), ik_memory_text(free, &b);
  ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "this run needs %s, and %s %s", ik_buf_text(&a),
          ik_buf_text(&b), limit > 0 ? "are allowed" : "are free");
  if (fields >= 0) {
    note_fields(ir, d);
    if (traces < free) help_smaller(ir, (double)(free - traces) / (double)fields, d);
  }
  ik_buf_free(&a), ik_buf_free(&b);
  return IK_ERR_RESOURCE;
}
