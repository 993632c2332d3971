#include "report/map.h"
#include "base/text.h"
#include "report/colour.h"
#include "report/draw.h"
#include <stdio.h>

/* ---- style ---- */

typedef struct tint {
  double light, dark; /* lightness on a page of that kind */
  double chroma, hue;
} tint;

static const tint tints[IK_MAP_TINTS] = {[IK_MAP_NEUTRAL] = {0.93, 0.33, 0.004, 250},
                                         [IK_MAP_GAIN] = {0.84, 0.46, 0.07, 235},
                                         [IK_MAP_GREAT_GAIN] = {0.68, 0.55, 0.12, 245},
                                         [IK_MAP_LOSS] = {0.90, 0.42, 0.06, 65},
                                         [IK_MAP_GREAT_LOSS] = {0.76, 0.56, 0.13, 50}};

static void palette(ik_buf *b, bool dark) {
  for (int i = 0; i < IK_MAP_TINTS; i++) {
    ik_rgb c = ik_colour_lch(dark ? tints[i].dark : tints[i].light, tints[i].chroma, tints[i].hue);
    ik_buf_printf(b, ".ik .m%d{fill:#%02x%02x%02x}", i, c.r, c.g, c.b);
  }
}

static void style(ik_buf *b) {
  ik_buf_puts(b, "<style>\n");
  palette(b, false);
  ik_buf_puts(b, "\n@media(prefers-color-scheme:dark){");
  palette(b, true);
  ik_buf_puts(b, "}\n.ik .cell{stroke:var(--paper);stroke-width:1}"
                 ".ik .edge{stroke:var(--ink);stroke-width:1.8;fill:none;stroke-linecap:square}"
                 ".ik text.small{font-size:10px}\n</style>\n");
}

/* ---- text ---- */

static void number_at(ik_buf *b, double x, double y, const char *anchor, int n) {
  char text[16];
  snprintf(text, sizeof text, "%d", n);
  ik_draw_text(b, x, y, anchor, " class=\"small\"", text);
}

static bool has(const char *text) { return text && *text; }

/* ---- one panel ---- */

enum { LEFT = 46, GAP = 14, CELL_H = 22, HEAD = 26, FOOT = 40, LEGEND_LINE = 22 };

typedef struct frame {
  const ik_map *map;
  double        x, y, cell; /* upper left corner of the cells, width of one */
} frame;

static double cell_x(const frame *f, int i) { return f->x + i * f->cell; }
static double cell_y(const frame *f, int j) { return f->y + (f->map->ny - 1 - j) * CELL_H; }

static const ik_map_cell *cell_at(const ik_map *m, const ik_map_panel *p, int i, int j) {
  bool inside = i >= 0 && i < m->nx && j >= 0 && j < m->ny;
  if (!inside) return NULL;
  const ik_map_cell *c = &p->cell[j * m->nx + i];
  return c->kind >= 0 && c->kind < m->nkind ? c : NULL;
}

static bool framed(const ik_map *m, const ik_map_panel *p, int i, int j) {
  const ik_map_cell *c = cell_at(m, p, i, j);
  return c && m->kind[c->kind].framed;
}

static void draw_cell(const frame *f, const ik_map_cell *c, int i, int j, ik_buf *b) {
  ik_buf_printf(b,
                "<g><rect class=\"cell m%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\">",
                f->map->kind[c->kind].tint, cell_x(f, i), cell_y(f, j), f->cell, CELL_H);
  ik_draw_tip(b, c->tip);
  ik_buf_puts(b, "</rect>");
  if (c->text[0])
    ik_draw_text(b, cell_x(f, i) + f->cell / 2, cell_y(f, j) + CELL_H / 2.0 + 3.5, "middle",
                 " class=\"small\" pointer-events=\"none\"", c->text);
  ik_buf_puts(b, "</g>\n");
}

