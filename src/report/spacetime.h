/* spacetime.h: a timeline as a picture: elements downwards, cycles to the right, what each did in
 * colours.
 *
 * An element has three lanes: what it sends, what it receives, and what its core does (computes,
 * moves words of its memory, waits).  The height of a bar is the share of the time, so that spans
 * too short to be drawn still show.  Colours have a light and a dark form, as those of svg.h, whose
 * style (ik_svg_css) the page must have; a picture with `standalone` brings it along.
 */
#pragma once
#include "base/buf.h"
#include "sim/timeline.h"
#include <stdbool.h>

typedef struct ik_spacetime {
  const ik_timeline *timeline;
  const char        *title;    /* NULL: the timeline's */
  const char        *only;     /* spans whose name ends with this word; NULL: all */
  int64_t            from, to; /* cycles; to <= from: from the first span to the last */
  int                first;    /* element of the uppermost row ... */
  int                count; /* ... and how many follow; 0: the line that ik_spacetime_line finds */
  int                w;     /* in CSS pixels; 0: 960 */
  bool               standalone;
} ik_spacetime;

/* With `only`, the steps of a protocol are told apart: each has its shade and its number. */
void ik_svg_spacetime(const ik_spacetime *s, ik_buf *out);

/* Two figures of a page: all that some elements did, and one round of their protocol; without one,
 * the beginning from near. */
void ik_spacetime_page(const ik_timeline *t, ik_buf *page);

/* The elements to show if not all can be: the row in the middle, at most `most` of it. */
void ik_spacetime_line(const ik_timeline *t, int most, int *first, int *count);

/* The first round of a protocol with steps, if there is one: the word with which the names of its
 * spans end ("east" of "send east"), and the cycles from its first step to the end of its last. Of
 * several words it is that of which the line of ik_spacetime_line shows most. */
bool ik_spacetime_round(const ik_timeline *t, const char **word, int64_t *from, int64_t *to);

/* Share of the cycles from..to in which each element computes, sends, or moves words of its memory:
 * busy[nelement], 0..1.  Taking words as they come does not count: it lasts as long as they take.
 */
void ik_spacetime_busy(const ik_timeline *t, int64_t from, int64_t to, double *busy);
/* The cycles of all spans; both 0 without any. */
void ik_spacetime_extent(const ik_timeline *t, int64_t *from, int64_t *to);
