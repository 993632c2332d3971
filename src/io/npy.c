#include "io/npy.h"
#include "io/decode.h"
#include "io/raw.h"
#include <string.h>

static const char MAGIC[] = "\x93NUMPY";
enum { MAGIC_LEN = 6, BEFORE_V1 = 10, BEFORE_V2 = 12 };

/* ------------------------------------------------------------------------------------ reading */

/* The header is a Python dictionary: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
 * Each function below eats its part and returns NULL, or what is wrong. */
typedef struct cursor {
  const char *p, *end;
} cursor;

static char peek(cursor *c) {
  while (c->p < c->end && (*c->p == ' ' || *c->p == '\n' || *c->p == '\t')) c->p++;
  return c->p < c->end ? *c->p : 0;
}

static bool eat(cursor *c, char ch) {
  if (peek(c) != ch) return false;
  c->p++;
  return true;
}

static bool eat_word(cursor *c, const char *word) {
  size_t len = strlen(word);
  peek(c);
  if ((size_t)(c->end - c->p) < len || memcmp(c->p, word, len)) return false;
  c->p += len;
  return true;
}

static const char *eat_string(cursor *c, char *out, size_t cap) {
  char   quote = peek(c);
  size_t len = 0;
  if (quote != '\'' && quote != '"') return "a string was expected in its header";
  for (c->p++; c->p < c->end && *c->p != quote; c->p++) {
    if (len + 1 >= cap) return "a string in its header is too long";
    out[len++] = *c->p;
  }
  if (c->p == c->end) return "a string in its header is never closed";
  c->p++;
  out[len] = 0;
  return NULL;
}

static const char *eat_length(cursor *c, int64_t *out) {
  char ch = peek(c);
  if (ch < '0' || ch > '9') return "its shape is not a list of whole numbers";
  for (*out = 0; c->p < c->end && *c->p >= '0' && *c->p <= '9'; c->p++)
    if (__builtin_mul_overflow(*out, 10, out) || __builtin_add_overflow(*out, *c->p - '0', out))
      return "an extent in its shape is too large";
  if (c->p < c->end && *c->p == 'L') c->p++; /* Python 2 wrote longs so */
  return NULL;
}

static const char *eat_shape(cursor *c, ik_encoding *l) {
  int64_t     slow_first[IK_ARRAY_DIMS];
  const char *wrong;
  l->ndim = 0;
  if (!eat(c, '(')) return "its shape is not a tuple";
  while (!eat(c, ')')) {
    if (l->ndim == IK_ARRAY_DIMS) return "it has more than four axes";
    if ((wrong = eat_length(c, &slow_first[l->ndim++]))) return wrong;
    if (!eat(c, ',') && peek(c) != ')') return "its shape is never closed";
  }
  for (int i = 0; i < IK_ARRAY_DIMS; i++) l->n[i] = i < l->ndim ? slow_first[l->ndim - 1 - i] : 1;
  return NULL;
}

/* "<f8": byte order, kind, bytes. */
static const char *set_type(ik_encoding *l, const char *descr) {
  static const char other[] = "its type is none of f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1";
  char              kind = descr[0] ? descr[1] : 0;
  if (!kind || !strchr("<>|=", descr[0]) || !descr[2] || descr[3]) return other;
  l->big = descr[0] == '>';
  l->kind = kind == 'b' ? 'u' : kind;
  l->bytes = descr[2] - '0';
  const char *widths = kind == 'f' ? "248" : kind == 'b' ? "1" : "1248";
  return strchr("fiub", kind) && strchr(widths, descr[2]) ? NULL : other;
}

static const char *eat_type(cursor *c, ik_encoding *l) {
  char        descr[16];
  const char *wrong;
  if (peek(c) == '[') return "it holds records, not plain numbers";
  if ((wrong = eat_string(c, descr, sizeof descr))) return wrong;
  return set_type(l, descr);
}

static const char *eat_order(cursor *c, ik_encoding *l) {
  l->fortran = eat_word(c, "True");
  return l->fortran || eat_word(c, "False") ? NULL : "fortran_order is neither True nor False";
}

static const char *eat_entry(cursor *c, ik_encoding *l, unsigned *seen) {
  static const struct {
    const char *key;
    const char *(*eat)(cursor *, ik_encoding *);
  } entries[] = {{"descr", eat_type}, {"fortran_order", eat_order}, {"shape", eat_shape}};
  char        key[32];
  const char *wrong;
  if ((wrong = eat_string(c, key, sizeof key))) return wrong;
  if (!eat(c, ':')) return "a colon was expected in its header";
  for (int i = 0; i < 3; i++)
    if (strcmp(key, entries[i].key) == 0) {
      *seen |= 1u << i;
      return entries[i].eat(c, l);
    }
  return "its header has an entry that is not part of the format";
}

