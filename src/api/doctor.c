#include "api/doctor.h"
#include "base/system.h"
#include "base/json.h"
#include "io/hdf5.h"
#include "runtime/build.h"
#include "machine/machine.h"
#include <dlfcn.h>
#include <string.h>

/* One line of the examination.  What is not there says what that costs and how to get it. */
typedef struct item {
  const char *name; /* "HDF5" */
  bool        found;
  const char *what;   /* version, place, or what was looked for */
  const char *note;   /* what is lost without it, or what it is good for; may be NULL */
  const char *remedy; /* a command line; NULL: nothing to do */
} item;

/* What is done with each item: text or JSON. */
typedef struct writer {
  ik_buf  *out;
  ik_json *json; /* NULL: text */
} writer;

enum { COLUMN = 11 };

static void text_item(const item *it, ik_buf *out) {
  ik_buf_printf(out, "  %-*s%s\n", COLUMN - 2, it->name, it->what);
  if (it->note) ik_buf_printf(out, "%*s%s\n", COLUMN, "", it->note);
  if (it->remedy) ik_buf_printf(out, "%*sto install it:  %s\n", COLUMN, "", it->remedy);
}

static void json_item(const item *it, ik_json *j) {
  ik_json_open(j, NULL, '{');
  ik_json_str(j, "name", it->name);
  ik_json_bool(j, "found", it->found);
  ik_json_str(j, "what", it->what);
  ik_json_str(j, "note", it->note);
  ik_json_str(j, "remedy", it->remedy);
  ik_json_close(j, '}');
}

static void write_item(const writer *w, item it) {
  if (w->json)
    json_item(&it, w->json);
  else
    text_item(&it, w->out);
}

/* ---- processor and memory ---- */

static void put_count(ik_buf *b, const ik_machine *m, const char *key, const char *noun) {
  double v;
  if (!ik_machine_number(m, key, "", &v)) return;
  ik_buf_printf(b, ", %.0f %s%s", v, noun, v == 1 ? "" : "s");
}

static void put_cache(ik_buf *b, const ik_machine *m, const char *key, const char *name) {
  double kib;
  if (!ik_machine_number(m, key, "KiB", &kib)) return;
  ik_buf_puts(b, b->len ? ", " : "");
  if (kib < 1024)
    ik_buf_printf(b, "%s %.4g KiB", name, kib);
  else
    ik_buf_printf(b, "%s %.4g MiB", name, kib / 1024);
}

static void examine_cpu(const writer *w, const ik_machine *m) {
  ik_buf      what = {0}, note = {0};
  const char *title = ik_machine_text(m, "title"), *simd = ik_machine_text(m, "cpu.simd");
  ik_buf_puts(&what, title ? title : "of unknown make");
  put_count(&what, m, "cpu.sockets", "socket");
  put_count(&what, m, "cpu.cores", "core");
  put_count(&what, m, "cpu.threads", "thread");
  put_cache(&note, m, "cache.l1d", "L1");
  put_cache(&note, m, "cache.l2", "L2");
  put_cache(&note, m, "cache.l3", "L3");
  if (simd) ik_buf_printf(&note, "%s%s", note.len ? "; " : "", simd);
  write_item(w,
             (item){"CPU", true, ik_buf_text(&what), note.len ? ik_buf_text(&note) : NULL, NULL});
  ik_buf_free(&what), ik_buf_free(&note);
}

static void examine_memory(const writer *w, const ik_machine *m) {
  ik_buf what = {0};
  double total, available;
  if (ik_machine_number(m, "memory.size", "GiB", &total))
    ik_buf_printf(&what, "%.1f GiB", total);
  else
    ik_buf_puts(&what, "of unknown size");
  if (ik_machine_number(m, "memory.available", "GiB", &available))
    ik_buf_printf(&what, ", %.1f GiB available", available);
  write_item(
      w, (item){"memory", true, ik_buf_text(&what), "its bandwidth: `ikat machine probe`", NULL});
  ik_buf_free(&what);
}

/* ---- GPU ---- */

static const char gpu_note[] =
    "ikat has no engine for GPUs yet: programs run on the CPU with or without one";

/* The driver's own interface, of which four calls are needed.  The library stays loaded once it has
 * been started: it has threads of its own. */