/* The sides of framed cells behind which none is. */
static void draw_edges(const frame *f, const ik_map_panel *p, ik_buf *b) {
  const ik_map *m = f->map;
  ik_buf_puts(b, "<path class=\"edge\" d=\"");
  for (int j = 0; j < m->ny; j++)
    for (int i = 0; i < m->nx; i++) {
      double x = cell_x(f, i), y = cell_y(f, j);
      if (!framed(m, p, i, j)) continue;
      if (!framed(m, p, i - 1, j)) ik_buf_printf(b, "M%.1f %.1fv%d", x, y, CELL_H);
      if (!framed(m, p, i + 1, j)) ik_buf_printf(b, "M%.1f %.1fv%d", x + f->cell, y, CELL_H);
      if (!framed(m, p, i, j + 1)) ik_buf_printf(b, "M%.1f %.1fh%.1f", x, y, f->cell);
      if (!framed(m, p, i, j - 1)) ik_buf_printf(b, "M%.1f %.1fh%.1f", x, y + CELL_H, f->cell);
    }
  ik_buf_puts(b, "\"/>\n");
}

static void draw_axes(const frame *f, ik_buf *b) {
  const ik_map *m = f->map;
  double        bottom = f->y + m->ny * CELL_H, mid = f->y + m->ny * CELL_H / 2.0;
  char          turn[96];
  for (int i = 0; i < m->nx; i++)
    number_at(b, cell_x(f, i) + f->cell / 2, bottom + 14, "middle", m->x0 + i);
  for (int j = 0; j < m->ny; j++)
    number_at(b, f->x - 6, cell_y(f, j) + CELL_H / 2.0 + 3.5, "end", m->y0 + j);
  if (has(m->x_name))
    ik_draw_text(b, f->x + m->nx * f->cell / 2, bottom + 30, "middle", "", m->x_name);
  ik_format(turn, sizeof turn, " transform=\"rotate(-90 %.1f %.1f)\"", f->x - 26, mid);
  if (has(m->y_name)) ik_draw_text(b, f->x - 26, mid + 4, "middle", turn, m->y_name);
}

static void draw_panel(const frame *f, const ik_map_panel *p, ik_buf *b) {
  const ik_map *m = f->map;
  if (has(p->title)) ik_draw_text(b, f->x, f->y - 8, "start", "", p->title);
  for (int j = 0; j < m->ny; j++)
    for (int i = 0; i < m->nx; i++) {
      const ik_map_cell *c = cell_at(m, p, i, j);
      if (c) draw_cell(f, c, i, j, b);
    }
  draw_edges(f, p, b);
  draw_axes(f, b);
}

/* ---- the sheet ---- */

/* Keys in columns: names are long, and how wide they get is not known here. */
static void draw_legend(const ik_map *m, double y, int columns, double width, ik_buf *b) {
  for (int i = 0; i < m->nkind; i++) {
    int    row = i / columns;
    double x = LEFT + i % columns * width, line = y + row * LEGEND_LINE;
    ik_buf_printf(b, "<rect class=\"m%d\" x=\"%.1f\" y=\"%.1f\" width=\"22\" height=\"14\"/>",
                  m->kind[i].tint, x, line);
    if (m->kind[i].framed)
      ik_buf_printf(b, "<rect class=\"edge\" x=\"%.1f\" y=\"%.1f\" width=\"22\" height=\"14\"/>", x,
                    line);
    ik_draw_text(b, x + 30, line + 11, "start", "", m->kind[i].name);
  }
}

static int at_least_one(int n) { return n > 0 ? n : 1; }
static int rows_of(int n, int columns) { return (n + columns - 1) / columns; }

void ik_svg_map(const ik_map *m, ik_buf *out) {
  int    w = m->w ? m->w : 960, title = has(m->title) ? 30 : 6;
  int    columns = at_least_one(m->columns ? m->columns : m->npanel);
  int    panel_h = HEAD + m->ny * CELL_H + FOOT, legend = columns > 1 ? 2 : 1;
  int    rows = rows_of(m->npanel, columns), keys = rows_of(m->nkind, legend);
  int    h = title + rows * panel_h + keys * LEGEND_LINE + 16;
  double panel_w = (double)(w - GAP) / columns, legend_w = (double)(w - GAP) / legend;
  ik_draw_open(out, w, h, m->standalone, m->title);
  style(out);
  if (has(m->title)) ik_draw_text(out, LEFT, 20, "start", " class=\"title\"", m->title);
  for (int i = 0; i < m->npanel; i++) {
    int   row = i / columns;
    frame f = {m, LEFT + i % columns * panel_w, title + row * panel_h + HEAD,
               (panel_w - LEFT) / at_least_one(m->nx)};
    draw_panel(&f, &m->panel[i], out);
  }
  draw_legend(m, title + rows * panel_h + 6, legend, legend_w, out);
  ik_buf_puts(out, "</svg>\n");
}
