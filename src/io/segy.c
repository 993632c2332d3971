#include "io/segy.h"
#include "base/bits.h"
#include "base/mem.h"
#include "base/text.h"
#include "io/file.h"
#include <math.h>
#include <string.h>

enum { TEXT = 3200, BINARY = 400, TRACE = 240, SHORT_MOST = 65535 };

/* Byte numbers as the standard counts them, from 1: in the file for the binary header, in the trace
 * for the trace header. */
enum binary_field {
  B_TRACES = 3213,      /* i16: traces in a record */
  B_DT = 3217,          /* u16: microseconds */
  B_NS = 3221,          /* u16 */
  B_FORMAT = 3225,      /* i16 */
  B_SORTING = 3229,     /* i16: 1 as recorded */
  B_METRES = 3255,      /* i16: 1 */
  B_LONG_TRACES = 3261, /* rev 2: i32 */
  B_LONG_NS = 3269,     /* rev 2: i32 */
  B_LONG_DT = 3273,     /* rev 2: f64, microseconds */
  B_ORDER = 3297,       /* rev 2: i32 0x01020304, tells the byte order */
  B_REVISION = 3501,    /* u8 major, u8 minor */
  B_FIXED = 3503,       /* i16: 1, all traces have the same length */
  B_TEXTS = 3505,       /* i16: text headers that follow */
  B_MORE_TRACE = 3507,  /* rev 2: i32, further headers of each trace */
  B_FILE_TRACES = 3513, /* rev 2: u64, traces in the file */
};
enum trace_field {
  T_TRACL = 1,
  T_TRACR = 5,
  T_FLDR = 9,
  T_TRACF = 13,
  T_SHOTPOINT = 17,
  T_TRID = 29,
  T_OFFSET = 37,
  T_GELEV = 41,
  T_SDEPTH = 49,
  T_SCALEL = 69,
  T_SCALCO = 71,
  T_SX = 73,
  T_SY = 77,
  T_GX = 81,
  T_GY = 85,
  T_COUNIT = 89,
  T_NS = 115,
  T_DT = 117,
  T_CDP_X = 181,
  T_CDP_Y = 185,
  T_INLINE = 189,
  T_CROSSLINE = 193,
};

static void put(unsigned char *header, int64_t field, int bytes, uint64_t v) {
  for (int b = 0; b < bytes; b++) header[field - 1 + b] = (unsigned char)(v >> 8 * (bytes - 1 - b));
}

static uint64_t get(const unsigned char *header, int64_t field, int bytes) {
  uint64_t v = 0;
  for (int b = 0; b < bytes; b++) v = v << 8 | header[field - 1 + b];
  return v;
}

/* ------------------------------------------------------------------------------------- checks */

/* Microseconds as rev 1 holds them, or 0 where it cannot.  A few parts in 10^7 come from dt having
 * been an f32 once. */
static int short_dt(double dt_s) {
  double us = dt_s * 1e6, whole = rint(us);
  return whole >= 1 && whole <= SHORT_MOST && fabs(us - whole) <= 5e-7 * us ? (int)whole : 0;
}

static bool needs_rev2(const ik_segy_gather *g) {
  return g->nsample > SHORT_MOST || !short_dt(g->dt_s);
}

static ik_status check_rev1(const char *path, const ik_segy_gather *g, ik_span at, ik_diag *d) {
  if (g->nsample > SHORT_MOST) {
    ik_fail(d, IK_ERR_SOURCE, IK_E066, at,
            "'%s' needs %lld samples per trace, but SEG-Y rev 1 holds at most %d", path,
            (long long)g->nsample, SHORT_MOST);
    ik_help(d, "record every %lld steps, or allow SEG-Y rev 2, or write .npy or .h5",
            (long long)((g->nsample + SHORT_MOST - 1) / SHORT_MOST));
  } else {
    double us = g->dt_s * 1e6;
    ik_fail(d, IK_ERR_SOURCE, IK_E066, at,
            "'%s' needs a sample interval of %.9g us, but SEG-Y rev 1 holds whole numbers from 1 "
            "to %d",
            path, us, SHORT_MOST);
    double near = fmin(fmax(rint(us), 1), SHORT_MOST);
    ik_help(d, "record every %.0f us, or allow SEG-Y rev 2, or write .npy or .h5", near);
  }
  return IK_ERR_SOURCE;
}

