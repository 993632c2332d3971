/* array.h: numbers of one type on up to four axes, as files hold them.
 *
 * `n[0]` is the fastest (contiguous) axis; entries of `n` beyond `ndim` are 1.  The library runs on
 * little-endian machines, so the bytes of an array are those of a little-endian file.
 * An ik_array may also be a view of memory that someone else owns: then nobody frees it here, and
 * it may have gaps, which ik_array_get passes over.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ik_dtype { IK_DT_F64, IK_DT_F32, IK_DT_F16, IK_DT_BF16, IK_DT_I32 } ik_dtype;

enum { IK_ARRAY_DIMS = 4 };

typedef struct ik_array {
  ik_dtype dtype;
  int      ndim;
  int64_t  n[IK_ARRAY_DIMS];
  void    *data;
  int64_t  gap; /* elements between slices across the last axis; 0 but in views */
} ik_array;

size_t      ik_dtype_bytes(ik_dtype t);
const char *ik_dtype_name(ik_dtype t); /* "f64" */

/* Bytes that such an array needs, or -1 when a length is negative or the product overflows. */
int64_t ik_array_size(ik_dtype t, int ndim, const int64_t *n);

/* Sets type and shape and allocates, uninitialised.  False (and `data` NULL): the size is negative
 * or overflows, or memory ran out. */
bool ik_array_alloc(ik_array *a, ik_dtype t, int ndim, const int64_t *n);
void ik_array_free(ik_array *a);

int64_t ik_array_count(const ik_array *a);
/* How many of the numbers lie one after the other before a gap: all of them if there is none. */
int64_t ik_array_slice(const ik_array *a);
double  ik_array_get(const ik_array *a, int64_t i); /* the i-th number in memory order; exact */

/* A copy with every number as f32, rounded to nearest where f32 cannot hold it; exact for f16 and
 * bf16.  False: out of memory. */
bool ik_array_to_f32(const ik_array *a, ik_array *out);
