/* The tables of "Analytical Cost Metrics" (paper 003): what must agree does, and what cannot says
 * so. */
#include "apps/study/papers.h"
#include "base/mem.h"
#include "check.h"

typedef struct shown {
  ik_buf text, out;
} shown;

static shown show(void) {
  shown   s = {0};
  ik_json json = {.out = &s.out};
  ik_json_open(&json, NULL, '{');
  ik_paper003_write(&(ik_published_book){.text = &s.text, .json = &json});
  ik_json_close(&json, '}');
  return s;
}

static void release(shown *s) { ik_buf_free(&s->text), ik_buf_free(&s->out); }

/* The row of a table: its first line after the title that begins with `what`. */
static const char *row(const shown *s, const char *title, const char *what) {
  const char *at = strstr(ik_buf_text(&s->text), title);
  char        start[80];
  snprintf(start, sizeof start, "\n  %s ", what);
  at = at ? strstr(at, start) : NULL;
  if (!at) check_fail(__FILE__, __LINE__, "no row '%s' in '%s'", what, title);
  return at ? at + strlen(start) : "";
}

/* Published, ours and difference of a row. */
static void is(const shown *s, const char *title, const char *what, const char *published,
               const char *ours, const char *difference) {
  char p[64] = "", o[64] = "", d[64] = "";
  sscanf(row(s, title, what), "%63s %63s %63s", p, o, d);
  CHECK_STR(p, published);
  CHECK_STR(o, ours);
  CHECK_STR(d, difference);
}

/* 4000 chains: the mean over all lengths has a standard error of about 0.03. */
static void check_chains(const shown *s) {
  static const struct {
    const char *title;
    double      mean;
  } t[] = {{"Table D.1, 64 KB, as printed", 9.40},
           {"Table D.1, 96 KB, as printed", 13.29},
           {"Table D.1, 64 KB, corrected", 7.26},
           {"Table D.1, 96 KB, corrected", 11.82}};
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    double published = 0, ours = 0;
    sscanf(row(s, t[i].title, "mean of 3..20"), "%lf %lf", &published, &ours);
    CHECK_NEAR(ours, t[i].mean, 0.09);
  }
}

CASE(all_tables) {
  shown s = show();
  CHECK(!s.text.failed && !s.out.failed);
  is(&s, "Table A.2", "n_SM, Titan X", "24", "24", "0");
  is(&s, "Table A.4", "Gradient2D, Titan X", "7.60e-8", "7.6000e-08", "0");
  is(&s, "Section A.5", "data points in all", "108800", "108800", "0");
  is(&s, "Section A.6", "tile chosen by the model, s", "16.5", "16.503", "0");
  is(&s, "Section A.6", "ideal time, s", "-", "16.34772", "-");
  is(&s, "Table B.2, Model A", "e_fmul", "3.7e-11", "3.700e-11", "0");
  is(&s, "Table B.2, Model A", "e_iadd + e_imax", "-", "1.2e-10", "-");
  is(&s, "the models on examples", "A, SW 16384 x 16384, tile 128 x 128, 0.5 s", "-", "24.29755",
     "-");
  is(&s, "Equation (C.7)", "SM", "7.317", "7.31793", "0");
  is(&s, "Section C.2", "GTX 980", "398", "397.99", "0");
  is(&s, "Section C.2", "Titan X", "589.2", "596.984", "+1.32");
  is(&s, "Table C.2, areas", "Heat3D", "447", "447.94", "0");
  is(&s, "Table D.2", "keep A2", "1761280.891", "1761280.89081", "0");
  is(&s, "Table D.3", "right, 936 1008 552 368", "3410650.22", "5159396.4898", "+51.27");
  is(&s, "Figure D.11", "T5, F alone", "79", "78.83", "0");
  is(&s, "Section D.7", "multiply-adds", "1092977664", "1092977664", "0");
  is(&s, "Section D.7", "S, nothing fused", "10190344", "10190344", "0");
  is(&s, "Section D.7", "F(1,6) + P0 Pn", "8392058", "8392058.66", "0");
  is(&s, "Section D.7", "saved, %", "17.6", "17.647", "0");
  is(&s, "Section D.7", "saved, corrected, %", "17.6", "8.509", "-51.66");
  is(&s, "Section D.7", "tile of T4, y", "296", "296", "0");
  check_chains(&s);
  release(&s);
}

CASE(out_of_memory) {
  for (int k = 0; k < 2; k++) {
    ik_mem_fail_after(k);
    shown s = show();
    ik_mem_fail_after(-1);
    CHECK(s.text.failed || s.out.failed);
    release(&s);
  }
}
