/* No header of HDF5 is needed to build this: the few types, constants and functions in use have had
 * this form since 1.10 (hid_t has 64 bits from there on). */
#include "io/hdf5.h"
#include "base/system.h"
#include "base/mem.h"
#include "io/decode.h"
#include "io/file.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

typedef int64_t  hid;
typedef uint64_t hsize;
typedef int (*error_handler)(hid, void *);
typedef struct group_info {
  int      storage;
  hsize    nlinks;
  int64_t  order;
  unsigned mounted;
} group_info;

enum { DEFAULT = 0, ALL = 0, SCALAR = 0, READ_ONLY = 0, TRUNCATE = 2, WHOLE_FILE = 1, UTF8 = 1 };
enum { SELECT_SET = 0 };
enum { INTEGER_CLASS = 0, FLOAT_CLASS = 1, UNSIGNED = 0, BY_NAME = 0, UPWARDS = 0 };
enum { EARLIEST = 0, V110 = 2 }; /* file format versions */
#define VARIABLE_LENGTH SIZE_MAX

#define FUNCTIONS(X)                                                                               \
  X(int, H5open, (void))                                                                           \
  X(int, H5get_libversion, (unsigned *, unsigned *, unsigned *))                                   \
  X(int, H5Eget_auto2, (hid, error_handler *, void **))                                            \
  X(int, H5Eset_auto2, (hid, error_handler, void *))                                               \
  X(hid, H5Fcreate, (const char *, unsigned, hid, hid))                                            \
  X(hid, H5Fopen, (const char *, unsigned, hid))                                                   \
  X(int, H5Fflush, (hid, int))                                                                     \
  X(int, H5Fget_vfd_handle, (hid, hid, void **))                                                   \
  X(ssize_t, H5Fget_file_image, (hid, void *, size_t))                                             \
  X(int, H5Fclose, (hid))                                                                          \
  X(hid, H5Iget_file_id, (hid))                                                                    \
  X(ssize_t, H5Fget_name, (hid, char *, size_t))                                                   \
  X(hid, H5Dget_create_plist, (hid))                                                               \
  X(int, H5Pget_external_count, (hid))                                                             \
  X(int, H5Pget_layout, (hid))                                                                     \
  X(hid, H5Pcreate, (hid))                                                                         \
  X(int, H5Pset_obj_track_times, (hid, unsigned))                                                  \
  X(int, H5Pset_fapl_core, (hid, size_t, unsigned))                                                \
  X(int, H5Pset_libver_bounds, (hid, int, int))                                                    \
  X(int, H5Pclose, (hid))                                                                          \
  X(hid, H5Screate, (int))                                                                         \
  X(hid, H5Screate_simple, (int, const hsize *, const hsize *))                                    \
  X(int, H5Sget_simple_extent_ndims, (hid))                                                        \
  X(int, H5Sget_simple_extent_dims, (hid, hsize *, hsize *))                                       \
  X(int, H5Sselect_hyperslab,                                                                      \
    (hid, int, const hsize *, const hsize *, const hsize *, const hsize *))                        \
  X(int, H5Sclose, (hid))                                                                          \
  X(hid, H5Dcreate2, (hid, const char *, hid, hid, hid, hid, hid))                                 \
  X(hid, H5Dopen2, (hid, const char *, hid))                                                       \
  X(hid, H5Dget_space, (hid))                                                                      \
  X(hid, H5Dget_type, (hid))                                                                       \
  X(int, H5Dread, (hid, hid, hid, hid, hid, void *))                                               \
  X(int, H5Dwrite, (hid, hid, hid, hid, hid, const void *))                                        \
  X(int, H5Dclose, (hid))                                                                          \
  X(hid, H5Tcopy, (hid))                                                                           \
  X(int, H5Tset_size, (hid, size_t))                                                               \
  X(int, H5Tset_cset, (hid, int))                                                                  \
  X(int, H5Tget_class, (hid))                                                                      \
  X(size_t, H5Tget_size, (hid))                                                                    \
  X(int, H5Tget_sign, (hid))                                                                       \
  X(int, H5Tclose, (hid))                                                                          \
  X(hid, H5Acreate2, (hid, const char *, hid, hid, hid, hid))                                      \
  X(int, H5Awrite, (hid, hid, const void *))                                                       \
  X(int, H5Aclose, (hid))                                                                          \
  X(int, H5Gget_info, (hid, group_info *))                                                         \
  X(ssize_t, H5Lget_name_by_idx, (hid, const char *, int, int, hsize, char *, size_t, hid))