static const char *eat_header(cursor *c, ik_encoding *l) {
  unsigned    seen = 0;
  const char *wrong;
  if (!eat(c, '{')) return "its header is not a dictionary";
  while (!eat(c, '}')) {
    if ((wrong = eat_entry(c, l, &seen))) return wrong;
    if (!eat(c, ',') && peek(c) != '}') return "its header is never closed";
  }
  return seen == 7 ? NULL : "its header lacks descr, fortran_order or shape";
}

/* Finds the header, reads it, and says where the numbers start. */
static const char *parse(const ik_buf *file, ik_encoding *l, size_t *start) {
  const unsigned char *b = (const unsigned char *)file->data;
  if (file->len < BEFORE_V2 || memcmp(b, MAGIC, MAGIC_LEN))
    return "it does not start with \\x93NUMPY";
  bool   v1 = b[6] == 1;
  size_t before = v1 ? BEFORE_V1 : BEFORE_V2;
  size_t len = b[8] | (size_t)b[9] << 8;
  if (b[6] < 1 || b[6] > 3) return "its version is not 1, 2 or 3";
  if (!v1) len |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
  if (len > file->len - before) return "it ends inside its header";
  *start = before + len;
  cursor c = {file->data + before, file->data + *start};
  return eat_header(&c, l);
}

ik_status ik_npy_decode(ik_buf *file, const char *path, ik_span at, ik_array *out, ik_diag *d) {
  ik_encoding l = {0};
  size_t      start = 0;
  const char *wrong = parse(file, &l, &start);
  if (!wrong) return ik_decode(&l, file, start, path, at, out, d);
  return ik_fail(d, IK_ERR_SOURCE, IK_E063, at, "'%s' cannot be read as .npy: %s", path, wrong);
}

ik_status ik_npy_read(const char *path, ik_span at, ik_array *out, ik_diag *d) {
  ik_buf file = {0};
  *out = (ik_array){0};
  IK_TRY(ik_file_read(path, IK_FILE_MOST, at, &file, d));
  ik_status s = ik_npy_decode(&file, path, at, out, d);
  ik_buf_free(&file);
  return s;
}

/* ------------------------------------------------------------------------------------ writing */

static const char *descr_of(ik_dtype t) {
  static const char *const descr[] = {[IK_DT_F64] = "<f8",
                                      [IK_DT_F32] = "<f4",
                                      [IK_DT_F16] = "<f2",
                                      [IK_DT_BF16] = "<f4",
                                      [IK_DT_I32] = "<i4"};
  return descr[t];
}

/* Version 1.0, padded with blanks so that the numbers start at a multiple of 64. */
static void put_header(const ik_array *a, ik_buf *out) {
  ik_buf dict = {0};
  ik_buf_printf(&dict, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr_of(a->dtype));
  for (int i = a->ndim - 1; i >= 0; i--)
    ik_buf_printf(&dict, i || a->ndim == 1 ? "%lld, " : "%lld", (long long)a->n[i]);
  ik_buf_puts(&dict, "), }");
  size_t total = (BEFORE_V1 + dict.len + 1 + 63) / 64 * 64, len = total - BEFORE_V1;
  ik_buf_pad(&dict, ' ', (int)(len - dict.len - 1));
  ik_buf_putc(&dict, '\n');
  ik_buf_write(out, MAGIC, MAGIC_LEN);
  ik_buf_write(out, (char[]){1, 0, (char)(len & 255), (char)(len >> 8)}, 4);
  ik_buf_write(out, dict.data, dict.failed ? 0 : dict.len);
  out->failed |= dict.failed;
  ik_buf_free(&dict);
}

static ik_status write_plain(const char *path, const ik_array *a, ik_span at, ik_diag *d) {
  ik_buf     header = {0};
  ik_outfile o;
  put_header(a, &header);
  ik_status s = header.failed ? ik_file_oom(path, at, d) : ik_outfile_open(&o, path, at, d);
  if (!s) {
    ik_outfile_write(&o, header.data, header.len);
    ik_raw_put(&o, a);
    s = ik_outfile_commit(&o, d);
  }
  ik_buf_free(&header);
  return s;
}

ik_status ik_npy_write(const char *path, const ik_array *a, ik_span at, ik_diag *d) {
  if (a->dtype != IK_DT_BF16) return write_plain(path, a, at, d);
  ik_array wide;
  if (!ik_array_to_f32(a, &wide)) return ik_file_oom(path, at, d);
  ik_status s = write_plain(path, &wide, at, d);
  ik_array_free(&wide);
  return s;
}
