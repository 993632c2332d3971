#include "runtime/joules.h"
#include "base/text.h"
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* RAPL counts about a thousand times a second: what is shorter than this is mostly the counter's
 * own step. */
#define SHORTEST 0.02

/* ---- files ---- */

/* The first line; false, with errno, if it cannot be read: ENODATA if there is none. */
static bool read_line(const char *path, char *out, size_t cap) {
  FILE *f = fopen(path, "r");
  if (!f) return false;
  bool ok = fgets(out, (int)cap, f) != NULL;
  int  error = ferror(f) ? errno : ENODATA;
  fclose(f);
  errno = error;
  if (ok) out[strcspn(out, "\n")] = 0;
  return ok;
}

/* Counters tell millionths.  No number is no data. */
static bool read_micro(const char *path, double *out) {
  char text[64], *end;
  if (!read_line(path, text, sizeof text)) return false;
  *out = 1e-6 * ik_strtod(text, &end);
  errno = ENODATA;
  return end != text;
}

/* ---- finding ---- */

static void refuse(ik_joules *e, const char *path) {
  e->refused = true;
  if (e->why[0]) return;
  snprintf(e->why, sizeof e->why, "%s: %s%s", path, strerror(errno),
           errno == EACCES ? " (readable by root alone)" : "");
}

static void add_counter(ik_joules *e, const char *path, bool power, double range,
                        const char *source) {
  double v;
  if (e->n == IK_JOULES_COUNTERS) return;
  if (!read_micro(path, &v)) {
    refuse(e, path);
    return;
  }
  ik_joules_counter *c = &e->counter[e->n++];
  *c = (ik_joules_counter){.power = power, .range = range};
  snprintf(c->path, sizeof c->path, "%s", path);
  e->source = source;
}

typedef void entry_fn(ik_joules *e, const char *folder);

/* Calls `f` for each folder below a folder, by its path.  If a counter there cannot be read, the
 * sum of the others is not what the processor used. */
static void find_counters(ik_joules *e, const char *folder, entry_fn *f) {
  DIR *d = opendir(folder);
  e->refused = false;
  for (struct dirent *x; d && (x = readdir(d));) {
    char path[176];
    int  len = snprintf(path, sizeof path, "%s/%s", folder, x->d_name);
    if (x->d_name[0] != '.' && len > 0 && (size_t)len < sizeof path) f(e, path);
  }
  if (d) closedir(d);
  if (e->refused) e->n = 0, e->source = NULL;
}

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* A zone of RAPL: packages, and the memory beside them.  Cores and graphics are parts of a package;
 * "psys" counts it once more. */
static void add_zone(ik_joules *e, const char *folder) {
  char   name[64], path[224];
  double range = 0;
  snprintf(path, sizeof path, "%s/name", folder);
  if (!strstr(folder, "intel-rapl:") || !read_line(path, name, sizeof name)) return;
  if (!begins(name, "package") && strcmp(name, "dram")) return;
  snprintf(path, sizeof path, "%s/max_energy_range_uj", folder);
  if (!read_micro(path, &range)) range = 0;
  snprintf(path, sizeof path, "%s/energy_uj", folder);
  add_counter(e, path, false, range, "RAPL");
}

/* A sensor of the processor by its label: other devices have sensors as well. */
static void add_sensor(ik_joules *e, const char *folder) {
  static const struct {
    const char *kind, *label;
    bool        power;
  } known[] = {{"energy", "Esocket", false}, {"power", "CPU power", true}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    for (int i = 1; i <= 64; i++) {
      char label[64], path[224];
      snprintf(path, sizeof path, "%s/%s%d_label", folder, known[k].kind, i);
      if (!read_line(path, label, sizeof label) || !begins(label, known[k].label)) continue;
      snprintf(path, sizeof path, "%s/%s%d_input", folder, known[k].kind, i);
      add_counter(e, path, known[k].power, 0, "hwmon");
    }
}

void ik_joules_open(ik_joules *e, const char *root) {
  char folder[128];
  *e = (ik_joules){0};
  snprintf(folder, sizeof folder, "%s/sys/class/powercap", root);
  find_counters(e, folder, add_zone);
  snprintf(folder, sizeof folder, "%s/sys/class/hwmon", root);
  if (!e->n) find_counters(e, folder, add_sensor);
  if (!e->n && !e->why[0])
    snprintf(e->why, sizeof e->why,
             "neither RAPL in /sys/class/powercap nor a sensor of the processor in "
             "/sys/class/hwmon");
}

/* ---- reading ---- */

static double used(const ik_joules_counter *c, double v, double seconds) {
  if (c->power) return 0.5 * (c->last + v) * seconds;
  double more = v - c->last;
  return more < 0 ? fmax(0, more + c->range) : more;
}

/* A counter that cannot be read any more makes the sum worthless. */
static void read_all(ik_joules *e, double now, bool add) {
  double seconds = now - e->last;
  for (int i = 0; i < e->n; i++) {
    ik_joules_counter *c = &e->counter[i];
    double             v;
    if (!read_micro(c->path, &v)) {
      refuse(e, c->path);
      e->n = 0, e->source = NULL;
      return;
    }
    if (add) e->joules += used(c, v, seconds);
    c->last = v;
  }
  if (add) e->seconds += seconds;
  e->last = now;
}

void ik_joules_begin(ik_joules *e, double now) { read_all(e, now, false); }

void ik_joules_sample(ik_joules *e, double now) {
  enum { SECONDS = 10 };
  if (now - e->last >= SECONDS) read_all(e, now, true);
}

void ik_joules_end(ik_joules *e, double now) { read_all(e, now, true); }

double ik_joules_used(const ik_joules *e, const char **why) {
  *why = e->why;
  if (!e->n) return NAN;
  *why = "the run is too short for the counter";
  if (e->seconds < SHORTEST) return NAN;
  *why = NULL;
  return e->joules;
}
