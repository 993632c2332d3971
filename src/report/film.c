#include "report/film.h"
#include "base/mem.h"
#include "io/file.h"
#include "io/png.h"
#include "report/spacetime.h"
#include "runtime/memory.h"
#include <math.h>

enum {
  DELAY = 8,           /* hundredths of a second that a frame of a movie is shown */
  MOST_KEPT = 1 << 20, /* numbers of a kept frame: no picture shows more */
  SAMPLES = 1 << 20,   /* of all frames, to see which values are usual */
};

static ik_status no_memory(ik_diag *d) {
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for an animation");
}

ik_status ik_film_open(ik_film *f, const char *folder, const char *movie, int frames, ik_diag *d) {
  *f = (ik_film){.folder = folder, .movie = movie, .frames = frames};
  f->kept = ik_calloc((size_t)frames, sizeof *f->kept);
  if (!f->kept) return no_memory(d);
  return folder ? ik_file_make_folder(folder, 0777, d) : IK_OK;
}

void ik_film_close(ik_film *f) {
  for (int i = 0; f->kept && i < f->taken; i++) ik_drawing_free(&f->kept[i]);
  ik_free(f->kept);
  f->kept = NULL;
  ik_gif_abandon(&f->gif);
}

/* ---- the machine beside the field ---- */

/* How busy each element is in a part of what was simulated cycle by cycle. */
static ik_status activity_of(const ik_timeline *t, const ik_film *f, ik_diag *d, ik_drawing *g) {
  int64_t from, to;
  ik_spacetime_extent(t, &from, &to);
  double  each = (double)(to - from) / (f->frames > 0 ? f->frames : 1);
  int64_t begin = from + (int64_t)(each * f->drawn), end = from + (int64_t)(each * (f->drawn + 1));
  *g = (ik_drawing){.v = ik_calloc((size_t)t->nx * (size_t)t->ny, sizeof *g->v)};
  if (!g->v) return no_memory(d);
  ik_spacetime_busy(t, begin, end > begin ? end : begin + 1, g->v);
  ik_buf_puts(&g->title, "elements that compute or send");
  ik_buf_printf(&g->caption, "SIMULATED: cycles %lld to %lld of %lld", (long long)begin,
                (long long)end, (long long)to);
  g->spec = (ik_picture_spec){.grid = {.v = g->v, .nx = t->nx, .ny = t->ny},
                              .x = {.name = "element x"},
                              .y = {.name = "element y"},
                              .y_down = true,
                              .title = ik_buf_text(&g->title),
                              .caption = ik_buf_text(&g->caption),
                              .name = "share of the time",
                              .kind = IK_COLOUR_SEQUENTIAL,
                              .limited = true,
                              .hi = 1};
  return IK_OK;
}

/* One element, or none, makes no picture. */
static const ik_timeline *fabric_of(const ik_page_input *in) {
  const ik_timeline *t = in->simulated ? in->simulated->timeline : NULL;
  return t && t->nspan && t->nx * t->ny > 1 && t->nx * t->ny >= t->nelement ? t : NULL;
}

/* ---- drawing ---- */

static ik_status put_png(const ik_film *f, const ik_canvas *c, ik_diag *d) {
  ik_buf path = {0};
  ik_buf_printf(&path, "%s/frame_%04d.png", f->folder, f->drawn);
  ik_status st =
      path.failed ? no_memory(d) : ik_png_write(ik_buf_text(&path), c->w, c->h, &c->pixel->r, d);
  ik_buf_free(&path);
  return st;
}

static ik_status put_gif(ik_film *f, const ik_canvas *c, ik_diag *d) {
  if (!f->gif.open) IK_TRY(ik_gif_open(&f->gif, f->movie, c->w, c->h, d));
  return ik_gif_add(&f->gif, c->w, c->h, &c->pixel->r, DELAY, d);
}

static ik_status draw(ik_film *f, const ik_page_input *in, const ik_drawing *g, ik_diag *d) {
  const ik_timeline *t = fabric_of(in);
  ik_drawing         work = {0};
  ik_canvas          sheet = {0};
  ik_status          st = t ? activity_of(t, f, d, &work) : IK_OK;
  if (!st) st = ik_frame_draw(&g->spec, t ? &work.spec : NULL, &f->size, &sheet, d);
  if (!st && f->folder) st = put_png(f, &sheet, d);
  if (!st && f->movie) st = put_gif(f, &sheet, d);
  f->drawn++;
  ik_canvas_free(&sheet), ik_drawing_free(&work);
  return st;
}

/* ---- keeping ---- */

/* The mean of the cells that become one, or, where a mean would mean nothing, the first of them. */
static double together(const ik_grid *g, int64_t x, int64_t y, int64_t k, bool classes) {
  double sum = 0, n = 0;
  if (classes) return ik_grid_at(g, x, y);
  for (int64_t j = y; j < y + k && j < g->ny; j++)
    for (int64_t i = x; i < x + k && i < g->nx; i++) sum += ik_grid_at(g, i, j), n++;
  return sum / n;
}

