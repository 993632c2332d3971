#include "report/spacetime.h"
#include "base/mem.h"
#include "report/axis.h"
#include "report/colour.h"
#include "report/draw.h"
#include "report/html.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHADES = 9, LEVELS = 8 /* heights of a bar in a lane */, LANES = 3, LINE = 32 };

/* ---- what a timeline holds ---- */

void ik_spacetime_extent(const ik_timeline *t, int64_t *from, int64_t *to) {
  *from = *to = 0;
  for (int64_t i = 0; i < t->nspan; i++) {
    if (!i || t->span[i].begin < *from) *from = t->span[i].begin;
    if (!i || t->span[i].end > *to) *to = t->span[i].end;
  }
}

void ik_spacetime_line(const ik_timeline *t, int most, int *first, int *count) {
  bool all = t->nelement <= most || t->nx <= 0;
  *first = all ? 0 : t->ny / 2 * t->nx;
  *count = all ? t->nelement : t->nx;
  if (*count > most) *count = most;
}

static const char *last_word(const char *name) {
  const char *space = strrchr(name, ' ');
  return space ? space + 1 : name;
}

static bool ends_with(const char *name, const char *word) { return !strcmp(last_word(name), word); }

/* Does it send, in a step of a protocol, what `word` says?  NULL: anything that has two words. */
static bool is_send(const ik_timeline_span *s, const char *word) {
  bool named = word ? ends_with(s->what, word) : last_word(s->what) != s->what;
  return s->kind == IK_TIMELINE_SEND && s->step >= 0 && named;
}

enum { WORDS = 8 };

typedef struct words { /* of what is sent, and the steps in which it is */
  const char *word[WORDS];
  uint64_t    steps[WORDS];
  int         n;
} words;

static void note_send(words *w, const ik_timeline_span *s) {
  int i = 0;
  while (i < w->n && !ends_with(s->what, w->word[i])) i++;
  if (i == WORDS) return;
  if (i == w->n) w->word[w->n++] = last_word(s->what);
  w->steps[i] |= UINT64_C(1) << (s->step & 63);
}

/* What the elements of the line that is shown send in most different steps: along a row, that is
 * what travels along it.  NULL: there are no different steps. */
static const char *word_of(const ik_timeline *t) {
  words w = {0};
  int   first, count, best = 0;
  ik_spacetime_line(t, LINE, &first, &count);
  for (int64_t i = 0; i < t->nspan; i++) {
    int e = t->span[i].element;
    if (e >= first && e < first + count && is_send(&t->span[i], NULL)) note_send(&w, &t->span[i]);
  }
  for (int i = 1; i < w.n; i++)
    if (__builtin_popcountll(w.steps[i]) > __builtin_popcountll(w.steps[best])) best = i;
  return __builtin_popcountll(w.steps[best]) > 1 ? w.word[best] : NULL;
}

static const ik_timeline_span *first_send(const ik_timeline *t, const char *word) {
  const ik_timeline_span *first = NULL;
  for (int64_t i = 0; i < t->nspan; i++) {
    const ik_timeline_span *s = &t->span[i];
    if (is_send(s, word) && (!first || s->begin < first->begin)) first = s;
  }
  return first;
}

/* A round is over when somebody sends in its first step anew. */
bool ik_spacetime_round(const ik_timeline *t, const char **word, int64_t *from, int64_t *to) {
  *word = word_of(t);
  if (!*word) return false;
  const ik_timeline_span *first = first_send(t, *word);
  int64_t                 again = INT64_MAX;
  for (int64_t i = 0; i < t->nspan; i++) {
    const ik_timeline_span *s = &t->span[i];
    bool anew = is_send(s, *word) && s->step == first->step && s->begin > first->end;
    if (anew && s->begin < again) again = s->begin;
  }
  *from = first->begin, *to = first->end;
  for (int64_t i = 0; i < t->nspan; i++) {
    const ik_timeline_span *s = &t->span[i];
    if (is_send(s, *word) && s->begin < again && s->end > *to) *to = s->end;
  }
  return true;
}

static double overlap(const ik_timeline_span *s, double from, double to) {
  double begin = fmax((double)s->begin, from), end = fmin((double)s->end, to);
  return end > begin ? end - begin : 0;
}

static bool is_work(ik_timeline_kind k) {
  return k == IK_TIMELINE_COMPUTE || k == IK_TIMELINE_SEND || k == IK_TIMELINE_MEMORY;
}

