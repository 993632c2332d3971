/* standalone.c: drives a fuzz target where libFuzzer is not at hand, and in CI, where every run
 * must do the same.  Understands the libFuzzer options that scripts/fuzz gives:
 *
 *   PROGRAM [-runs=N] [-seed=S] [-max_total_time=SECONDS] [-timeout=SECONDS] [-max_len=BYTES]
 *           [-artifact_prefix=P] FILE|FOLDER...
 *
 * Runs every input as it is, then N mutations of them (or mutations for SECONDS), none longer than
 * BYTES.  An input that crashes, or takes longer than the timeout, is left in the file P followed
 * by "crash". */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* Of the sanitizers' runtime: called when one of them is about to end the program. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

typedef struct input {
  uint8_t *data;
  size_t   size;
} input;

enum { LARGEST = 1 << 20 };
static size_t   longest = 1 << 16; /* of a mutation */
static unsigned timeout_s;

static input       *inputs;
static size_t       ninputs;
static uint64_t     rng = 1;
static char         crash_path[4096];
static const input *running;

static uint64_t draw(uint64_t below) { /* xorshift64*; `below` > 0 */
  rng ^= rng >> 12, rng ^= rng << 25, rng ^= rng >> 27;
  return (rng * UINT64_C(2685821657736338717) >> 16) % below;
}

static void *must(void *p) {
  if (!p) abort();
  return p;
}

static void save_crash(void) {
  int fd = open(crash_path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0 || !running) return;
  if (write(fd, running->data, running->size) < 0) return;
  close(fd);
}

static void on_signal(int sig) {
  save_crash();
  signal(sig, SIG_DFL);
  raise(sig);
}

static void run(const input *in) {
  /* An exact copy on the heap, so that a read past its end is seen. */
  input copy = {must(malloc(in->size + !in->size)), in->size};
  if (in->size) memcpy(copy.data, in->data, in->size);
  running = &copy;
  alarm(timeout_s);
  LLVMFuzzerTestOneInput(copy.data, copy.size);
  alarm(0);
  running = NULL;
  free(copy.data);
}

static void add_file(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f) return;
  input in = {must(malloc(LARGEST)), 0};
  in.size = fread(in.data, 1, LARGEST, f);
  fclose(f);
  in.data = must(realloc(in.data, in.size + !in.size));
  inputs = must(realloc(inputs, (ninputs + 1) * sizeof *inputs));
  inputs[ninputs++] = in;
}

static void add_path(const char *path) {
  struct dirent **entry;
  int             n = scandir(path, &entry, NULL, alphasort);
  if (n < 0) {
    add_file(path);
    return;
  }
  for (int i = 0; i < n; i++) {
    char name[4096];
    snprintf(name, sizeof name, "%s/%s", path, entry[i]->d_name);
    if (entry[i]->d_name[0] != '.') add_file(name);
    free(entry[i]);
  }
  free(entry);
}

/* Replaces `cut` bytes of `m` at `at` by `add` bytes of `from`, as far as there is room. */
static void splice(input *m, size_t at, size_t cut, const uint8_t *from, size_t add) {
  if (m->size - cut + add > longest) return;
  memmove(m->data + at + add, m->data + at + cut, m->size - at - cut);
  memcpy(m->data + at, from, add);
  m->size = m->size - cut + add;
}

static void mutate(input *m) {
  static const char marks[] = "{}[]()=+-*/^'\",.:#<>\n 019eE\0\x7f\x80\xff";
  const input      *other = &inputs[draw(ninputs)];
  size_t            at = draw(m->size + 1), left = m->size - at;
  size_t            from = draw(other->size + 1), some = draw(other->size - from + 1);
  uint8_t           byte = (uint8_t)marks[draw(sizeof marks)];
  switch (draw(5)) {
  case 0: splice(m, at, left ? 1 : 0, &byte, 1); break;
  case 1: splice(m, at, 0, &byte, 1); break;
  case 2: splice(m, at, draw((left < 16 ? left : 16) + 1), &byte, 0); break;
  case 3: splice(m, at, draw(left + 1), other->data + from, some); break;
  case 4:
    if (left) m->data[at] ^= (uint8_t)(1u << draw(8));
    break;
  }
}

static void run_mutation(size_t turn, uint8_t *room) {
  const input *base = &inputs[turn % ninputs];
  input        m = {room, base->size < longest ? base->size : longest};
  memcpy(room, base->data, m.size);
  for (uint64_t n = 1 + draw(6); n > 0; n--) mutate(&m);
  run(&m);
}

static int option(const char *arg, const char *name, const char **value) {
  size_t n = strlen(name);
  if (strncmp(arg, name, n) != 0) return 0;
  *value = arg + n;
  return 1;
}

int main(int argc, char **argv) {
  const char *runs = "0", *seed = "1", *seconds = "0", *prefix = "", *limit = "0", *most_len = "0";
  const uint8_t nothing = 0;
  for (int i = 1; i < argc; i++)
    if (!option(argv[i], "-runs=", &runs) && !option(argv[i], "-seed=", &seed) &&
        !option(argv[i], "-max_total_time=", &seconds) && !option(argv[i], "-timeout=", &limit) &&
        !option(argv[i], "-max_len=", &most_len) && !option(argv[i], "-artifact_prefix=", &prefix))
      add_path(argv[i]);
  timeout_s = (unsigned)strtoul(limit, NULL, 10);
  if (strtoull(most_len, NULL, 10)) longest = strtoull(most_len, NULL, 10);
  if (longest > LARGEST) longest = LARGEST;
  snprintf(crash_path, sizeof crash_path, "%scrash", prefix);
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(save_crash);
  signal(SIGABRT, on_signal);
  signal(SIGALRM, on_signal);

  size_t saved = ninputs;
  for (size_t i = 0; i < ninputs; i++) run(&inputs[i]);
  inputs = must(realloc(inputs, (ninputs + 1) * sizeof *inputs));
  inputs[ninputs++] = (input){must(malloc(1)), 0};
  inputs[ninputs - 1].data[0] = nothing;
  run(&inputs[ninputs - 1]);

  rng = strtoull(seed, NULL, 10) * 2 + 1;
  size_t   most = strtoull(runs, NULL, 10), done = 0;
  time_t   end = time(NULL) + atol(seconds);
  uint8_t *room = must(malloc(LARGEST));
  for (; done < most || time(NULL) < end; done++) run_mutation(done, room);
  printf("%s: %zu saved inputs, %zu mutations\n", argv[0], saved, done);
  free(room);
  for (size_t i = 0; i < ninputs; i++) free(inputs[i].data);
  free(inputs);
  return 0;
}
