/* sanitized.h: generated code under AddressSanitizer, in tests that are built with it. */
#pragma once
#include <stdbool.h>

bool is_sanitized(void); /* is this build? */

/* From now on the C compiler that the engine finds adds the sanitizer's flags.  Does nothing in a
 * build without AddressSanitizer.  May be called again. */
void sanitize_generated_code(void);
