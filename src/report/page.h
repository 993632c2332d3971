/* page.h: the picture and the report of a run. */
#pragma once
#include "facts/facts.h"
#include "report/frame.h"
#include "runtime/outcome.h"

typedef struct ik_page_input { /* all borrowed */
  const ik_ir        *ir;
  const ik_facts     *facts;
  const ik_loop      *loop;
  const char         *source; /* text of the program */
  const char         *target, *version;
  const ik_simulated *simulated; /* NULL: the machine is real */
  const char         *command;   /* as typed; NULL if unknown */
  const ik_outcome   *outcome;   /* predicted and measured */
  const char         *machine;   /* that it ran on; NULL if unknown */
  const char         *date;
  const char         *parameters; /* with their values */
  const char         *plan;       /* in words; of what has nothing to choose, what it is */
  int                 threads;
  const char         *summary; /* lines for people */
  const char         *json;    /* the run as an object */
} ik_page_input;

typedef struct ik_page_slice {
  int     field;
  int     axis; /* 3D: cut across it; -1: the field is a plane or a line */
  int64_t index;
  double  lo, hi; /* range of colours; equal: chosen */
} ik_page_slice;

ik_page_slice ik_page_default_slice(const ik_page_input *in); /* the first field that changes */
ik_page_slice ik_page_slice_of(const ik_page_input *in, int field);

/* E043 if the slice lies outside, which does not take values to know. */
ik_status ik_page_check_slice(const ik_page_input *in, const ik_page_slice *s, ik_diag *d);
/* E043 if the slice lies outside; E064. */
ik_status ik_page_picture(const ik_page_input *in, const ik_page_slice *s, const char *path,
                          ik_diag *d);

/* Makes the folder if need be and writes `html` to report.html and `json` to report.json; `page`
 * gets the path of the former.  E064. */
ik_status ik_page_save(const char *directory, const ik_buf *html, const char *json, ik_buf *page,
                       ik_diag *d);
/* The report of a run, saved so. */
ik_status ik_page_write(const ik_page_input *in, const char *directory, ik_buf *page, ik_diag *d);
