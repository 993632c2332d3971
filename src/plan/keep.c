/* Constants that were fitted, in the file of the figures that were measured. */
#include "io/file.h"
#include "plan/fit.h"

#define SOURCE "ikat bench model --fit"

static void put_constants(ik_pipeline_machine *m, int vector_bytes, ik_buf *out) {
  int                    n;
  const ik_fit_constant *c = ik_fit_constants(&n);
  ik_buf_printf(out, "model.vector = %d B source M \"" SOURCE "\"\n", vector_bytes);
  for (int i = 0; i < n; i++)
    if (c[i].most > 0)
      ik_buf_printf(out, "%s = %.4g%s%s source C \"" SOURCE "\"\n", c[i].key,
                    *ik_fit_value(m, &c[i]), c[i].unit[0] ? " " : "", c[i].unit);
}

ik_status ik_fit_keep(const char *path, const ik_pipeline_machine *m, int vector_bytes,
                      ik_diag *d) {
  enum { LIMIT = 1 << 20 };
  ik_pipeline_machine copy = *m;
  ik_buf              now = {0}, text = {0};
  ik_status           st = ik_file_read(path, LIMIT, IK_NOSPAN, &now, d);
  if (!st) {
    ik_machine_lines(ik_buf_text(&now), false, &text);
    put_constants(&copy, vector_bytes, &text);
    st =
        text.failed ? ik_file_oom(path, IK_NOSPAN, d) : ik_file_write(path, text.data, text.len, d);
  }
  ik_buf_free(&now), ik_buf_free(&text);
  return st;
}