#define VARIABLES(X)                                                                               \
  X(H5T_NATIVE_DOUBLE_g)                                                                           \
  X(H5T_NATIVE_FLOAT_g)                                                                            \
  X(H5T_NATIVE_INT32_g)                                                                            \
  X(H5T_NATIVE_INT64_g)                                                                            \
  X(H5T_IEEE_F64LE_g)                                                                              \
  X(H5T_IEEE_F32LE_g)                                                                              \
  X(H5T_STD_I32LE_g)                                                                               \
  X(H5T_C_S1_g)                                                                                    \
  X(H5P_CLS_FILE_ACCESS_ID_g)                                                                      \
  X(H5P_CLS_DATASET_CREATE_ID_g)

static struct library {
  enum { UNTRIED, MISSING, READY } state;
  char version[40];
#define X(type, name, args) type(*name) args;
  FUNCTIONS(X)
#undef X
#define X(name) hid *name; /* filled in by H5open() */
  VARIABLES(X)
#undef X
  error_handler handler; /* of the program we are part of; put back by leave() */
  void         *handler_data;
  bool          lacked_memory; /* when it was last tried to load */
} h5;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ------------------------------------------------------------------------------------- loading */

static void *open_library(void) {
  static const char *const names[] = {
      "libhdf5_serial.so.103", "libhdf5.so.103",    "libhdf5_serial.so.310",
      "libhdf5.so.310",        "libhdf5.so.200",    "libhdf5_serial.so.320",
      "libhdf5.so.320",        "libhdf5_serial.so", "libhdf5.so"};
  void *lib = NULL;
  for (size_t i = 0; !lib && i < sizeof names / sizeof *names; i++)
    lib = ik_system_load(names[i], RTLD_NOW | RTLD_LOCAL);
  return lib;
}

static bool find_symbols(void *lib) {
  static const struct {
    const char *name;
    size_t      offset;
  } symbols[] = {
#define X(type, name, args) {#name, offsetof(struct library, name)},
      FUNCTIONS(X)
#undef X
#define X(name) {#name, offsetof(struct library, name)},
          VARIABLES(X)
#undef X
  };
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
    void *p = dlsym(lib, symbols[i].name);
    if (!p) return false;
    memcpy((char *)&h5 + symbols[i].offset, &p, sizeof p);
  }
  return true;
}

static bool load(void) {
  unsigned major, minor, patch;
  void    *lib = open_library();
  if (!lib || !find_symbols(lib) || h5.H5get_libversion(&major, &minor, &patch) < 0) return false;
  if (major < 1 || (major == 1 && minor < 10) || h5.H5open() < 0) return false;
  snprintf(h5.version, sizeof h5.version, "%u.%u.%u", major, minor, patch);
  return true;
}

/* Between enter() and leave() the library is ours and prints nothing.  False: it is missing. */
static bool enter(void) {
  pthread_mutex_lock(&lock);
  long refused = ik_mem_refused();
  if (h5.state == UNTRIED) h5.state = load() ? READY : MISSING;
  h5.lacked_memory = h5.state == MISSING && ik_mem_refused() != refused;
  if (h5.lacked_memory) h5.state = UNTRIED; /* it may be there all the same */
  if (h5.state != READY) return pthread_mutex_unlock(&lock), false;
  h5.H5Eget_auto2(DEFAULT, &h5.handler, &h5.handler_data);
  h5.H5Eset_auto2(DEFAULT, NULL, NULL);
  return true;
}

static void leave(void) {
  h5.H5Eset_auto2(DEFAULT, h5.handler, h5.handler_data);
  pthread_mutex_unlock(&lock);
}

bool ik_hdf5_available(const char **version) {
  if (!enter()) return false;
  if (version) *version = h5.version;
  leave();
  return true;
}

static ik_status missing(const char *path, ik_span at, ik_diag *d) {
  if (h5.lacked_memory) return ik_file_oom(path, at, d);
  ik_fail(d, IK_ERR_RESOURCE, IK_E065, at, "'%s' needs the HDF5 library, which is not installed",
          path);
  ik_help(d, "apt install libhdf5-103-1 (or libhdf5-dev)");
  return IK_ERR_RESOURCE;
}

ik_status ik_hdf5_need(const char *path, ik_span at, ik_diag *d) {
  return ik_hdf5_available(NULL) ? IK_OK : missing(path, at, d);
}

/* ------------------------------------------------------------------------------------- writing */

/* The file is put together in memory and written by us: on a full disk libhdf5 itself can neither
 * close the file nor, later, the program (1.10.8 crashes or reports an endless loop). */

