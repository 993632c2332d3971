/* html.h: a page in one file: no scripts, nothing loaded from elsewhere, light and dark.
 *
 * Between ik_html_begin() and ik_html_end() the parts are appended in the order they appear.  All
 * text is escaped; texts may be NULL.  Running out of memory shows in the buffer's `failed`.
 */
#pragma once
#include "base/buf.h"

void ik_html_begin(ik_buf *b, const char *title, const char *subtitle);
void ik_html_end(ik_buf *b, const char *footer);

void ik_html_section(ik_buf *b, const char *title);
void ik_html_text(ik_buf *b, const char *text); /* a paragraph */
void ik_html_code(ik_buf *b, const char *text); /* as it is, in a fixed-width font */

typedef struct ik_html_fact {
  const char *name, *value;
} ik_html_fact;

void ik_html_facts(ik_buf *b, const ik_html_fact *fact,
                   int n); /* names and values in two columns */

typedef struct ik_html_table {
  const char        *caption;
  const char        *align; /* a letter for each column: l, r or c; missing ones are l */
  const char *const *head;  /* [ncol] */
  const char *const *cell;  /* [nrow][ncol] */
  int                ncol, nrow;
} ik_html_table;

void ik_html_table_add(ik_buf *b, const ik_html_table *t);

/* Figures: a PNG as it was encoded, with the text for those who cannot see it; and SVG text from
 * svg.h, which is not escaped. */
void ik_html_png(ik_buf *b, const ik_buf *png, const char *alt, const char *caption);
void ik_html_svg(ik_buf *b, const char *svg, const char *caption);
