/* text.h: a text, parsed, for the tests of src/lang.  The text is copied without a NUL behind it,
 * so that a sanitizer sees every byte read too many. */
#pragma once
#include "base/mem.h"
#include "check.h"
#include "lang/prove.h"
#include <stdlib.h>

typedef struct text {
  char          *bytes;
  ik_source      src;
  ik_arena       arena;
  ik_diag        diag;
  ik_program_ast tree;
  ik_status      status;
} text;

static inline void text_open(text *t, const char *bytes, size_t len) {
  memset(t, 0, sizeof *t);
  t->bytes = ik_malloc(len ? len : 1);
  memcpy(t->bytes, bytes, len);
  t->src = (ik_source){"test.ik", t->bytes, len};
  ik_arena_init(&t->arena);
}

static inline void text_parse(text *t, const char *s) {
  text_open(t, s, strlen(s));
  t->status = ik_lang_parse(&t->src, &t->arena, &t->diag, &t->tree);
  if (t->status && ik_lang_prove(&t->src, NULL, &t->diag)) abort();
}

static inline void text_free(text *t) {
  ik_diag_free(&t->diag);
  ik_arena_free(&t->arena);
  ik_free(t->bytes);
}

/* A program that has every statement of the language. */
static const char text_everything[] =
    "# everything\n"
    "language 1\n"
    "arithmetic plain f32\n"
    "grid x = 512, y = 2*n, z = 64 if deep > 0, spacing = (10 m, 10m, 5.0 m)\n"
    "param dt = 0.8 ms, n = 3\n"
    "def second(a, h = 1) = (a[-1] - 2*a + a[1])/h^2\n"
    "weights w = [[0, 1, 0],\n"
    "             [1, -4, 1], [0,1,0]]\n"
    "field u, v : f32, history 2\n"
    "field c : f32, on (x+1, y) = 2500 m/s  # a speed\n"
    "boundary u = absorbing(30)\n"
    "boundary v { -x = 0; +x = 1\n"
    "  -y = copy\n"
    "  +y = periodic\n"
    "\n"
    "  # both\n"
    "  z = 0 }\n"
    "init u[t-1] = exp(-((x-2048)^2 + (y-2048)^2) / 4000)\n"
    "source ricker(f = 15 Hz) at (256, 256, 20) with linear into u\n"
    "receiver u at line (16, 256, 10) .. (496, 256, 10) count 31 into \"shot.segy\" every 2\n"
    "receiver u at file(\"p.npy\") into \"r.npy\"\n"
    "output u, v every 10 into \"out.npy\"\n"
    "scalar q : f64 = sum(u*u)\n"
    "step 1000 { u' = 2*u - u[t-1] + (c*dt)^2 * laplacian(u, order = 8)\n"
    "  v' = if u > 0 and not v < 0 or w == 1 then 0 else -u^2^-n; v' = 3 on interior(2)\n"
    "  u' = u\n"
    "    + v on x = 0 .. 3, y = 4\n"
    "  sweep z up, x down { at first { a = 1 } at within { a = a[0,0,-1] } at last { a = 2; b = 3 "
    "} }\n"
    "}\n"
    "repeat until norm(r) <= 1e-6 max 500 {\n"
    "  scalar alpha = rz / sum(p*q);  r = r - alpha*q\n"
    "}\n";
