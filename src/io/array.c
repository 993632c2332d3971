#include "io/array.h"
#include "base/mem.h"
#include <math.h>
#include <string.h>

static const struct {
  const char *name;
  size_t      bytes;
} dtypes[] = {
    [IK_DT_F64] = {"f64", 8},   [IK_DT_F32] = {"f32", 4}, [IK_DT_F16] = {"f16", 2},
    [IK_DT_BF16] = {"bf16", 2}, [IK_DT_I32] = {"i32", 4},
};

size_t      ik_dtype_bytes(ik_dtype t) { return dtypes[t].bytes; }
const char *ik_dtype_name(ik_dtype t) { return dtypes[t].name; }

int64_t ik_array_size(ik_dtype t, int ndim, const int64_t *n) {
  int64_t bytes = (int64_t)ik_dtype_bytes(t);
  bool    overflow = false, empty = false;
  for (int i = 0; i < ndim; i++) {
    if (n[i] < 0) return -1;
    if (n[i] == 0)
      empty = true;
    else
      overflow |= __builtin_mul_overflow(bytes, n[i], &bytes);
  }
  return overflow ? -1 : empty ? 0 : bytes;
}

bool ik_array_alloc(ik_array *a, ik_dtype t, int ndim, const int64_t *n) {
  *a = (ik_array){.dtype = t, .ndim = ndim, .n = {1, 1, 1, 1}};
  for (int i = 0; i < ndim; i++) a->n[i] = n[i];
  int64_t bytes = ik_array_size(t, ndim, n);
  if (bytes >= 0) a->data = ik_malloc((size_t)bytes);
  return a->data != NULL;
}

void ik_array_free(ik_array *a) {
  ik_free(a->data);
  *a = (ik_array){0};
}

int64_t ik_array_count(const ik_array *a) { return a->n[0] * a->n[1] * a->n[2] * a->n[3]; }

int64_t ik_array_slice(const ik_array *a) {
  return a->gap ? ik_array_count(a) / a->n[a->ndim - 1] : ik_array_count(a);
}

static double from_f16(uint16_t h) {
  int    exponent = h >> 10 & 31, fraction = h & 1023;
  double v = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
             : exponent     ? ldexp(fraction + 1024, exponent - 25)
                            : ldexp(fraction, -24);
  return h >> 15 ? -v : v;
}

static double from_bf16(uint16_t h) {
  uint32_t bits = (uint32_t)h << 16;
  float    v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

double ik_array_get(const ik_array *a, int64_t i) {
  if (a->gap) i += i / ik_array_slice(a) * a->gap;
  switch (a->dtype) {
  case IK_DT_F64: return ((const double *)a->data)[i];
  case IK_DT_F32: return ((const float *)a->data)[i];
  case IK_DT_F16: return from_f16(((const uint16_t *)a->data)[i]);
  case IK_DT_BF16: return from_bf16(((const uint16_t *)a->data)[i]);
  case IK_DT_I32: return ((const int32_t *)a->data)[i];
  }
  return NAN;
}

bool ik_array_to_f32(const ik_array *a, ik_array *out) {
  if (!ik_array_alloc(out, IK_DT_F32, a->ndim, a->n)) return false;
  float *to = out->data;
  for (int64_t i = 0, count = ik_array_count(a); i < count; i++) to[i] = (float)ik_array_get(a, i);
  return true;
}