static hid make_space(const ik_array *a) {
  hsize dims[IK_ARRAY_DIMS];
  for (int i = 0; i < a->ndim; i++) dims[i] = (hsize)a->n[a->ndim - 1 - i];
  return a->ndim ? h5.H5Screate_simple(a->ndim, dims, NULL) : h5.H5Screate(SCALAR);
}

/* Where the numbers lie in memory, in as many pieces as there are slices. */
static hid make_slices(const ik_array *a) {
  hsize slice = (hsize)ik_array_slice(a), from[2] = {0, 0};
  hsize n[2] = {(hsize)ik_array_count(a) / slice, slice};
  hsize all[2] = {n[0], slice + (hsize)a->gap};
  hid   space = h5.H5Screate_simple(2, all, NULL);
  if (space >= 0) h5.H5Sselect_hyperslab(space, SELECT_SET, from, NULL, n, NULL);
  return space;
}

/* Without the time of writing in it, the same content gives the same bytes. */
static hid make_timeless(void) {
  hid list = h5.H5Pcreate(*h5.H5P_CLS_DATASET_CREATE_ID_g);
  if (list >= 0) h5.H5Pset_obj_track_times(list, 0);
  return list;
}

static bool put_dataset(hid file, const char *name, const ik_array *a) {
  hid memory = *h5.H5T_NATIVE_FLOAT_g, stored = *h5.H5T_IEEE_F32LE_g;
  if (a->dtype == IK_DT_F64) memory = *h5.H5T_NATIVE_DOUBLE_g, stored = *h5.H5T_IEEE_F64LE_g;
  if (a->dtype == IK_DT_I32) memory = *h5.H5T_NATIVE_INT32_g, stored = *h5.H5T_STD_I32LE_g;
  hid  space = make_space(a), how = make_timeless(), slices = a->gap ? make_slices(a) : ALL;
  hid  set = h5.H5Dcreate2(file, name, stored, space, DEFAULT, how, DEFAULT);
  bool ok = set >= 0 && h5.H5Dwrite(set, memory, slices, ALL, DEFAULT, a->data) >= 0;
  if (set >= 0) h5.H5Dclose(set);
  if (how >= 0) h5.H5Pclose(how);
  if (slices > ALL) h5.H5Sclose(slices);
  if (space >= 0) h5.H5Sclose(space);
  return ok;
}

static bool put_attribute(hid file, const ik_hdf5_attr *a) {
  hid type = h5.H5Tcopy(a->text ? *h5.H5T_C_S1_g : *h5.H5T_IEEE_F64LE_g);
  if (a->text) h5.H5Tset_size(type, VARIABLE_LENGTH), h5.H5Tset_cset(type, UTF8);
  hid         space = h5.H5Screate(SCALAR);
  hid         attr = h5.H5Acreate2(file, a->name, type, space, DEFAULT, DEFAULT);
  const void *value = a->text ? (const void *)&a->text : &a->number;
  bool        ok = attr >= 0 && h5.H5Awrite(attr, type, value) >= 0;
  if (attr >= 0) h5.H5Aclose(attr);
  if (space >= 0) h5.H5Sclose(space);
  if (type >= 0) h5.H5Tclose(type);
  return ok;
}

/* HDF5 has no type of its own for 16-bit floats: they go through a copy. */
static bool put_item(hid file, const ik_hdf5_item *item) {
  ik_dtype t = item->array->dtype;
  if (t != IK_DT_F16 && t != IK_DT_BF16) return put_dataset(file, item->name, item->array);
  ik_array wide;
  if (!ik_array_to_f32(item->array, &wide)) return errno = ENOMEM, false;
  bool ok = put_dataset(file, item->name, &wide);
  ik_array_free(&wide);
  return ok;
}

/* An oldest possible file format lets every program read it and does not depend on the library. */
static hid make_in_memory(const char *name) {
  hid how = h5.H5Pcreate(*h5.H5P_CLS_FILE_ACCESS_ID_g), file = -1;
  if (how >= 0 && h5.H5Pset_fapl_core(how, 1 << 20, 0) >= 0) {
    h5.H5Pset_libver_bounds(how, EARLIEST, V110);
    file = h5.H5Fcreate(name, TRUNCATE, DEFAULT, how);
  }
  if (how >= 0) h5.H5Pclose(how);
  return file;
}

static ik_status refused(const char *path, const char *name, ik_span at, ik_diag *d) {
  if (errno == ENOMEM) return ik_file_oom(path, at, d);
  return ik_fail(d, IK_ERR_RESOURCE, IK_E064, at, "cannot write '%s': HDF5 refuses '%s'", path,
                 name);
}