/* Spans of one element may overlap; what is busy twice is busy. */
void ik_spacetime_busy(const ik_timeline *t, int64_t from, int64_t to, double *busy) {
  memset(busy, 0, (size_t)t->nelement * sizeof *busy);
  for (int64_t i = 0; i < t->nspan && to > from; i++) {
    const ik_timeline_span *s = &t->span[i];
    if (!is_work(s->kind) || s->element < 0 || s->element >= t->nelement) continue;
    busy[s->element] += overlap(s, (double)from, (double)to) / (double)(to - from);
  }
  for (int i = 0; i < t->nelement; i++) busy[i] = fmin(busy[i], 1);
}

/* ---- style ---- */

typedef struct tint {
  double light, dark, chroma, hue; /* lightness on a page of that kind */
} tint;

static const tint tints[IK_NTIMELINE] = {[IK_TIMELINE_COMPUTE] = {0.62, 0.70, 0.13, 145},
                                         [IK_TIMELINE_SEND] = {0.62, 0.68, 0.17, 45},
                                         [IK_TIMELINE_RECEIVE] = {0.62, 0.70, 0.13, 250},
                                         [IK_TIMELINE_MEMORY] = {0.66, 0.66, 0.15, 320},
                                         [IK_TIMELINE_WAIT] = {0.90, 0.32, 0.004, 250}};

static void colour(ik_buf *b, const char *name, double light, const tint *t) {
  ik_rgb c = ik_colour_lch(light, t->chroma, t->hue);
  ik_buf_printf(b, ".ik .%s{fill:#%02x%02x%02x}", name, c.r, c.g, c.b);
}

/* t0..t4 are the kinds; t1s0, t1s1 ... the steps of what is sent, t2s0 ... of what is received. */
static void palette(ik_buf *b, bool dark, int shades) {
  char name[16];
  for (int k = 0; k < IK_NTIMELINE; k++) {
    double light = dark ? tints[k].dark : tints[k].light;
    bool   stepped = k == IK_TIMELINE_SEND || k == IK_TIMELINE_RECEIVE;
    snprintf(name, sizeof name, "t%d", k);
    colour(b, name, light, &tints[k]);
    for (int i = 0; i < shades && stepped; i++) {
      snprintf(name, sizeof name, "t%ds%d", k, i);
      colour(b, name, light - 0.16 + 0.25 * i / fmax(shades - 1, 1), &tints[k]);
    }
  }
}

static void style(ik_buf *b, int shades) {
  ik_buf_puts(b, "<style>\n");
  palette(b, false, shades);
  ik_buf_puts(b, "\n@media(prefers-color-scheme:dark){");
  palette(b, true, shades);
  ik_buf_puts(b, "}\n.ik .row{stroke:var(--faint)}.ik text.small{font-size:10px}"
                 ".ik text.step{font-size:9px;font-weight:600;fill:#fff}\n</style>\n");
}

/* ---- the sheet ---- */

enum { LEFT = 62, RIGHT = 16, TOP = 30, KEYS = 26, FOOT = 44, GAP = 5, BINS = 600 };

typedef struct sheet {
  const ik_spacetime *s;
  const ik_timeline  *t;
  ik_buf             *out;
  int64_t             from, to;
  int                 first, count, shades; /* shades 0: steps are not told apart */
  bool                occurs[IK_NTIMELINE]; /* kinds that are shown */
  int                 place[LANES];       /* of a lane among those that are shown; -1: it is not */
  double              x, y, w, row, lane; /* of the first row; heights of a row and of a lane */
  float              *share;              /* [IK_NTIMELINE][shades or 1][BINS] of one element */
} sheet;

static const int lane_of[IK_NTIMELINE] = {2, 0, 1, 2, 2};

static bool is_shown(const sheet *h, const ik_timeline_span *s) {
  return s->end > h->from && s->begin < h->to && (!h->s->only || ends_with(s->what, h->s->only));
}

static bool has_steps(const sheet *h, int kind) { return h->shades && lane_of[kind] < 2; }
static int  shades_of(const sheet *h) { return h->shades ? h->shades : 1; }

static float *bins_of(const sheet *h, int kind, int shade) {
  return h->share + ((size_t)kind * (size_t)shades_of(h) + (size_t)shade) * BINS;
}

