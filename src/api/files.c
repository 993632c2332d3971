#include "api/api.h"
#include "base/undo.h"
#include "io/file.h"
#include "io/io.h"
#include "runtime/build.h"
#include "runtime/write.h"
#include <string.h>

static bool is_array(ik_io_format f) { return f == IK_IO_NPY || f == IK_IO_RAW || f == IK_IO_HDF5; }

static bool is_json(const char *path) {
  size_t len = strlen(path);
  return len > 5 && strcmp(path + len - 5, ".json") == 0;
}

static bool suits(const char *path, ik_result kind) {
  ik_io_format f = ik_io_format_of(path);
  if (kind == IK_RESULT_TRACE) return is_json(path);
  if (kind == IK_RESULT_MOVIE) return f == IK_IO_GIF;
  return kind == IK_RESULT_ARRAY ? is_array(f) : f == IK_IO_PNG;
}

ik_status ik_can_write(const char *path, ik_result kind, ik_log *log) {
  static const char *const endings[] = {[IK_RESULT_ARRAY] = ".npy, .raw or .h5",
                                        [IK_RESULT_PICTURE] = ".png",
                                        [IK_RESULT_TRACE] = ".json",
                                        [IK_RESULT_MOVIE] = ".gif"};
  if (kind == IK_RESULT_FOLDER) return ik_file_folder_writable(path, IK_NOSPAN, &log->d);
  if (suits(path, kind)) return ik_write_possible(path, IK_NOSPAN, &log->d);
  ik_error(&log->d, IK_E081, IK_NOSPAN, "'%s' is not a known kind of file", path);
  ik_help(&log->d, "end its name in %s", endings[kind]);
  return IK_ERR_SOURCE;
}

ik_status ik_write_text(const char *path, const char *text, ik_log *log) {
  IK_TRY(ik_file_writable(path, IK_NOSPAN, &log->d));
  return ik_file_write(path, text, strlen(text), &log->d);
}

void ik_remove_temporaries(void) { ik_undo_all(); }

void ik_temporary_folder(const char *path) { ik_build_work_in(path); }
