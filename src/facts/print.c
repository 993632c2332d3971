#include "facts/facts.h"
#include <math.h>
#include <stdio.h>

static void title(ik_buf *out, const char *name) { ik_buf_printf(out, "%-12s", name); }

static void print_pattern(const ik_ir *ir, const ik_facts *f, ik_buf *out) {
  const ik_patterns *p = &f->pattern;
  title(out, "pattern");
  if (p->field < 0) {
    ik_buf_puts(out, "none: nothing is read\n");
    return;
  }
  ik_buf_puts(out, ik_shape_name(p->shape.kind));
  if (p->shape.dim) ik_buf_printf(out, "%dd r=%d", p->shape.dim, p->shape.radius);
  ik_buf_printf(out, ", %d point%s of %s", p->points, p->points == 1 ? "" : "s",
                ir->field[p->source].name);
  int newest = p->level_points[1]; /* level 0 */
  if (newest && newest != p->points) ik_buf_printf(out, " (%d at the current level)", newest);
  ik_buf_putc(out, '\n');
}

static void print_flops(const ik_facts *f, ik_buf *out) {
  title(out, "flops");
  ik_buf_printf(out, "%lld per cell (as lowered", (long long)f->flops.cell);
  if (f->flops.written >= 0) ik_buf_printf(out, "; %lld as written", (long long)f->flops.written);
  ik_buf_puts(out, ")\n");
}

static void print_value(const ik_ir *ir, const ik_traffic *t, ik_buf *out) {
  ik_buf_puts(out, ir->field[t->field].name);
  if (t->level > 0 && !t->write) ik_buf_putc(out, '\'');
  if (t->level < 0) ik_buf_printf(out, "[t%d]", t->level);
}

static void print_bytes(const ik_ir *ir, const ik_facts *f, ik_buf *out) {
  title(out, "bytes");
  ik_buf_printf(out, "%.4g per cell", f->bytes.cell);
  for (int i = 0; i < f->bytes.n; i++) {
    const ik_traffic *t = &f->bytes.item[i];
    bool              first = i == 0 || t[-1].write != t->write;
    if (first)
      ik_buf_printf(out, "%s%s ", i ? ", " : ": ", t->write ? "write" : "read");
    else
      ik_buf_puts(out, " ");
    print_value(ir, t, out);
  }
  ik_buf_putc(out, '\n');
}

static void print_linear(const ik_facts *f, ik_buf *out) {
  const ik_linear *l = &f->linear;
  title(out, "linear");
  if (!l->linear)
    ik_buf_puts(out, "no\n");
  else
    ik_buf_printf(out, "yes, %s coefficients%s\n", l->constant ? "constant" : "varying",
                  l->homogeneous ? "" : ", with a source term");
}

static bool can_fuse(const ik_facts *f) { return f->linear.constant && f->fused.n > 1; }

static void print_fused(const ik_facts *f, ik_buf *out) {
  if (!can_fuse(f)) return;
  title(out, "fused");
  ik_buf_printf(out, "points of 2 to %d steps as one stencil:", f->fused.n);
  for (int t = 2; t <= f->fused.n; t++) ik_buf_printf(out, " %lld", (long long)f->fused.points[t]);
  ik_buf_putc(out, '\n');
  title(out, "redundancy");
  ik_buf_puts(out, "points over those of separate steps:");
  for (int t = 2; t <= f->fused.n; t++) ik_buf_printf(out, " %.2f", f->fused.alpha[t]);
  ik_buf_putc(out, '\n');
}

/* One number where all axes agree, else one per axis. */
static void print_slope(const ik_ir *ir, const ik_tiling *t, ik_buf *out) {
  int  slope[IK_MAX_DIM] = {0};
  bool same = true;
  for (int d = 0; d < ir->ndim; d++) {
    slope[d] = t->slope[d][0] > t->slope[d][1] ? t->slope[d][0] : t->slope[d][1];
    same &= slope[d] == slope[0];
  }
  ik_buf_puts(out, "legal, slope ");
  for (int d = 0; d < (same ? 1 : ir->ndim); d++)
    ik_buf_printf(out, "%s%d", d ? "," : "", slope[d]);
  ik_buf_puts(out, " per step\n");
}