static void add_span(const sheet *h, const ik_timeline_span *s) {
  double per = (double)(h->to - h->from) / BINS, begin = (double)(s->begin - h->from) / per;
  double end = (double)(s->end - h->from) / per;
  int    shade = has_steps(h, s->kind) && s->step >= 0 ? s->step % h->shades : 0;
  float *bin = bins_of(h, s->kind, shade);
  for (int i = begin > 0 ? (int)begin : 0; i < BINS && i < end; i++)
    bin[i] += (float)(fmin(end, i + 1) - fmax(begin, i));
}

/* ---- bars ---- */

typedef struct bar { /* in a bin: from one height to another, of LEVELS */
  int lo, hi;
} bar;

static int level_of(float share) {
  int l = (int)lrintf(share * LEVELS);
  return l > LEVELS ? LEVELS : l;
}

/* What shares a lane is stacked: shades of what is sent, or computing below memory below waiting.
 */
static bar bar_of(const sheet *h, int kind, int shade, int bin) {
  float below = 0;
  for (int k = 0; k <= kind; k++)
    for (int i = 0; lane_of[k] == lane_of[kind] && i < (k < kind ? shades_of(h) : shade); i++)
      below += bins_of(h, k, i)[bin];
  return (bar){level_of(below), level_of(below + bins_of(h, kind, shade)[bin])};
}

static double bin_x(const sheet *h, int bin) { return h->x + h->w * bin / BINS; }

/* A number on a bar that is long enough to carry it. */
static void label_bar(const sheet *h, int begin, int end, double y, int step, ik_buf *labels) {
  char text[16];
  if (bin_x(h, end) - bin_x(h, begin) < 10 || h->lane < 9) return;
  snprintf(text, sizeof text, "%d", step + 1);
  ik_draw_text(labels, (bin_x(h, begin) + bin_x(h, end)) / 2, y + h->lane / 2 + 3.2, "middle",
               " class=\"step\"", text);
}

static void open_path(const sheet *h, int kind, int shade) {
  ik_buf_printf(h->out, "<path class=\"t%d", kind);
  if (has_steps(h, kind)) ik_buf_printf(h->out, "s%d", shade);
  ik_buf_puts(h->out, "\" d=\"");
}

/* The first bin behind `a` whose bar is another. */
static int run_end(const sheet *h, int kind, int shade, int a) {
  bar first = bar_of(h, kind, shade, a);
  for (int i = a + 1; i < BINS; i++) {
    bar it = bar_of(h, kind, shade, i);
    if (it.lo != first.lo || it.hi != first.hi) return i;
  }
  return BINS;
}

/* All bars of one kind and shade in one row, as one path. */
static void draw_bars(const sheet *h, int kind, int shade, double y, ik_buf *labels) {
  bool   open = false;
  double top = y + h->place[lane_of[kind]] * h->lane, unit = h->lane / LEVELS;
  for (int a = 0, b; a < BINS; a = b) {
    bar it = bar_of(h, kind, shade, a);
    b = run_end(h, kind, shade, a);
    if (it.hi <= it.lo) continue;
    if (!open) open_path(h, kind, shade);
    open = true;
    double w = h->w * (b - a) / BINS, high = (it.hi - it.lo) * unit;
    ik_buf_printf(h->out, "M%.1f %.1fh%.1fv%.1fh%.1fz", bin_x(h, a), top + h->lane - it.hi * unit,
                  w, high, -w);
    if (has_steps(h, kind) && it.hi - it.lo == LEVELS) label_bar(h, a, b, top, shade, labels);
  }
  if (open) ik_buf_puts(h->out, "\"/>\n");
}

static void draw_row(const sheet *h, int row) {
  double y = h->y + row * h->row + GAP / 2.0;
  ik_buf labels = {0};
  for (int k = 0; k < IK_NTIMELINE; k++)
    for (int i = 0; h->occurs[k] && i < (has_steps(h, k) ? h->shades : 1); i++)
      draw_bars(h, k, i, y, &labels);
  ik_buf_puts(h->out, ik_buf_text(&labels));
  h->out->failed |= labels.failed;
  ik_buf_free(&labels);
}

static int by_element(const void *a, const void *b) {
  const ik_timeline_span *p = *(const ik_timeline_span *const *)a;
  const ik_timeline_span *q = *(const ik_timeline_span *const *)b;
  return p->element < q->element ? -1 : p->element > q->element;
}

