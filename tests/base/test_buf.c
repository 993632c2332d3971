#include "base/buf.h"
#include "base/mem.h"
#include "check.h"
#include <stdlib.h>

CASE(empty_is_empty_text) {
  ik_buf b = {0};
  CHECK_STR(ik_buf_text(&b), "");
  ik_buf_free(&b);
}

CASE(text_is_joined) {
  ik_buf b = {0};
  ik_buf_puts(&b, "ab");
  ik_buf_putc(&b, 'c');
  ik_buf_write(&b, "defg", 2);
  ik_buf_printf(&b, "-%03d-", 7);
  ik_buf_pad(&b, '.', 3);
  ik_buf_pad(&b, '.', -3);
  ik_buf_printf(&b, "%s", "");
  CHECK_STR(b.data, "abcde-007-...");
  CHECK_EQ(b.len, strlen(b.data));
  ik_buf_free(&b);
  CHECK(!b.data && !b.len && !b.cap);
}

CASE(bytes_may_be_zero) {
  ik_buf b = {0};
  ik_buf_write(&b, "a\0b", 3);
  CHECK_EQ(b.len, 3);
  CHECK(memcmp(b.data, "a\0b", 4) == 0);
  ik_buf_free(&b);
}

/* Every length around a growth step, so that the final NUL always has its place. */
CASE(grows_by_any_step) {
  for (size_t n = 0; n < 1200; n++) {
    ik_buf b = {0};
    ik_buf_pad(&b, 'x', (int)n);
    ik_buf_printf(&b, "%*s", (int)n, "");
    CHECK_EQ(b.len, 2 * n);
    CHECK_EQ(strlen(ik_buf_text(&b)), 2 * n);
    CHECK(b.cap == 0 || b.cap > b.len);
    ik_buf_free(&b);
  }
}

CASE(failure_stays_and_keeps_the_text) {
  ik_buf b = {0};
  ik_buf_puts(&b, "kept");
  ik_mem_fail_after(0);
  ik_buf_pad(&b, 'x', 1000);
  CHECK(b.failed);
  size_t len = b.len;
  ik_buf_puts(&b, "more");
  ik_buf_printf(&b, "%d", 1);
  CHECK_EQ(b.len, len);
  CHECK_EQ(strlen(b.data), len);
  CHECK(strncmp(b.data, "keptxxx", 7) == 0);
  ik_buf_free(&b);
  CHECK(!b.failed);
}

CASE(failure_at_once) {
  ik_buf b = {0};
  ik_mem_fail_after(0);
  ik_buf_printf(&b, "%d", 12);
  CHECK(b.failed);
  CHECK_STR(ik_buf_text(&b), "");
  ik_buf_free(&b);
}

CASE(doubles_with_few_digits) {
  const struct {
    double      v;
    const char *text;
  } t[] = {
      {0.1, "0.1"},
      {1e30, "1e+30"},
      {NAN, "nan"},
      {-NAN, "nan"},
      {INFINITY, "inf"},
      {-INFINITY, "-inf"},
      {0, "0"},
      {-0.0, "-0"},
      {100, "100"},
      {-4096, "-4096"},
      {1234500, "1234500"},
      {1e15, "1e+15"},
      {123456.5, "123456.5"},
      {1.0 / 3, "0.3333333333333333"},
      {0x1p-1074, "5e-324"},
      {1e-5, "1e-05"},
      {2e22, "2e+22"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
  };
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    ik_buf b = {0};
    ik_buf_double(&b, t[i].v);
    CHECK_STR(ik_buf_text(&b), t[i].text);
    ik_buf_free(&b);
  }
}

CASE(doubles_read_back) {
  double v = 1;
  for (int i = 0; i < 3000; i++) {
    v = v * -1.37 + 0.1;
    if (fabs(v) > 1e300) v *= 1e-300;
    ik_buf b = {0};
    ik_buf_double(&b, v);
    CHECK(strtod(ik_buf_text(&b), NULL) == v);
    ik_buf_free(&b);
  }
}