static ik_status put_all(hid file, const char *path, const ik_hdf5_item *item, int nitem,
                         const ik_hdf5_attr *attr, int nattr, ik_span at, ik_diag *d) {
  for (int i = 0; i < nitem; i++)
    if (!put_item(file, &item[i])) return refused(path, item[i].name, at, d);
  for (int i = 0; i < nattr; i++)
    if (!put_attribute(file, &attr[i])) return refused(path, attr[i].name, at, d);
  return IK_OK;
}

/* Hands the finished file, which lies in the library's memory, to `o`. */
static bool copy_out(hid file, ik_outfile *o) {
  void  **memory = NULL;
  ssize_t bytes = -1;
  if (h5.H5Fflush(file, WHOLE_FILE) >= 0) bytes = h5.H5Fget_file_image(file, NULL, 0);
  if (bytes < 0 || h5.H5Fget_vfd_handle(file, DEFAULT, (void **)&memory) < 0) return false;
  ik_outfile_write(o, *memory, (size_t)bytes);
  return true;
}

ik_status ik_hdf5_write(const char *path, const ik_hdf5_item *item, int nitem,
                        const ik_hdf5_attr *attr, int nattr, ik_span at, ik_diag *d) {
  ik_outfile o = {0};
  if (!enter()) return missing(path, at, d);
  errno = 0;
  hid       file = make_in_memory(path);
  ik_status s = file < 0 ? refused(path, "a file in memory", at, d) : IK_OK;
  if (!s) s = put_all(file, path, item, nitem, attr, nattr, at, d);
  if (!s) s = ik_outfile_open(&o, path, at, d);
  if (!s && !copy_out(file, &o)) s = refused(path, "to give out the file", at, d);
  if (file >= 0) h5.H5Fclose(file);
  leave();
  if (!s) return ik_outfile_commit(&o, d);
  ik_outfile_abandon(&o);
  return s;
}

/* ------------------------------------------------------------------------------------- reading */

enum { NAME_CAP = 256 };

static hsize count_links(hid file) {
  group_info info = {0};
  return h5.H5Gget_info(file, &info) < 0 ? 0 : info.nlinks;
}

static bool link_name(hid file, hsize i, char *name) {
  return h5.H5Lget_name_by_idx(file, ".", BY_NAME, UPWARDS, i, name, NAME_CAP, DEFAULT) >= 0;
}

static ik_status no_dataset(hid file, const char *path, const char *dataset, ik_span at,
                            ik_diag *d) {
  ik_buf names = {0};
  char   name[NAME_CAP];
  for (hsize i = 0, n = count_links(file); i < n && i < 20; i++)
    if (link_name(file, i, name)) ik_buf_printf(&names, "%s%s", names.len ? ", " : "", name);
  if (dataset)
    ik_fail(d, IK_ERR_SOURCE, IK_E063, at, "'%s' has no dataset '%s'", path, dataset);
  else
    ik_fail(d, IK_ERR_SOURCE, IK_E063, at, "'%s' needs the name of a dataset", path);
  ik_help(d, names.len ? "it holds: %s" : "it holds nothing%s", ik_buf_text(&names));
  ik_buf_free(&names);
  return IK_ERR_SOURCE;
}

/* Integers of more than 31 bits are read as i64 so that none is clipped silently. */
static hid layout_of(hid set, ik_encoding *l) {
  hid type = h5.H5Dget_type(set), memory = -1;
  int class = h5.H5Tget_class(type);
  size_t bits = 8 * h5.H5Tget_size(type);
  if (class == INTEGER_CLASS) {
    bool wide = bits + (h5.H5Tget_sign(type) == UNSIGNED) > 32;
    memory = wide ? *h5.H5T_NATIVE_INT64_g : *h5.H5T_NATIVE_INT32_g;
    l->kind = 'i', l->bytes = wide ? 8 : 4;
  } else if (class == FLOAT_CLASS) {
    memory = bits > 32 ? *h5.H5T_NATIVE_DOUBLE_g : *h5.H5T_NATIVE_FLOAT_g;
    l->kind = 'f', l->bytes = bits > 32 ? 8 : 4;
  }
  if (type >= 0) h5.H5Tclose(type);
  return memory;
}