/* The spans to draw, element by element; NULL without memory. */
static const ik_timeline_span **sorted_spans(const sheet *h, int64_t *n) {
  const ik_timeline_span **list = ik_calloc((size_t)h->t->nspan + 1, sizeof *list);
  *n = 0;
  for (int64_t i = 0; list && i < h->t->nspan; i++) {
    const ik_timeline_span *s = &h->t->span[i];
    bool                    inside = s->element >= h->first && s->element < h->first + h->count;
    if (inside && is_shown(h, s)) list[(*n)++] = s;
  }
  if (list) qsort(list, (size_t)*n, sizeof *list, by_element);
  return list;
}

static void draw_rows(const sheet *h) {
  int64_t                  n, at = 0;
  const ik_timeline_span **list = sorted_spans(h, &n);
  if (!list) h->out->failed = true;
  for (int row = 0; list && row < h->count; row++) {
    memset(h->share, 0, sizeof *h->share * IK_NTIMELINE * (size_t)shades_of(h) * BINS);
    for (; at < n && list[at]->element == h->first + row; at++) add_span(h, list[at]);
    draw_row(h, row);
  }
  ik_free(list);
}

/* ---- axes and legend ---- */

static void draw_elements(const sheet *h) {
  char text[48];
  for (int row = 0; row < h->count; row++) {
    int    e = h->first + row, nx = h->t->nx > 0 ? h->t->nx : 1;
    double y = h->y + row * h->row;
    if (h->t->ny > 1)
      snprintf(text, sizeof text, "(%d, %d)", e % nx, e / nx);
    else
      snprintf(text, sizeof text, "%d", e);
    ik_buf_printf(h->out, "<path class=\"row\" d=\"M%.1f %.1fh%.1f\"/>", h->x, y, h->w);
    ik_draw_text(h->out, h->x - 6, y + h->row / 2 + 3.5, "end", " class=\"small\"", text);
  }
}

