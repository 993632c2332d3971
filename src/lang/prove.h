/* prove.h: tries the edits that messages propose, and lets the help offer those that work. */
#pragma once
#include "lang/lang.h"

/* Makes each edit in turn, compiles the text again and keeps the edit if its error is gone and no
 * other has come in its place.  A message's help becomes the edits that are left; one of which none
 * is left keeps the help that it has.  `text` is the program; `opt` as it was compiled with, or
 * NULL for a text that was only parsed.  Fails only for lack of memory. */
ik_status ik_lang_prove(const ik_source *text, const ik_lower_options *opt, ik_diag *d);
