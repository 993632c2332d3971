/* words.h: the words of rt/simd.h, and what the functions around them call their places. */
#pragma once
#include "emit/expr.h"

extern const ik_words ik_cpu_words;

/* The head of a file for the C compiler, of so many lanes and with what it includes. */
ik_tree *ik_cpu_file(const char *title, const ik_ir *ir, const char *plan, int lanes,
                     int vector_bytes, ik_arena *a);
void     ik_cpu_file_print(const ik_tree *file, ik_buf *out);