/* A plane with more cells than a picture can show is kept coarser, in place. */
static void coarsen(ik_drawing *g, bool classes) {
  ik_grid in = g->spec.grid, *out = &g->spec.grid;
  int64_t k = 1;
  in.stride_x = 1, in.stride_y = in.nx;
  while ((in.nx + k - 1) / k * ((in.ny + k - 1) / k) > MOST_KEPT) k++;
  if (k == 1 || in.nx == 1 || in.ny == 1) return;
  g->spec.x.cells = in.nx, g->spec.y.cells = in.ny;
  out->nx = (in.nx + k - 1) / k, out->ny = (in.ny + k - 1) / k;
  for (int64_t y = 0; y < out->ny; y++)
    for (int64_t x = 0; x < out->nx; x++)
      g->v[y * out->nx + x] = together(&in, x * k, y * k, k, classes);
  double *less = ik_realloc(g->v, (size_t)(out->nx * out->ny) * sizeof *less);
  if (less) out->v = g->v = less;
}

/* Known before the first step, not when memory runs out. */
static ik_status check_room(const ik_film *f, const ik_drawing *g, ik_diag *d) {
  int64_t need, each = g->spec.grid.nx * g->spec.grid.ny * (int64_t)sizeof *g->v;
  if (!__builtin_mul_overflow(each, f->frames, &need) && need <= ik_memory_free()) return IK_OK;
  ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory to keep %d frames for one range",
          f->frames);
  ik_help(d, "give the range of values, and they are drawn at once:  --range -1:1");
  return IK_ERR_RESOURCE;
}

static ik_status keep(ik_film *f, ik_drawing *g, bool classes, ik_diag *d) {
  ik_range r;
  coarsen(g, classes);
  if (!f->taken) IK_TRY(check_room(f, g, d));
  IK_TRY(ik_range_measure(&(ik_grid){g->v, g->spec.grid.nx, g->spec.grid.ny, 1, g->spec.grid.nx},
                          &r, d));
  if (f->taken)
    ik_range_join(&f->range, &r);
  else
    f->range = r;
  f->kept[f->taken++] = *g;
  return IK_OK;
}

/* A range that is given is that of every frame, and its bar has no tips that come and go. */
static void use_given(ik_film *f, const ik_page_slice *s) {
  f->range = (ik_range){.least = s->lo, .greatest = s->hi};
  ik_range_settle(&f->range, IK_COLOUR_AUTO, (double[]){s->lo, s->hi});
}

ik_status ik_film_take(ik_film *f, const ik_page_input *in, const ik_page_slice *s, ik_diag *d) {
  ik_drawing g;
  if (f->taken == f->frames) return IK_OK;
  f->drawable = s->lo < s->hi;
  IK_TRY(ik_drawing_of(in, s, d, &g));
  if (f->drawable) use_given(f, s), g.spec.range = &f->range;
  ik_status st =
      f->drawable ? draw(f, in, &g, d) : keep(f, &g, in->ir->field[s->field].type == IK_I32, d);
  if (st || f->drawable) ik_drawing_free(&g);
  return st;
}

/* ---- the range of all ---- */

/* What is usual in the whole film, of some cells of every frame: at the start a source is one
 * bright point, and must not make the rest pale. */
static ik_status find_usual(ik_film *f, ik_diag *d) {
  int64_t  per = SAMPLES / f->taken, n = 0;
  double  *v = ik_calloc(SAMPLES, sizeof *v);
  ik_range r;
  if (!v) return no_memory(d);
  for (int k = 0; k < f->taken; k++) {
    const ik_grid *g = &f->kept[k].spec.grid;
    int64_t        cells = g->nx * g->ny, step = cells > per ? (cells + per - 1) / per : 1;
    for (int64_t i = 0; i < cells && n < SAMPLES; i += step) v[n++] = f->kept[k].v[i];
  }
  ik_status st = ik_range_measure(&(ik_grid){v, n, 1, 1, n}, &r, d);
  if (!st && r.usual > 0) f->range.usual = r.usual;
  ik_free(v);
  return st;
}

static ik_status settle(ik_film *f, ik_diag *d) {
  const ik_grid *g = &f->kept[0].spec.grid;
  IK_TRY(find_usual(f, d));
  ik_range_settle(&f->range, g->nx == 1 || g->ny == 1 ? IK_COLOUR_SEQUENTIAL : IK_COLOUR_AUTO,
                  NULL);
  return IK_OK;
}

ik_status ik_film_finish(ik_film *f, const ik_page_input *in, ik_diag *d) {
  ik_status st = f->taken ? settle(f, d) : IK_OK;
  for (int i = 0; !st && i < f->taken; i++) {
    f->kept[i].spec.range = &f->range;
    st = draw(f, in, &f->kept[i], d);
  }
  if (!st && f->gif.open) st = ik_gif_commit(&f->gif, d);
  return st;
}
