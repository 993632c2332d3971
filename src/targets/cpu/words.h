/* words.h: the words of rt/simd.h, and what the functions around them call their places. */
#pragma once
#include "emit/expr.h"

extern const ik_words ik_cpu_words;
