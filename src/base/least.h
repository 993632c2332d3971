/* least.h: the lesser and the greater of two whole numbers. */
#pragma once
#include <stdint.h>

static inline int64_t ik_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t ik_max(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int     ik_min_int(int a, int b) { return a < b ? a : b; }
static inline int     ik_max_int(int a, int b) { return a > b ? a : b; }
