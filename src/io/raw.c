#include "io/raw.h"
#include "io/decode.h"
#include "io/file.h"

ik_status ik_raw_read(const char *path, const ik_raw_form *form, ik_span at, ik_array *out,
                      ik_diag *d) {
  ik_buf    file = {0};
  ik_layout l = ik_layout_of(form->dtype, form->ndim, form->n);
  *out = (ik_array){0};
  IK_TRY(ik_file_read(path, IK_FILE_MOST, at, &file, d));
  ik_status s = ik_decode(&l, &file, 0, path, at, out, d);
  ik_buf_free(&file);
  return s;
}

ik_status ik_raw_write(const char *path, const ik_array *a, ik_span at, ik_diag *d) {
  ik_outfile o;
  IK_TRY(ik_outfile_open(&o, path, at, d));
  ik_outfile_write(&o, a->data, (size_t)ik_array_count(a) * ik_dtype_bytes(a->dtype));
  return ik_outfile_commit(&o, d);
}
