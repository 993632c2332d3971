/* Plans are estimated: measuring them took ten times as long and won nothing on 2048 x 2048. */
#include "targets/cpu/fftw.h"
#include "base/system.h"
#include "base/mem.h"
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

enum { ESTIMATE = 1 << 6 }; /* FFTW_ESTIMATE of the interface of FFTW 3 */

typedef void *plan; /* fftw_plan and fftwf_plan */

/* Data is `double *` here and `float *` there, and a fftw_complex two of them: a pointer always. */
typedef struct library {
  plan (*plan_forward)(int rank, const int *n, void *in, void *out, unsigned flags);
  plan (*plan_backward)(int rank, const int *n, void *in, void *out, unsigned flags);
  void (*forward)(plan p, void *in, void *out);
  void (*backward)(plan p, void *in, void *out);
  void (*destroy)(plan p);
  void (*threads)(int n); /* of plans made from now on; NULL: always one */
} library;

struct ik_fft {
  const library *lib;
  plan           forward, backward;
};

static struct {
  bool    tried, ready;
  library lib[2]; /* f64, f32 */
} fftw;

/* Loading, planning and destroying are not safe among threads, and the rest is. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

const char *const ik_fftw_missing =
    "FFTW is not installed: apt-get install libfftw3-double3 libfftw3-single3";

/* ---- loading ---- */

static bool find(void *lib, const char *prefix, const char *name, void *into) {
  char full[64] = "";
  strcat(strcat(full, prefix), name);
  void *p = dlsym(lib, full);
  memcpy(into, &p, sizeof p);
  return p != NULL;
}

/* What plans with several threads need is a library of its own, which may be missing. */
static void load_threads(const char *file, const char *prefix, library *out) {
  int (*init)(void);
  void *lib = ik_system_load(file, RTLD_NOW | RTLD_LOCAL);
  if (!lib || !find(lib, prefix, "_init_threads", &init) || !init()) return;
  find(lib, prefix, "_plan_with_nthreads", &out->threads);
}

static bool load(const char *file, const char *threads, const char *prefix, library *out) {
  void *lib = ik_system_load(file, RTLD_NOW | RTLD_LOCAL);
  if (!lib || !find(lib, prefix, "_plan_dft_r2c", &out->plan_forward) ||
      !find(lib, prefix, "_plan_dft_c2r", &out->plan_backward) ||
      !find(lib, prefix, "_execute_dft_r2c", &out->forward) ||
      !find(lib, prefix, "_execute_dft_c2r", &out->backward) ||
      !find(lib, prefix, "_destroy_plan", &out->destroy))
    return false;
  load_threads(threads, prefix, out);
  return true;
}

bool ik_fftw_here(ik_buf *why) {
  pthread_mutex_lock(&lock);
  if (!fftw.tried)
    fftw.ready = load("libfftw3.so.3", "libfftw3_threads.so.3", "fftw", &fftw.lib[0]) &&
                 load("libfftw3f.so.3", "libfftw3f_threads.so.3", "fftwf", &fftw.lib[1]);
  fftw.tried = true;
  bool ready = fftw.ready;
  pthread_mutex_unlock(&lock);
  if (!ready && why) ik_buf_puts(why, ik_fftw_missing);
  return ready;
}

/* ---- transforms ---- */

static void make_plans(ik_fft *f, int ndim, const int64_t n[IK_MAX_DIM], int threads, void *data) {
  int slowest_first[IK_MAX_DIM];
  for (int d = 0; d < ndim; d++) slowest_first[ndim - 1 - d] = (int)n[d];
  pthread_mutex_lock(&lock);
  if (f->lib->threads) f->lib->threads(threads);
  f->forward = f->lib->plan_forward(ndim, slowest_first, data, data, ESTIMATE);
  f->backward = f->lib->plan_backward(ndim, slowest_first, data, data, ESTIMATE);
  if (f->lib->threads) f->lib->threads(1);
  pthread_mutex_unlock(&lock);
}

ik_status ik_fft_create(bool single, int ndim, const int64_t n[IK_MAX_DIM], int threads, void *data,
                        ik_diag *d, ik_fft **out) {
  *out = NULL;
  if (!ik_fftw_here(NULL))
    return ik_fail(d, IK_ERR_UNSUPPORTED, IK_E082, IK_NOSPAN, "%s", ik_fftw_missing);
  ik_fft *f = ik_calloc(1, sizeof *f);
  if (!f) return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for FFTW's plans");
  for (int k = 0; k < ndim; k++) IK_ASSERT(n[k] <= INT_MAX);
  f->lib = &fftw.lib[single];
  make_plans(f, ndim, n, threads, data);
  *out = f;
  if (f->forward && f->backward) return IK_OK;
  ik_fft_destroy(out);
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "FFTW could not plan its transforms");
}

void ik_fft_forward(const ik_fft *f, void *data) { f->lib->forward(f->forward, data, data); }
void ik_fft_backward(const ik_fft *f, void *data) { f->lib->backward(f->backward, data, data); }

void ik_fft_destroy(ik_fft **fft) {
  ik_fft *f = *fft;
  if (!f) return;
  pthread_mutex_lock(&lock);
  if (f->forward) f->lib->destroy(f->forward);
  if (f->backward) f->lib->destroy(f->backward);
  pthread_mutex_unlock(&lock);
  ik_free(f);
  *fft = NULL;
}
