#include "check.h"
#include "report/html.h"

static ik_buf page(void) {
  ik_buf             b = {0};
  const ik_html_fact fact[] = {{"command", "ikat run <x> && y"}, {"empty", NULL}};
  const char *const head[] = {"kernel", "time"}, *const cell[] = {"a&b", "1.5", "c", "<2"};
  const ik_html_table t = {"What ran", "lr", head, cell, 2, 2};
  ik_html_begin(&b, "heat <3 & more", "sub");
  ik_html_section(&b, "S & T");
  ik_html_text(&b, "1 < 2");
  ik_html_code(&b, "\nif (a < b) \"x\";\n");
  ik_html_facts(&b, fact, 2);
  ik_html_table_add(&b, &t);
  ik_html_png(&b, &(ik_buf){.data = "foobar", .len = 6}, "a \"p\"", "cap");
  ik_html_svg(&b, "<svg></svg>", NULL);
  ik_html_end(&b, "foot");
  return b;
}

static void check_has(const ik_buf *b, const char *what) {
  if (!strstr(b->data, what)) check_fail(__FILE__, __LINE__, "the page has no\n%s", what);
}

CASE(parts) {
  ik_buf b = page();
  check_has(&b, "<title>heat &lt;3 &amp; more</title>");
  check_has(&b, "<h1>heat &lt;3 &amp; more</h1>\n<p class=\"subtitle\">sub</p>");
  check_has(&b, "<h2>S &amp; T</h2>\n<p>1 &lt; 2</p>");
  check_has(&b, "<pre><code>\nif (a &lt; b) &quot;x&quot;;\n</code></pre>");
  check_has(&b, "<th scope=\"row\">command</th><td>ikat run &lt;x&gt; &amp;&amp; y</td>");
  check_has(&b, "<th scope=\"row\">empty</th><td></td>");
  check_has(&b, "<th scope=\"col\">kernel</th><th scope=\"col\" class=\"r\">time</th>");
  check_has(&b, "<td>c</td><td class=\"r\">&lt;2</td>");
  check_has(&b, "<img alt=\"a &quot;p&quot;\" src=\"data:image/png;base64,Zm9vYmFy\">");
  check_has(&b, "<figcaption>cap</figcaption></figure>");
  check_has(&b, "<figure><svg></svg></figure>");
  check_has(&b, "<footer>foot</footer>");
  ik_buf_free(&b);
}

CASE(needs_nothing_from_elsewhere) {
  ik_buf b = page();
  CHECK(!strstr(b.data, "<script") && !strstr(b.data, "http:") && !strstr(b.data, "https:"));
  CHECK(!strstr(b.data, "<link") && !strstr(b.data, "url(") && !strstr(b.data, "@import"));
  check_has(&b, "prefers-color-scheme:dark");
  ik_buf_free(&b);
}

CASE(an_empty_table) {
  ik_buf              b = {0};
  const ik_html_table t = {.align = NULL};
  ik_html_table_add(&b, &t);
  CHECK_STR(b.data, "<div class=\"scroll\"><table>\n<thead><tr></tr>\n</thead>\n<tbody>\n"
                    "</tbody></table></div>\n");
  ik_buf_free(&b);
}
