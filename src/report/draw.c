#include "report/draw.h"
#include "report/svg.h"
#include "report/xml.h"

void ik_draw_tip(ik_buf *b, const char *text) {
  if (!text || !*text) return;
  ik_buf_puts(b, "<title>");
  ik_xml_text(b, text);
  ik_buf_puts(b, "</title>");
}

void ik_draw_open(ik_buf *b, int w, int h, bool standalone, const char *title) {
  ik_buf_printf(b,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ik\" role=\"img\" "
                "viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n",
                w, h, w, h);
  ik_draw_tip(b, title);
  if (!standalone) return;
  ik_buf_puts(b, "<style>\n");
  ik_svg_css(b);
  ik_buf_puts(b, "</style>\n");
}

void ik_draw_text(ik_buf *b, double x, double y, const char *anchor, const char *attributes,
                  const char *text) {
  ik_buf_printf(b, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor, attributes);
  ik_xml_text(b, text);
  ik_buf_puts(b, "</text>\n");
}

double ik_draw_text_width(const char *text) {
  int n = 0;
  for (; text && *text; n++) ik_utf8_next(&text);
  return 6.6 * n;
}
