#include "api/api.h"
#include "io/file.h"
#include "io/io.h"

static bool is_array(ik_io_format f) { return f == IK_IO_NPY || f == IK_IO_RAW || f == IK_IO_HDF5; }

ik_status ik_can_write(const char *path, ik_result kind, ik_log *log) {
  ik_io_format f = ik_io_format_of(path);
  if (kind == IK_RESULT_FOLDER) return ik_file_folder_writable(path, IK_NOSPAN, &log->d);
  if (kind == IK_RESULT_ARRAY ? is_array(f) : f == IK_IO_PNG)
    return ik_file_writable(path, IK_NOSPAN, &log->d);
  ik_error(&log->d, IK_E081, IK_NOSPAN, "'%s' is not a known kind of file", path);
  ik_help(&log->d,
          kind == IK_RESULT_ARRAY ? "end its name in .npy, .raw or .h5" : "end its name in .png");
  return IK_ERR_SOURCE;
}
