/* diag.h: what is wrong, where, and what would be right.
 *
 * A message is written once, at the place that knows most, into the ik_diag passed along.  It has a
 * stable code (base/codes.h; `ikat explain CODE` shows the long text), a span of source text, notes
 * that may point at a second place, and a line of help.  Up to IK_DIAG_MAX messages are kept, and
 * none twice: a function with a mistake may be expanded many times.
 *
 * A message may also have edits of the text that could put it right.  They are no more than
 * proposals until somebody has tried them (lang/prove.h); only then does the help speak of them.
 */
#pragma once
#include "base/buf.h"
#include "ikat/status.h"
#include <stdbool.h>
#include <stddef.h>

typedef enum ik_code {
#define IK_CODE(code, title) IK_##code,
#include "base/codes.h"
#undef IK_CODE
  IK_NCODES
} ik_code;

typedef struct ik_source { /* a text and where it came from; borrowed by every span into it */
  const char *name;        /* "heat.ik", "command line" */
  const char *text;
  size_t      len;
} ik_source;

typedef struct ik_span { /* src == NULL: no place in a text */
  const ik_source *src;
  int              off, len;
} ik_span;

enum { IK_DIAG_MAX = 20, IK_DIAG_NOTES = 4, IK_DIAG_FIXES = 3 };

typedef struct ik_note {
  ik_span span;
  ik_buf  text;
} ik_note;

typedef struct ik_fix { /* the text of `at`, which may be empty, replaced by `with` */
  ik_span at;
  ik_buf  with, text; /* text: how the help says it */
} ik_fix;

typedef struct ik_message {
  ik_code code;
  bool    warning;
  ik_span span;
  ik_buf  text, help;
  ik_note note[IK_DIAG_NOTES];
  int     nnote;
  ik_fix  fix[IK_DIAG_FIXES];
  int     nfix;
  bool    proven; /* those in fix[] have been tried, and work */
} ik_message;

typedef struct ik_diag {
  ik_message msg[IK_DIAG_MAX];
  int        nmsg, nerror, ndropped;
  bool       repeated; /* the newest has been told before, and what is added to it, too */
} ik_diag;

void ik_diag_free(ik_diag *d);

/* Each returns its status argument or IK_ERR_SOURCE, so that `return ik_error(...)` reads well. */
ik_status ik_error(ik_diag *d, ik_code c, ik_span at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
ik_status ik_fail(ik_diag *d, ik_status s, ik_code c, ik_span at, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
void ik_warn(ik_diag *d, ik_code c, ik_span at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Add to the newest message. */
void ik_note_add(ik_diag *d, ik_span at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void ik_help(ik_diag *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* An edit to be tried, and what the help says of it.  A help that is there already stands. */
void ik_fix_add(ik_diag *d, ik_span at, const char *with, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void ik_fix_free(ik_fix *f);

#define IK_NOSPAN ((ik_span){0})

/* 1-based line and column of an offset. */
void    ik_source_position(const ik_source *s, int off, int *line, int *col);
ik_span ik_span_join(ik_span a, ik_span b);
/* What a span holds, in one line without comments; after `most` bytes it ends with "...".  `out`
 * has room for `most` + 4. */
void ik_span_excerpt(ik_span s, int most, char *out);

/* All messages as a person reads them: file:line:col, the line, a caret, notes, help. */
void ik_diag_render(const ik_diag *d, bool colour, ik_buf *out);
/* The same as a JSON array. */
void ik_diag_json(const ik_diag *d, ik_buf *out);

const char *ik_code_name(ik_code c);        /* "E012" */
const char *ik_code_title(ik_code c);       /* one line */
int         ik_code_find(const char *name); /* -1 if there is none */

#define IK_TRY(call)                                                                               \
  do {                                                                                             \
    ik_status try_ = (call);                                                                       \
    if (try_) return try_;                                                                         \
  } while (0)

void ik_assert_failed(const char *file, int line, const char *what) __attribute__((noreturn));
#define IK_ASSERT(c) ((c) ? (void)0 : ik_assert_failed(__FILE__, __LINE__, #c))