/* The scale fields of a trace header: n > 0 stands for "times n", n < 0 for "divided by -n". */
static double units_per_metre(int scale) { return scale < 0 ? -scale : 1.0 / scale; }

/* Centimetres; finer when `fine` asks for it; the finest that holds `most` metres.  0: none does.
 */
static int scale_for(double most, bool fine) {
  static const int scales[] = {-10000, -100, -10, 1, 10, 100, 1000, 10000};
  for (int i = fine ? 0 : 1; i < (int)(sizeof scales / sizeof *scales); i++)
    if (most * units_per_metre(scales[i]) < INT32_MAX) return scales[i];
  return 0;
}

typedef struct scales {
  int horizontal, vertical; /* the fields scalco and scalel */
} scales;

typedef struct reach {
  double most;
  bool   fine; /* some position is no whole number of centimetres */
} reach;

/* NaN counts as infinite, which scale_for() refuses. */
static void extend(reach *r, double metres) {
  double cm = metres * 100, far = isnan(metres) ? (double)INFINITY : fabs(metres);
  if (far > r->most) r->most = far;
  if (fabs(cm - rint(cm)) > 1e-4) r->fine = true;
}

static scales scales_of(const ik_segy_gather *g) {
  reach across = {0}, down = {0};
  for (int64_t i = 0; i < g->ntrace; i++) {
    const ik_segy_point *r = &g->receiver[i], *s = &g->source[i];
    extend(&across, r->x), extend(&across, r->y), extend(&across, s->x), extend(&across, s->y);
    extend(&down, r->z), extend(&down, s->z);
  }
  return (scales){scale_for(across.most, across.fine), scale_for(down.most, down.fine)};
}

ik_status ik_segy_check(const char *path, const ik_segy_gather *g, ik_span at, ik_diag *d) {
  if (g->ntrace < 1 || g->ntrace > INT32_MAX || g->nsample < 1 || g->nsample > INT32_MAX)
    return ik_fail(d, IK_ERR_SOURCE, IK_E066, at,
                   "'%s' needs %lld traces of %lld samples, but SEG-Y holds 1 to %d of each", path,
                   (long long)g->ntrace, (long long)g->nsample, INT32_MAX);
  if (!(g->dt_s > 0) || isinf(g->dt_s))
    return ik_fail(d, IK_ERR_SOURCE, IK_E066, at, "'%s' needs a positive sample interval", path);
  if (needs_rev2(g) && !g->allow_rev2) return check_rev1(path, g, at, d);
  scales s = scales_of(g);
  if (s.horizontal && s.vertical) return IK_OK;
  ik_fail(d, IK_ERR_SOURCE, IK_E066, at,
          "'%s' needs positions that SEG-Y cannot hold (2^31 units of at most 10 km)", path);
  ik_help(d, "check the units of the grid spacing, or write .npy or .h5");
  return IK_ERR_SOURCE;
}

/* ------------------------------------------------------------------------------------ writing */

/* EBCDIC (code page 037) of the printable ASCII characters from ' ' on. */
static const unsigned char ebcdic[95] = {
    0x40, 0x5a, 0x7f, 0x7b, 0x5b, 0x6c, 0x50, 0x7d, 0x4d, 0x5d, 0x5c, 0x4e, 0x6b, 0x60, 0x4b, 0x61,
    0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0x7a, 0x5e, 0x4c, 0x7e, 0x6e, 0x6f,
    0x7c, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6,
    0xd7, 0xd8, 0xd9, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xba, 0xe0, 0xbb, 0xb0, 0x6d,
    0x79, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96,
    0x97, 0x98, 0x99, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xc0, 0x4f, 0xd0, 0xa1};