static const char *shape_of(hid set, ik_encoding *l) {
  hsize dims[32]; /* the most that HDF5 allows */
  hid   space = h5.H5Dget_space(set);
  l->ndim = h5.H5Sget_simple_extent_ndims(space);
  int got = l->ndim < 0 ? -1 : h5.H5Sget_simple_extent_dims(space, dims, NULL);
  if (space >= 0) h5.H5Sclose(space);
  if (got < 0) return "its shape cannot be read";
  if (l->ndim > IK_ARRAY_DIMS) return "it has more than four axes";
  for (int i = 0; i < IK_ARRAY_DIMS; i++) {
    hsize n = i < l->ndim ? dims[l->ndim - 1 - i] : 1;
    if (n > INT64_MAX) return "it is too large";
    l->n[i] = (int64_t)n;
  }
  return NULL;
}

static ik_status misfit(const char *path, const char *dataset, const char *why, ik_span at,
                        ik_diag *d) {
  return ik_fail(d, IK_ERR_SOURCE, IK_E063, at, "dataset '%s' of '%s' cannot be used: %s", dataset,
                 path, why);
}

static ik_status read_dataset(hid set, const char *path, const char *name, ik_span at,
                              ik_array *out, ik_diag *d) {
  ik_encoding l = {0};
  ik_buf      bytes = {0};
  hid         memory = layout_of(set, &l);
  const char *wrong = memory < 0 ? "it does not hold numbers" : shape_of(set, &l);
  if (wrong) return misfit(path, name, wrong, at, d);
  int64_t size = ik_array_size(l.bytes == 8 ? IK_DT_F64 : IK_DT_F32, l.ndim, l.n);
  if (size <= 0) return misfit(path, name, size ? "it is too large" : "it is empty", at, d);
  bytes.data = ik_malloc((size_t)size), bytes.len = bytes.cap = (size_t)size;
  ik_status s;
  if (!bytes.data)
    s = ik_file_oom(path, at, d);
  else if (h5.H5Dread(set, memory, ALL, ALL, DEFAULT, bytes.data) < 0)
    s = misfit(path, name, "it is damaged, or compressed in an unknown way", at, d);
  else
    s = ik_decode(&l, &bytes, 0, path, at, out, d);
  ik_buf_free(&bytes);
  return s;
}

/* The numbers of a dataset may lie in other files, by a link, by its layout, or piece by piece; a
 * program that is confined may not read them. */
static bool is_elsewhere(hid set, const char *name) {
  enum { VIRTUAL = 3 };
  char    home[PATH_MAX] = "";
  hid     file = h5.H5Iget_file_id(set), how = h5.H5Dget_create_plist(set);
  ssize_t len = file < 0 ? -1 : h5.H5Fget_name(file, home, sizeof home);
  bool    here = len > 0 && strcmp(home, name) == 0 && how >= 0 &&
              h5.H5Pget_external_count(how) == 0 && h5.H5Pget_layout(how) != VIRTUAL;
  if (file >= 0) h5.H5Fclose(file);
  if (how >= 0) h5.H5Pclose(how);
  return !here;
}

static bool is_confined(void) { return ik_access_now() && ik_access_now()->nread; }

static ik_status read_file(hid file, const char *path, const char *name, const char *dataset,
                           ik_span at, ik_array *out, ik_diag *d) {
  char only[NAME_CAP];
  if (!dataset && count_links(file) == 1 && link_name(file, 0, only)) dataset = only;
  hid set = dataset ? h5.H5Dopen2(file, dataset, DEFAULT) : -1;
  if (set < 0) return no_dataset(file, path, dataset, at, d);
  ik_status s = is_confined() && is_elsewhere(set, name)
                    ? ik_error(d, IK_E069, at,
                               "the program may not read dataset '%s' of '%s': its numbers lie in "
                               "another file",
                               dataset, path)
                    : read_dataset(set, path, dataset, at, out, d);
  h5.H5Dclose(set);
  return s;
}

ik_status ik_hdf5_read(const char *path, const char *dataset, ik_span at, ik_array *out,
                       ik_diag *d) {
  char name[PATH_MAX];
  int  fd;
  *out = (ik_array){0};
  IK_TRY(ik_file_open(path, at, &fd, name, d));
  if (!enter()) return close(fd), missing(path, at, d);
  hid       file = h5.H5Fopen(name, READ_ONLY, DEFAULT);
  ik_status s;
  if (file < 0)
    s = ik_fail(d, IK_ERR_SOURCE, IK_E063, at,
                "'%s' is not an HDF5 file, is damaged, or is being written by another program",
                path);
  else
    s = read_file(file, path, name, dataset, at, out, d);
  if (file >= 0) h5.H5Fclose(file);
  leave();
  close(fd);
  return s;
}
