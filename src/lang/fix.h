/* fix.h: remedies that can be pasted: the user's own line, put right. */
#pragma once
#include "base/diag.h"

/* Adds to the newest message the line around `at` with the text of `at` replaced by `with`.  An
 * empty span inserts.  Does nothing if the message has a help already. */
void ik_lang_fix(ik_diag *d, ik_span at, const char *with);
/* Help that shows the line with text added before and behind a place. */
void ik_lang_fix_around(ik_diag *d, ik_span at, const char *before, const char *behind);
