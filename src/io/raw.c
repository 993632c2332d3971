#include "io/raw.h"
#include "io/decode.h"

ik_status ik_raw_read(const char *path, const ik_raw_form *form, ik_span at, ik_array *out,
                      ik_diag *d) {
  ik_buf      file = {0};
  ik_encoding l = ik_encoding_of(form->dtype, form->ndim, form->n);
  *out = (ik_array){0};
  IK_TRY(ik_file_read(path, IK_FILE_MOST, at, &file, d));
  ik_status s = ik_decode(&l, &file, 0, path, at, out, d);
  ik_buf_free(&file);
  return s;
}

void ik_raw_put(ik_outfile *o, const ik_array *a) {
  size_t      element = ik_dtype_bytes(a->dtype), slice = (size_t)ik_array_slice(a) * element;
  const char *from = a->data;
  for (size_t left = (size_t)ik_array_count(a) * element; left > 0; left -= slice) {
    ik_outfile_write(o, from, slice);
    from += slice + (size_t)a->gap * element;
  }
}

ik_status ik_raw_write(const char *path, const ik_array *a, ik_span at, ik_diag *d) {
  ik_outfile o;
  IK_TRY(ik_outfile_open(&o, path, at, d));
  ik_raw_put(&o, a);
  return ik_outfile_commit(&o, d);
}
