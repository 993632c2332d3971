#include "report/html.h"
#include "report/svg.h"
#include "report/xml.h"
#include <string.h>

static const char style[] =
    ":root{color-scheme:light dark;--page:#fff;--text:#262a30;--dim:#5c626a;--rule:#dde1e6;"
    "--box:#f5f6f8;--accent:#245a9c}\n"
    "@media(prefers-color-scheme:dark){:root{--page:#16191e;--text:#d8dce2;--dim:#9aa2ad;"
    "--rule:#363c45;--box:#1f242b;--accent:#8ab4ea}}\n"
    "body{margin:0;background:var(--page);color:var(--text);"
    "font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}\n"
    "main{max-width:62rem;margin:0 auto;padding:2rem 1.25rem 3rem}\n"
    "h1{font-size:1.7rem;line-height:1.25;margin:0}"
    "h2{font-size:1.2rem;margin:2.4rem 0 .8rem;padding-bottom:.3rem;"
    "border-bottom:1px solid var(--rule)}\n"
    ".subtitle,figcaption,caption,footer{color:var(--dim)}.subtitle{margin:.3rem 0 0}\n"
    ".scroll{overflow-x:auto;margin:1rem 0}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "caption{caption-side:bottom;text-align:left;font-size:.9rem;padding-top:.4rem}\n"
    "th,td{padding:.3rem .9rem .3rem 0;text-align:left;vertical-align:top;"
    "border-bottom:1px solid var(--rule)}th{font-weight:600}"
    "thead th{border-bottom:2px solid var(--rule)}"
    ".r{text-align:right}.c{text-align:center}\n"
    ".facts th{font-weight:400;color:var(--dim);white-space:nowrap;padding-right:1.6rem}"
    ".facts td{overflow-wrap:anywhere;white-space:pre-wrap}\n"
    "pre{background:var(--box);border:1px solid var(--rule);border-radius:6px;padding:.9rem 1rem;"
    "overflow-x:auto;font:.86rem/1.45 ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;"
    "tab-size:4}\n"
    "figure{margin:1.2rem 0}img{max-width:100%;height:auto;border-radius:4px}"
    "figcaption{font-size:.9rem;margin-top:.35rem}\n"
    "footer{margin-top:3rem;padding-top:.8rem;border-top:1px solid var(--rule);font-size:.85rem}\n"
    "@media print{main{max-width:none;padding:0}figure,tr{break-inside:avoid}}\n";

static void element(ik_buf *b, const char *open, const char *text, const char *close) {
  ik_buf_puts(b, open);
  ik_xml_text(b, text);
  ik_buf_puts(b, close);
}

static bool has(const char *text) { return text && *text; }

void ik_html_begin(ik_buf *b, const char *title, const char *subtitle) {
  ik_buf_puts(b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n");
  element(b, "<title>", title, "</title>\n<style>\n");
  ik_buf_puts(b, style);
  ik_svg_css(b);
  element(b, "</style>\n</head>\n<body>\n<main>\n<h1>", title, "</h1>\n");
  if (has(subtitle)) element(b, "<p class=\"subtitle\">", subtitle, "</p>\n");
}

void ik_html_end(ik_buf *b, const char *footer) {
  if (has(footer)) element(b, "<footer>", footer, "</footer>\n");
  ik_buf_puts(b, "</main>\n</body>\n</html>\n");
}

void ik_html_section(ik_buf *b, const char *title) { element(b, "<h2>", title, "</h2>\n"); }
void ik_html_text(ik_buf *b, const char *text) { element(b, "<p>", text, "</p>\n"); }

/* <code> inside keeps browsers from dropping a newline at the start of the text. */
void ik_html_code(ik_buf *b, const char *text) {
  element(b, "<pre><code>", text, "</code></pre>\n");
}

void ik_html_facts(ik_buf *b, const ik_html_fact *fact, int n) {
  ik_buf_puts(b, "<div class=\"scroll\"><table class=\"facts\">\n");
  for (int i = 0; i < n; i++) {
    element(b, "<tr><th scope=\"row\">", fact[i].name, "</th>");
    element(b, "<td>", fact[i].value, "</td></tr>\n");
  }
  ik_buf_puts(b, "</table></div>\n");
}

static void table_row(ik_buf *b, const ik_html_table *t, const char *const *cell, bool head) {
  size_t known = t->align ? strlen(t->align) : 0;
  ik_buf_puts(b, "<tr>");
  for (int i = 0; i < t->ncol; i++) {
    char a = (size_t)i < known ? t->align[i] : 'l';
    ik_buf_puts(b, head ? "<th scope=\"col\"" : "<td");
    ik_buf_puts(b, a == 'r' ? " class=\"r\"" : a == 'c' ? " class=\"c\"" : "");
    element(b, ">", cell[i], head ? "</th>" : "</td>");
  }
  ik_buf_puts(b, "</tr>\n");
}

void ik_html_table_add(ik_buf *b, const ik_html_table *t) {
  ik_buf_puts(b, "<div class=\"scroll\"><table>\n");
  if (has(t->caption)) element(b, "<caption>", t->caption, "</caption>\n");
  ik_buf_puts(b, "<thead>");
  table_row(b, t, t->head, true);
  ik_buf_puts(b, "</thead>\n<tbody>\n");
  for (int i = 0; i < t->nrow; i++) table_row(b, t, t->cell + (size_t)i * (size_t)t->ncol, false);
  ik_buf_puts(b, "</tbody></table></div>\n");
}

static void end_figure(ik_buf *b, const char *caption) {
  if (has(caption)) element(b, "<figcaption>", caption, "</figcaption>");
  ik_buf_puts(b, "</figure>\n");
}

void ik_html_png(ik_buf *b, const ik_buf *png, const char *alt, const char *caption) {
  element(b, "<figure><img alt=\"", alt, "\" src=\"data:image/png;base64,");
  ik_xml_base64(b, png->data, png->len);
  ik_buf_puts(b, "\">\n");
  end_figure(b, caption);
}

void ik_html_svg(ik_buf *b, const char *svg, const char *caption) {
  ik_buf_puts(b, "<figure>");
  ik_buf_puts(b, svg);
  end_figure(b, caption);
}
