/* model_page.h: what `ikat bench model` measured, as a page: a dot for each plan of each case,
 * predicted against measured. */
#pragma once
#include "apps/tune/tune.h"

typedef struct ik_model_dot {
  char   strategy[24], what[72]; /* what: the case */
  char   plan[120];              /* cut where it is longer */
  double measured, predicted;    /* 1e9 cells a second */
  bool   chosen;                 /* without measuring */
} ik_model_dot;

typedef struct ik_model_page {
  ik_model_dot *dot;
  int           n, cap;
  bool          failed; /* no memory */
} ik_model_page;

/* The plans of a case that were predicted and measured. */
void ik_model_page_add(ik_model_page *p, const char *what, const ik_tune_job *j);
/* report.html and report.json in a folder, which is made; `text`: the figures for a person, or
 * "".  E064, E072. */
ik_status ik_model_page_write(const ik_model_page *p, const char *folder, const char *text,
                              ik_diag *d);
void      ik_model_page_free(ik_model_page *p);