static void text_line(unsigned char *text, int number, const char *line) {
  char card[81];
  snprintf(card, sizeof card, "C%2d %-76.76s", number, line);
  for (int i = 0; i < 80; i++) text[80 * (number - 1) + i] = ebcdic[card[i] - ' '];
}

static void fill_text(const ik_segy_gather *g, unsigned char *text) {
  char line[8][77] = {"SYNTHETIC SEISMIC TRACES COMPUTED AND WRITTEN BY IKAT",
                      "",
                      "SAMPLES: BIG-ENDIAN IEEE FLOAT (FORMAT 5), ALL TRACES OF THE SAME LENGTH",
                      "POSITIONS IN METRES, SCALED BY BYTES 71-72; SX SY 73-80, GX GY 81-88",
                      "GELEV 41-44 IS MINUS THE RECEIVER DEPTH, SDEPTH 49-52 THE SOURCE DEPTH,",
                      "BOTH IN METRES SCALED BY BYTES 69-70; DEPTH IS POSITIVE DOWN FROM Z = 0",
                      "CDP X Y 181-188 IS THE MIDPOINT OF SOURCE AND RECEIVER",
                      "INLINE 189-192 IS THE SHOT, CROSSLINE 193-196 THE TRACE IN THE SHOT"};
  ik_format(line[1], sizeof line[1], "TRACES %lld  SAMPLES %lld  INTERVAL %.12g US",
            (long long)g->ntrace, (long long)g->nsample, g->dt_s * 1e6);
  for (int i = 1; i <= 40; i++) text_line(text, i, i <= 8 ? line[i - 1] : "");
  text_line(text, 39, needs_rev2(g) ? "SEG-Y REV2.0" : "SEG Y REV1");
  text_line(text, 40, "END TEXTUAL HEADER");
}

/* What a 16-bit field holds of a number that rev 2 states exactly elsewhere: 0 where it cannot. */
static uint64_t short_or_0(double v) { return v >= 1 && v <= SHORT_MOST ? (uint64_t)rint(v) : 0; }

static void fill_binary(const ik_segy_gather *g, unsigned char *file) {
  bool rev2 = needs_rev2(g);
  put(file, B_TRACES, 2, g->ntrace <= INT16_MAX ? (uint64_t)g->ntrace : 0);
  put(file, B_DT, 2, short_or_0(g->dt_s * 1e6));
  put(file, B_NS, 2, short_or_0((double)g->nsample));
  put(file, B_FORMAT, 2, 5);
  put(file, B_SORTING, 2, 1);
  put(file, B_METRES, 2, 1);
  put(file, B_REVISION, 1, rev2 ? 2 : 1);
  put(file, B_FIXED, 2, 1);
  if (!rev2) return;
  double   us = g->dt_s * 1e6;
  uint64_t bits;
  memcpy(&bits, &us, sizeof bits);
  put(file, B_LONG_TRACES, 4, (uint64_t)g->ntrace);
  put(file, B_LONG_NS, 4, (uint64_t)g->nsample);
  put(file, B_LONG_DT, 8, bits);
  put(file, B_ORDER, 4, 0x01020304);
  put(file, B_FILE_TRACES, 8, (uint64_t)g->ntrace);
}

static void put_scaled(unsigned char *trace, int field, double metres, int scale) {
  put(trace, field, 4, (uint64_t)(int64_t)rint(metres * units_per_metre(scale)));
}

/* Whole metres; the field is signed 32 bits. */
static uint64_t offset_of(const ik_segy_point *s, const ik_segy_point *r) {
  double metres = rint(hypot(r->x - s->x, r->y - s->y));
  return metres < INT32_MAX ? (uint64_t)metres : INT32_MAX;
}