static void print_tiling(const ik_ir *ir, const ik_facts *f, ik_buf *out) {
  title(out, "time tiling");
  if (f->depend.tiling.legal)
    print_slope(ir, &f->depend.tiling, out);
  else
    ik_buf_printf(out, "no: %s\n", f->depend.tiling.why);
}

static void print_stability(const ik_facts *f, ik_buf *out) {
  const ik_stability *s = &f->stability;
  title(out, "stability");
  if (!s->known) {
    ik_buf_printf(out, "not known: %s\n", s->why);
    return;
  }
  ik_buf_printf(out, "max |G| = %.3f (%s", s->max_g, s->stable ? "stable" : "unstable");
  if (isfinite(f->cfl) && f->cfl > 0)
    ik_buf_printf(out, "; the time step is %.3g of its limit", 1 / sqrt(f->cfl));
  ik_buf_puts(out, ")\n");
}

static void print_size(int64_t bytes, ik_buf *out) {
  static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double                   v = (double)bytes;
  int                      u = 0;
  while (v >= 1024) v /= 1024, u++; /* no number of bytes reaches 1024 EiB */
  ik_buf_printf(out, u ? "%.1f %s" : "%.0f %s", v, unit[u]);
}

static void print_part(const char *name, int64_t bytes, int *shown, ik_buf *out) {
  ik_buf_printf(out, "%s%s ", (*shown)++ ? ", " : ": ", name);
  print_size(bytes, out);
}

static void print_memory(const ik_ir *ir, const ik_facts *f, ik_buf *out) {
  int     shown = 0;
  int64_t temporaries = 0;
  title(out, "memory");
  print_size(f->memory.total, out);
  for (int i = 0; i < ir->nfield; i++) {
    if (ik_is_stored(ir, i))
      print_part(ir->field[i].name, f->memory.field[i], &shown, out);
    else
      temporaries += f->memory.field[i];
  }
  if (temporaries) print_part("temporaries", temporaries, &shown, out);
  ik_buf_putc(out, '\n');
}

void ik_facts_print(const ik_ir *ir, const ik_facts *f, ik_buf *out) {
  print_pattern(ir, f, out);
  print_flops(f, out);
  print_bytes(ir, f, out);
  title(out, "intensity");
  ik_buf_printf(out, "%.2f FLOP/byte\n", f->intensity);
  print_linear(f, out);
  print_fused(f, out);
  print_tiling(ir, f, out);
  print_stability(f, out);
  print_memory(ir, f, out);
}

/* ---- JSON ---- */

static void json_pattern(const ik_ir *ir, const ik_patterns *p, ik_json *out) {
  char shape[24];
  bool any = p->field >= 0;
  if (p->shape.dim)
    snprintf(shape, sizeof shape, "%s%dd", ik_shape_name(p->shape.kind), p->shape.dim);
  else
    snprintf(shape, sizeof shape, "%s", ik_shape_name(p->shape.kind));
  ik_json_str(out, "pattern", any ? shape : NULL);
  ik_json_int(out, "radius", p->shape.radius);
  ik_json_int(out, "points", p->points);
  ik_json_str(out, "points_of", any ? ir->field[p->source].name : NULL);
}

static void json_fused(const ik_facts *f, ik_json *out) {
  ik_json_open(out, "fused_points", '[');
  for (int t = 1; can_fuse(f) && t <= f->fused.n; t++) ik_json_int(out, NULL, f->fused.points[t]);
  ik_json_close(out, ']');
}

void ik_facts_json(const ik_ir *ir, const ik_facts *f, ik_json *out) {
  json_pattern(ir, &f->pattern, out);
  ik_json_int(out, "flops", f->flops.cell);
  if (f->flops.written >= 0)
    ik_json_int(out, "flops_written", f->flops.written);
  else
    ik_json_raw(out, "flops_written", "null");
  ik_json_num(out, "bytes", f->bytes.cell);
  ik_json_num(out, "intensity", f->intensity);
  ik_json_bool(out, "linear", f->linear.linear);
  ik_json_bool(out, "constant_coefficients", f->linear.constant);
  json_fused(f, out);
  ik_json_bool(out, "time_tiling", f->depend.tiling.legal);
  ik_json_num(out, "stability_max_g", f->stability.max_g);
  ik_json_int(out, "memory_bytes", f->memory.total);
}
