#include "io/decode.h"
#include "io/file.h"
#include <string.h>

ik_encoding ik_encoding_of(ik_dtype t, int ndim, const int64_t *n) {
  ik_encoding l = {.kind = t == IK_DT_I32    ? 'i'
                           : t == IK_DT_BF16 ? 'b'
                                             : 'f',
                   .bytes = (int)ik_dtype_bytes(t),
                   .ndim = ndim,
                   .n = {1, 1, 1, 1}};
  for (int i = 0; i < ndim; i++) l.n[i] = n[i];
  return l;
}

static bool is_float(const ik_encoding *l) { return l->kind == 'f' || l->kind == 'b'; }

static ik_dtype dtype_of(const ik_encoding *l) {
  if (l->kind == 'b') return IK_DT_BF16;
  if (l->kind != 'f') return IK_DT_I32;
  return l->bytes == 8 ? IK_DT_F64 : l->bytes == 4 ? IK_DT_F32 : IK_DT_F16;
}

/* Bytes of the numbers in the file, or -1 where no file can hold them. */
static int64_t size_in_file(const ik_encoding *l) {
  int64_t ours = ik_array_size(dtype_of(l), l->ndim, l->n), bytes;
  if (ours < 0) return -1;
  int64_t count = ours / (int64_t)ik_dtype_bytes(dtype_of(l));
  return __builtin_mul_overflow(count, l->bytes, &bytes) ? -1 : bytes;
}

static void put_shape(ik_buf *b, const ik_encoding *l) {
  for (int i = 0; i < l->ndim; i++) ik_buf_printf(b, i ? " x %lld" : "%lld", (long long)l->n[i]);
  if (!l->ndim) ik_buf_puts(b, "1");
}

static ik_status check_size(const ik_encoding *l, size_t len, size_t off, const char *path,
                            ik_span at, ik_diag *d) {
  int64_t want = size_in_file(l);
  if (want == (int64_t)(len - off) && want > 0) return IK_OK;
  ik_buf shape = {0};
  put_shape(&shape, l);
  if (want < 0)
    ik_fail(d, IK_ERR_SOURCE, IK_E063, at, "'%s' claims a shape of %s, more than a file can hold",
            path, ik_buf_text(&shape));
  else if (want == 0)
    ik_fail(d, IK_ERR_SOURCE, IK_E063, at, "'%s' holds no numbers: its shape is %s", path,
            ik_buf_text(&shape));
  else
    ik_fail(d, IK_ERR_SOURCE, IK_E063, at,
            "'%s': expected %lld bytes of data (%s numbers of %d bytes), found %lld", path,
            (long long)want, ik_buf_text(&shape), l->bytes, (long long)(len - off));
  ik_buf_free(&shape);
  return IK_ERR_SOURCE;
}

static uint64_t load(const unsigned char *p, int bytes, bool big) {
  uint64_t v = 0;
  for (int b = 0; b < bytes; b++) v |= (uint64_t)p[big ? bytes - 1 - b : b] << 8 * b;
  return v;
}

/* False: the integer does not fit in i32. */
static bool to_i32(const ik_encoding *l, uint64_t bits, int32_t *out) {
  int     unused = 64 - 8 * l->bytes;
  int64_t v = (int64_t)(bits << unused) >> unused;
  if (l->kind == 'u') v = bits > INT32_MAX ? INT64_MAX : (int64_t)bits;
  *out = (int32_t)v;
  return v >= INT32_MIN && v <= INT32_MAX;
}

static bool convert_one(const ik_encoding *l, const unsigned char *from, void *data, int64_t i) {
  uint64_t bits = load(from, l->bytes, l->big);
  if (!is_float(l)) return to_i32(l, bits, (int32_t *)data + i);
  memcpy((char *)data + i * l->bytes, &bits, (size_t)l->bytes);
  return true;
}

/* Walks the array in memory order with the file's strides.  Returns the first number that does not
 * fit, or -1. */
static int64_t convert(const ik_encoding *l, const unsigned char *file, void *data) {
  int64_t stride[IK_ARRAY_DIMS], step = l->bytes, i = 0;
  for (int k = 0; k < IK_ARRAY_DIMS; k++) {
    int axis = l->fortran ? IK_ARRAY_DIMS - 1 - k : k;
    stride[axis] = step;
    step *= l->n[axis];
  }
  for (int64_t d = 0; d < l->n[3]; d++)
    for (int64_t c = 0; c < l->n[2]; c++)
      for (int64_t b = 0; b < l->n[1]; b++) {
        const unsigned char *row = file + d * stride[3] + c * stride[2] + b * stride[1];
        for (int64_t a = 0; a < l->n[0]; a++, i++)
          if (!convert_one(l, row + a * stride[0], data, i)) return i;
      }
  return -1;
}

/* The file's bytes are the array's: move them to the front and keep the buffer. */
static void adopt(const ik_encoding *l, ik_buf *file, size_t off, ik_array *out) {
  *out = (ik_array){.dtype = dtype_of(l), .ndim = l->ndim, .data = file->data};
  memcpy(out->n, l->n, sizeof out->n);
  memmove(file->data, file->data + off, file->len - off);
  *file = (ik_buf){0};
}

ik_status ik_decode(const ik_encoding *l, ik_buf *file, size_t off, const char *path, ik_span at,
                    ik_array *out, ik_diag *d) {
  IK_TRY(check_size(l, file->len, off, path, at, d));
  bool ours = is_float(l) || (l->kind == 'i' && l->bytes == 4);
  if (ours && !l->big && (!l->fortran || l->ndim < 2)) return adopt(l, file, off, out), IK_OK;
  if (!ik_array_alloc(out, dtype_of(l), l->ndim, l->n)) return ik_file_oom(path, at, d);
  int64_t bad = convert(l, (const unsigned char *)file->data + off, out->data);
  if (bad < 0) return IK_OK;
  ik_array_free(out);
  return ik_fail(d, IK_ERR_SOURCE, IK_E063, at,
                 "'%s': number %lld is an integer that does not fit in 32 bits", path,
                 (long long)bad);
}