static void fill_trace(const ik_segy_gather *g, int64_t i, scales scale, unsigned char *trace) {
  const ik_segy_point *r = &g->receiver[i], *s = &g->source[i];
  uint64_t             number = (uint64_t)i + 1, shot = (uint64_t)(int64_t)g->shot;
  put(trace, T_TRACL, 4, number);
  put(trace, T_TRACR, 4, number);
  put(trace, T_FLDR, 4, shot);
  put(trace, T_TRACF, 4, number);
  put(trace, T_SHOTPOINT, 4, shot);
  put(trace, T_TRID, 2, 1);
  put(trace, T_OFFSET, 4, offset_of(s, r));
  put_scaled(trace, T_GELEV, -r->z, scale.vertical);
  put_scaled(trace, T_SDEPTH, s->z, scale.vertical);
  put(trace, T_SCALEL, 2, (uint64_t)(int64_t)scale.vertical);
  put(trace, T_SCALCO, 2, (uint64_t)(int64_t)scale.horizontal);
  put_scaled(trace, T_SX, s->x, scale.horizontal);
  put_scaled(trace, T_SY, s->y, scale.horizontal);
  put_scaled(trace, T_GX, r->x, scale.horizontal);
  put_scaled(trace, T_GY, r->y, scale.horizontal);
  put(trace, T_COUNIT, 2, 1);
  put(trace, T_NS, 2, short_or_0((double)g->nsample));
  put(trace, T_DT, 2, short_or_0(g->dt_s * 1e6));
  put_scaled(trace, T_CDP_X, 0.5 * (s->x + r->x), scale.horizontal);
  put_scaled(trace, T_CDP_Y, 0.5 * (s->y + r->y), scale.horizontal);
  put(trace, T_INLINE, 4, shot);
  put(trace, T_CROSSLINE, 4, number);
}

static void write_traces(const ik_segy_gather *g, unsigned char *trace, ik_outfile *o) {
  scales scale = scales_of(g);
  for (int64_t i = 0; i < g->ntrace; i++) {
    fill_trace(g, i, scale, trace);
    const float *sample = g->data + i * g->nsample;
    for (int64_t k = 0; k < g->nsample; k++)
      put(trace, TRACE + 1 + 4 * k, 4, ik_word_of(sample[k]));
    ik_outfile_write(o, trace, TRACE + 4 * (size_t)g->nsample);
  }
}

ik_status ik_segy_write(const char *path, const ik_segy_gather *g, ik_span at, ik_diag *d) {
  unsigned char header[TEXT + BINARY] = {0};
  ik_outfile    o;
  IK_TRY(ik_segy_check(path, g, at, d));
  unsigned char *trace = ik_calloc(1, TRACE + 4 * (size_t)g->nsample);
  ik_status      s = trace ? ik_outfile_open(&o, path, at, d) : ik_file_oom(path, at, d);
  if (!s) {
    fill_text(g, header);
    fill_binary(g, header);
    ik_outfile_write(&o, header, sizeof header);
    write_traces(g, trace, &o);
    s = ik_outfile_commit(&o, d);
  }
  ik_free(trace);
  return s;
}

/* ------------------------------------------------------------------------------------ reading */

typedef struct survey {
  size_t  start; /* of the first trace */
  int64_t ntrace, nsample;
  bool    ibm;
  double  dt_s;
} survey;

/* rev 2 states the sample interval as f64; what is no positive number there counts as absent. */
static double read_dt(const unsigned char *file, bool rev2, const unsigned char *trace) {
  uint64_t bits = get(file, B_LONG_DT, 8), us16 = get(file, B_DT, 2);
  double   us;
  memcpy(&us, &bits, sizeof us);
  if (rev2 && us > 0 && us < 1e12) return us * 1e-6;
  return (double)(us16 ? us16 : get(trace, T_DT, 2)) * 1e-6;
}

