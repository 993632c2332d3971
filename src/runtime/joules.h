/* joules.h: joules of the processor, as its counters tell: RAPL in /sys/class/powercap, or sensors
 * of the processor in /sys/class/hwmon.  They count all that runs on it, not this process alone.
 *
 *   ik_joules_open(&e, "");  ... ik_joules_begin(&e, now); work; ik_joules_end(&e, now);
 *
 * A counter of RAPL starts anew at a limit that it tells, after minutes to an hour: a run that
 * takes longer asks ik_joules_sample() in between. */
#pragma once
#include <stdbool.h>

enum { IK_JOULES_COUNTERS = 64 };

typedef struct ik_joules_counter {
  char   path[192];
  bool   power; /* watts, to be multiplied with time; else joules that were used so far */
  double range; /* J after which it starts at 0 again; 0: never */
  double last;  /* reading: J or W */
} ik_joules_counter;

typedef struct ik_joules {
  int               n;
  ik_joules_counter counter[IK_JOULES_COUNTERS];
  double            joules;   /* while something was measured */
  double            seconds;  /* so long it was */
  double            last;     /* seconds, by the caller's clock */
  bool              refused;  /* a counter could not be read */
  char              why[224]; /* nothing can be read, or was: for a person */
  const char       *source;   /* "RAPL", ...; static; NULL if there is none */
} ik_joules;

/* Finds what can be read.  `root` is put before /sys: "" for the machine itself. */
void ik_joules_open(ik_joules *e, const char *root);

void ik_joules_begin(ik_joules *e, double now);
void ik_joules_sample(ik_joules *e, double now);
void ik_joules_end(ik_joules *e, double now);

/* What was measured; NaN: nothing, or too little to tell, and *why says so. */
double ik_joules_used(const ik_joules *e, const char **why);