static void draw_cycles(const sheet *h) {
  ik_ticks t;
  ik_buf   name = {0}, unit = {0};
  double   bottom = h->y + h->count * h->row;
  ik_axis_ticks((double)h->from, (double)h->to, 9, true, &t);
  for (int i = 0; i < t.n; i++) {
    double x = h->x + h->w * ik_axis_fraction(t.at[i], (double)h->from, (double)h->to);
    ik_buf_printf(h->out, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>", x, h->y, bottom);
    ik_draw_text(h->out, x, bottom + 16, "middle", "", t.label[i]);
  }
  if (h->t->clock > 0) ik_buf_printf(&unit, "cycles of %.3g ns", 1e9 / h->t->clock);
  ik_axis_title(&name, "time", unit.len ? ik_buf_text(&unit) : "cycles", t.exponent);
  ik_draw_text(h->out, h->x + h->w / 2, bottom + 36, "middle", "", ik_buf_text(&name));
  h->out->failed |= name.failed || unit.failed;
  ik_buf_free(&name), ik_buf_free(&unit);
}

static void draw_frame(const sheet *h) {
  ik_buf_printf(h->out,
                "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                h->x, h->y, h->w, h->count * h->row);
}

static void draw_key(const sheet *h, int kind, double x, double y) {
  int    n = has_steps(h, kind) ? h->shades : 1;
  double w = n > 1 ? 9 : 22;
  for (int i = 0; i < n; i++) {
    ik_buf_printf(h->out, "<rect class=\"t%d", kind);
    if (n > 1) ik_buf_printf(h->out, "s%d", i);
    ik_buf_printf(h->out, "\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"12\"/>", x + i * w, y,
                  w);
  }
}

static void draw_legend(const sheet *h) {
  double x = h->x, y = TOP;
  for (int k = 0; k < IK_NTIMELINE; k++) {
    char text[64];
    int  n = has_steps(h, k) ? h->shades : 1;
    if (!h->occurs[k]) continue;
    snprintf(text, sizeof text, n > 1 ? "%s, steps 1 to %d" : "%s",
             ik_timeline_kind_name((ik_timeline_kind)k), n);
    draw_key(h, k, x, y);
    x += (n > 1 ? 9 * n : 22) + 7;
    ik_draw_text(h->out, x, y + 10.5, "start", "", text);
    x += ik_draw_text_width(text) + 20;
  }
}

/* ---- the whole ---- */

/* Kinds and steps that there are, and from them the lanes. */
static void look(sheet *h) {
  int steps = 0, lanes = 0;
  for (int64_t i = 0; i < h->t->nspan; i++) {
    const ik_timeline_span *s = &h->t->span[i];
    if (!is_shown(h, s)) continue;
    h->occurs[s->kind] = true;
    if (s->step >= steps) steps = s->step + 1;
  }
  if (h->s->only) h->shades = steps < SHADES ? steps : SHADES;
  for (int l = 0; l < LANES; l++) {
    bool used = false;
    for (int k = 0; k < IK_NTIMELINE; k++) used |= h->occurs[k] && lane_of[k] == l;
    h->place[l] = used ? lanes++ : -1;
  }
  h->row = h->count <= 16 ? 32 : h->count <= 24 ? 26 : 20;
  h->lane = (h->row - GAP) / (lanes ? lanes : 1);
}

static sheet lay_out(const ik_spacetime *s, ik_buf *out) {
  sheet h = {.s = s, .t = s->timeline, .out = out, .from = s->from, .to = s->to};
  if (h.to <= h.from) ik_spacetime_extent(h.t, &h.from, &h.to);
  if (h.to <= h.from) h.to = h.from + 1;
  h.first = s->first, h.count = s->count;
  if (!h.count) ik_spacetime_line(h.t, LINE, &h.first, &h.count);
  h.x = LEFT, h.y = TOP + KEYS, h.w = (s->w ? s->w : 960) - LEFT - RIGHT;
  look(&h);
  return h;
}

void ik_svg_spacetime(const ik_spacetime *s, ik_buf *out) {
  sheet       h = lay_out(s, out);
  const char *title = s->title ? s->title : h.t->title;
  h.share = ik_calloc(IK_NTIMELINE * (size_t)shades_of(&h) * BINS, sizeof *h.share);
  if (!h.share) {
    out->failed = true;
    return;
  }
  ik_draw_open(out, s->w ? s->w : 960, (int)(h.y + h.count * h.row) + FOOT, s->standalone, title);
  style(out, h.shades);
  if (title) ik_draw_text(out, LEFT, 18, "start", " class=\"title\"", title);
  draw_legend(&h);
  draw_elements(&h);
  draw_cycles(&h);
  draw_rows(&h);
  draw_frame(&h);
  ik_buf_puts(out, "</svg>\n");
  ik_free(h.share);
}

/* ---- in a page ---- */

static void add_figure(const ik_spacetime *s, const char *caption, ik_buf *page) {
  ik_buf svg = {0};
  ik_svg_spacetime(s, &svg);
  ik_html_svg(page, ik_buf_text(&svg), caption);
  page->failed |= svg.failed;
  ik_buf_free(&svg);
}

/* Of the first that does not wait; the very first if all do. */
static int64_t first_work(const ik_timeline *t) {
  const ik_timeline_span *first = NULL;
  for (int64_t i = 0; i < t->nspan; i++) {
    const ik_timeline_span *s = &t->span[i];
    if (s->kind != IK_TIMELINE_WAIT && (!first || s->begin < first->begin)) first = s;
  }
  return first ? first->begin : t->span[0].begin;
}

/* One round of the protocol, or a look from near at where work begins. */
static void add_part(const ik_timeline *t, ik_buf *page) {
  enum { OF = 40 };
  ik_spacetime s = {.timeline = t};
  ik_buf       title = {0};
  bool         round = ik_spacetime_round(t, &s.only, &s.from, &s.to);
  if (round) {
    ik_buf_printf(&title, "One round: what goes %s", s.only);
  } else {
    ik_spacetime_extent(t, &s.from, &s.to);
    int64_t cycles = (s.to - s.from) / OF + 1;
    s.from = first_work(t), s.to = s.from + cycles;
    ik_buf_printf(&title, "Cycles %lld to %lld", (long long)s.from, (long long)s.to);
  }
  s.title = ik_buf_text(&title);
  add_figure(&s,
             round ? "Who sends and who receives in each step of the protocol, by its number and "
                     "shade."
                   : NULL,
             page);
  page->failed |= title.failed;
  ik_buf_free(&title);
}

void ik_spacetime_page(const ik_timeline *t, ik_buf *page) {
  ik_spacetime all = {.timeline = t, .title = t->title ? t->title : "What the elements did"};
  add_figure(&all,
             "Elements downwards, time to the right.  An element's lanes: what it sends, what it "
             "receives, what its core does; the height of a bar is the share of the time.",
             page);
  add_part(t, page);
}
