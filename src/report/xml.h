/* xml.h: text and bytes as SVG and HTML can hold them. */
#pragma once
#include "base/buf.h"
#include <stdint.h>

/* Next code point of UTF-8 text that is not at its end.  What is no UTF-8 (overlong forms and
 * surrogates included) gives U+FFFD, one byte at a time. */
uint32_t ik_utf8_next(const char **text);

/* Appends text so that it shows as it is, in an element or in a quoted attribute: & < > " ' are
 * escaped; control characters other than tab and newline, and what is no UTF-8, become U+FFFD.
 * NULL appends nothing. */
void ik_xml_text(ik_buf *b, const char *text);

void ik_xml_base64(ik_buf *b, const void *bytes, size_t len); /* RFC 4648, with padding */