static int64_t read_ns(const unsigned char *file, bool rev2, const unsigned char *trace) {
  int32_t  ns32 = (int32_t)get(file, B_LONG_NS, 4);
  uint64_t ns16 = get(file, B_NS, 2);
  if (rev2 && ns32 > 0) return ns32;
  return (int64_t)(ns16 ? ns16 : get(trace, T_NS, 2));
}

/* Returns NULL, or what is wrong. */
static const char *read_headers(const ik_buf *buf, survey *v) {
  const unsigned char *file = (const unsigned char *)buf->data;
  if (buf->len < TEXT + BINARY + TRACE) return "it is shorter than its headers and one trace";
  bool rev2 = get(file, B_REVISION, 1) >= 2;
  int  format = (int16_t)get(file, B_FORMAT, 2), texts = (int16_t)get(file, B_TEXTS, 2);
  if (rev2 && get(file, B_ORDER, 4) == 0x04030201) return "it is little-endian";
  if (format != 1 && format != 5) return "its samples are neither IBM (1) nor IEEE (5) floats";
  if (texts < 0) return "it does not state how many text headers it has";
  if (rev2 && get(file, B_MORE_TRACE, 4)) return "its traces have further headers";
  v->start = TEXT + BINARY + (size_t)texts * TEXT;
  if (v->start + TRACE > buf->len) return "it ends before its first trace";
  const unsigned char *trace = file + v->start;
  v->ibm = format == 1;
  v->dt_s = read_dt(file, rev2, trace);
  v->nsample = read_ns(file, rev2, trace);
  if (v->nsample < 1) return "it does not state the number of samples";
  size_t each = TRACE + 4 * (size_t)v->nsample;
  v->ntrace = (int64_t)((buf->len - v->start) / each);
  return (buf->len - v->start) % each ? "it does not hold a whole number of traces" : NULL;
}

/* IBM: sign, 7 bits of a power of 16 (excess 64), 24 bits of a fraction below 1. */
static float ibm_to_float(uint32_t bits) {
  double v = ldexp(bits & 0xffffff, 4 * ((int)(bits >> 24 & 127) - 64) - 24);
  return (float)(bits >> 31 ? -v : v);
}

static const char *read_traces(const ik_buf *buf, const survey *v, float *out) {
  const unsigned char *p = (const unsigned char *)buf->data + v->start;
  for (int64_t i = 0; i < v->ntrace; i++) {
    int64_t ns = (int64_t)get(p, T_NS, 2);
    if (ns && ns != v->nsample && v->nsample <= SHORT_MOST) return "its traces differ in length";
    p += TRACE;
    for (int64_t k = 0; k < v->nsample; k++, p += 4) {
      uint32_t bits = (uint32_t)get(p, 1, 4);
      *out++ = v->ibm ? ibm_to_float(bits) : ik_from_word(bits);
    }
  }
  return NULL;
}

static ik_status read_survey(const ik_buf *buf, const char *path, ik_span at, ik_array *out,
                             double *dt_s, ik_diag *d) {
  survey      v = {0};
  const char *wrong = read_headers(buf, &v);
  *dt_s = v.dt_s;
  if (!wrong) {
    if (!ik_array_alloc(out, IK_DT_F32, 2, (int64_t[]){v.nsample, v.ntrace}))
      return ik_file_oom(path, at, d);
    wrong = read_traces(buf, &v, out->data);
  }
  if (!wrong) return IK_OK;
  ik_array_free(out);
  return ik_fail(d, IK_ERR_SOURCE, IK_E063, at, "'%s' cannot be read as SEG-Y: %s", path, wrong);
}

ik_status ik_segy_read(const char *path, ik_span at, ik_array *out, double *dt_s, ik_diag *d) {
  ik_buf buf = {0};
  *out = (ik_array){0};
  *dt_s = 0;
  IK_TRY(ik_file_read(path, IK_FILE_MOST, at, &buf, d));
  ik_status s = read_survey(&buf, path, at, out, dt_s, d);
  ik_buf_free(&buf);
  return s;
}
