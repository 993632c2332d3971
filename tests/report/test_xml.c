#include "check.h"
#include "report/xml.h"

static void check_text(const char *text, const char *want) {
  ik_buf b = {0};
  ik_xml_text(&b, text);
  CHECK_STR(ik_buf_text(&b), want);
  ik_buf_free(&b);
}

CASE(markup_is_escaped) {
  check_text("a < b && \"c\" > 'd'", "a &lt; b &amp;&amp; &quot;c&quot; &gt; &#39;d&#39;");
  check_text("</script><!-- -->", "&lt;/script&gt;&lt;!-- --&gt;");
  check_text("Δt = 0.9 µs\n\tok", "Δt = 0.9 µs\n\tok");
  check_text("", "");
  check_text(NULL, "");
}

CASE(what_is_no_text_is_replaced) {
  check_text("a\x01"
             "b\x7f",
             "a\xEF\xBF\xBD"
             "b\xEF\xBF\xBD");
  check_text("\xff|\xc3|", "\xEF\xBF\xBD|\xEF\xBF\xBD|");
  check_text("\xc0\xbc", "\xEF\xBF\xBD\xEF\xBF\xBD");                 /* '<' in two bytes */
  check_text("\xed\xa0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"); /* a surrogate */
  check_text("\xe2\x88", "\xEF\xBF\xBD\xEF\xBF\xBD");                 /* cut off */
  check_text("\xf0\x9f\x8c\x8a", "\xf0\x9f\x8c\x8a");
}

static void check_base64(const char *bytes, size_t n, const char *want) {
  ik_buf b = {0};
  ik_xml_base64(&b, bytes, n);
  CHECK_STR(ik_buf_text(&b), want);
  ik_buf_free(&b);
}

CASE(base64) { /* the examples of RFC 4648, section 10 */
  check_base64("", 0, "");
  check_base64("f", 1, "Zg==");
  check_base64("fo", 2, "Zm8=");
  check_base64("foo", 3, "Zm9v");
  check_base64("foob", 4, "Zm9vYg==");
  check_base64("fooba", 5, "Zm9vYmE=");
  check_base64("foobar", 6, "Zm9vYmFy");
  check_base64("\xff\xfe\xfd\0", 4, "//79AA==");
}
