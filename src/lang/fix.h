/* fix.h: remedies that can be pasted: the user's own line, put right.
 *
 * Each is an edit that prove.h tries; where none works, the help that the caller adds behind it is
 * shown instead. */
#pragma once
#include "base/diag.h"

/* Proposes for the newest message the line around `at` with the text of `at` replaced by `with`.
 * An empty span inserts.  Does nothing if the message has a help already. */
void ik_lang_fix(ik_diag *d, ik_span at, const char *with);
/* The same, with text added before and behind a place. */
void ik_lang_fix_around(ik_diag *d, ik_span at, const char *before, const char *behind);
/* Proposes a line more at the top of a text: "declare it:  param k = 1" for `say` "declare it:". */
void ik_lang_fix_line(ik_diag *d, const ik_source *src, const char *say, const char *line);
/* Proposes text behind a place: said as `say` (which begins with "or " if it may stand beside what
 * was proposed before) and the text. */
void ik_lang_fix_behind(ik_diag *d, ik_span at, const char *say, const char *text);
/* Proposes a line more before the one that holds `at`. */
void ik_lang_fix_line_before(ik_diag *d, ik_span at, const char *say, const char *line);
