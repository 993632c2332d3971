/* study.h: what the models say about a question, as tables for a person, as JSON and as a page.
 *
 * study stands above api: it asks models, machines and programs, and shows the answers.  The
 * answers themselves are computed elsewhere (model/, design/), by functions that print nothing.
 */
#pragma once
#include "base/buf.h"
#include "base/json.h"
#include "ikat/ikat.h"

struct ik_study {
  ik_buf title;   /* of the page */
  ik_buf text;    /* tables for a person */
  ik_buf json;    /* one object */
  ik_buf page;    /* the body of the page: charts; may be empty */
  ik_buf path;    /* of the page, when it is written */
  long   refused; /* ik_mem_refused() before it began */
};

/* NULL, and the log says so, when out of memory. */
ik_study *ik_study_create(const char *title, ik_log *log);
/* Gives the study away, or frees it if something went wrong on the way: `st`, or a buffer that
 * could not grow. */
ik_status ik_study_finish(ik_study *s, ik_status st, ik_log *log, ik_study **out);