static bool list_gpus(void *cuda, ik_buf *what) {
  int (*init)(unsigned) = (int (*)(unsigned))dlsym(cuda, "cuInit");
  int (*count)(int *) = (int (*)(int *))dlsym(cuda, "cuDeviceGetCount");
  int (*name)(char *, int, int) = (int (*)(char *, int, int))dlsym(cuda, "cuDeviceGetName");
  int (*memory)(size_t *, int) = (int (*)(size_t *, int))dlsym(cuda, "cuDeviceTotalMem_v2");
  int n = 0, code = init ? init(0) : -1;
  if (code) return ik_buf_printf(what, "none (the driver returned error %d)", code), false;
  if (!count || !name || !memory || count(&n) || n < 1) return ik_buf_puts(what, "none"), false;
  for (int i = 0; i < n; i++) {
    char   text[128] = "";
    size_t bytes = 0;
    name(text, sizeof text, i);
    memory(&bytes, i);
    ik_buf_printf(what, "%s%d: %s, %.1f GiB", i ? "; " : "", i, text, (double)bytes / (1 << 30));
  }
  return true;
}

static void examine_gpu(const writer *w) {
  ik_buf what = {0};
  bool   found = false;
  void  *cuda = ik_system_load("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (cuda)
    found = list_gpus(cuda, &what);
  else
    ik_buf_puts(&what, "none found (libcuda.so.1 not found)");
  write_item(w, (item){"GPU", found, ik_buf_text(&what), gpu_note, NULL});
  ik_buf_free(&what);
}

/* ---- compilers and libraries ---- */

static void examine_compiler(const writer *w) {
  static const char note[] =
      "compiles the kernels of the target 'cpu'; without one the interpreter runs instead";
  ik_buf path = {0};
  if (ik_build_compiler(&path))
    write_item(w, (item){"compiler", true, ik_buf_text(&path), note, NULL});
  else
    write_item(w, (item){"compiler", false, "none found: neither cc nor gcc nor clang", note,
                         "apt install gcc libc6-dev"});
  w->out->failed |= path.failed;
  ik_buf_free(&path);
}

static void examine_hdf5(const writer *w) {
  const char *version = NULL;
  if (ik_hdf5_available(&version))
    write_item(w, (item){"HDF5", true, version, NULL, NULL});
  else
    write_item(w, (item){"HDF5", false, "no (libhdf5 not found)",
                         "without it .h5 files can be neither read nor written; .npy works",
                         "apt install libhdf5-dev"});
}

/* Libraries that are looked for when they are needed. */
static const struct library {
  const char *name, *file[4]; /* the first of these that is there ... */
  const char *also;           /* ... and this one; NULL: that is all */
  const char *note, *remedy;
} libraries[] = {
    {"hwloc",
     {"libhwloc.so.15"},
     NULL,
     "gives the topology of the cores; without it they are used in numerical order",
     "apt install libhwloc15"},
    {"FFTW",
     {"libfftw3.so.3"},
     "libfftw3f.so.3",
     "computes the Fourier transforms of the strategy 'spectral'; nothing else needs it",
     "apt install libfftw3-double3 libfftw3-single3"},
    {"MPI",
     {"libmpi.so.40", "libmpi.so.12", "libmpi.so"},
     NULL,
     "ikat has no engine for distributed memory yet: a run is one process",
     "apt install openmpi-bin"},
};

/* Without starting what is found: a library is opened and closed again. */
static bool is_there(const char *file) {
  void *lib = ik_system_load(file, RTLD_LAZY | RTLD_LOCAL);
  if (lib) dlclose(lib);
  return lib != NULL;
}

static void examine_library(const writer *w, const struct library *l) {
  for (int i = 0; l->file[i]; i++) {
    if (!is_there(l->file[i]) || (l->also && !is_there(l->also))) continue;
    write_item(w, (item){l->name, true, l->file[i], l->note, NULL});
    return;
  }
  write_item(w, (item){l->name, false, "none found", l->note, l->remedy});
}

/* ---- the whole ---- */

static void examine(const writer *w, const ik_machine *m) {
  if (m) examine_cpu(w, m), examine_memory(w, m);
  examine_gpu(w);
  examine_compiler(w);
  examine_hdf5(w);
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
    examine_library(w, &libraries[i]);
  write_item(
      w, (item){"files", true, ".npy, .npz, text, SEG-Y, raw and XDMF are built in", NULL, NULL});
  write_item(w,
             (item){"pictures", true, "PNG, GIF, SVG and HTML reports are built in", NULL, NULL});
}

/* The machine, or NULL when memory runs out. */
static const ik_machine *look_around(ik_arena *a) {
  if (setjmp(a->oom)) return NULL;
  return ik_machine_local("", a);
}

void ik_doctor_write(bool json, ik_buf *out) {
  ik_arena a;
  ik_json  j = {.out = out};
  writer   w = {out, json ? &j : NULL};
  ik_arena_init(&a);
  const ik_machine *m = look_around(&a);
  if (json) ik_json_open(&j, NULL, '{'), ik_json_open(&j, "items", '[');
  examine(&w, m);
  if (json) ik_json_close(&j, ']'), ik_json_close(&j, '}');
  ik_arena_free(&a);
}
