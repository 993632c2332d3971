/* shrink.h: makes a program that fails small. */
#pragma once
#include "base/buf.h"

/* Takes lines away from the text as long as `fails` says that it fails without them. */
void shrink(ik_buf *text, bool (*fails)(const char *text, void *ctx), void *ctx);
