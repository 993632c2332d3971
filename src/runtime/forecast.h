/* forecast.h: what an engine expects of a run before it has run: seconds, what they are made of,
 * and the roofs of the machine that it runs on. */
#pragma once
#include <stdbool.h>

typedef struct ik_forecast_part {
  const char *name;    /* "memory", "arithmetic", ...; static */
  const char *kind;    /* "compute", "cache", "memory" or, of what does no work, "overhead" */
  double      seconds; /* of the whole, what shows of it */
  double      busy;    /* that it would take if the others cost nothing */
} ik_forecast_part;

enum { IK_FORECAST_PARTS = 16 };

typedef struct ik_forecast { /* begin with zeros */
  double           seconds;
  double           bytes; /* from and to memory, as planned; 0: not known */
  int              npart;
  ik_forecast_part part[IK_FORECAST_PARTS];
} ik_forecast;

/* One more part; what has that name already grows. */
void ik_forecast_add(ik_forecast *f, const char *name, const char *kind, double seconds,
                     double busy);
/* `times` as much of another one. */
void ik_forecast_join(ik_forecast *f, const ik_forecast *more, double times);
/* What is busy longest; NULL without parts. */
const ik_forecast_part *ik_forecast_limit(const ik_forecast *f);

/* ---- the machine ---- */

enum { IK_ROOFS_LEVELS = 4 };

typedef struct ik_roofs {
  double      peak; /* FLOP/s in the type of the program, of all threads that run; 0: not known */
  const char *type; /* "f32" */
  int         nlevel;
  struct ik_roofs_level {
    const char *name;       /* "L2", "memory"; static */
    double      rate;       /* B/s */
  } level[IK_ROOFS_LEVELS]; /* the nearest first */
  int         holds;        /* the level that the fields lie in */
  bool        measured;     /* here; else they are estimates */
  const char *machine; /* whose they are, for a person; lives as long as the engine; NULL: here */
} ik_roofs;

/* Seconds that so much work takes at least, with the fields where they are; 0: not known. */
double ik_roofs_seconds(const ik_roofs *r, double flops, double bytes);
/* FLOP/s at an intensity in FLOP/B; 0: not known. */
double ik_roofs_attainable(const ik_roofs *r, double intensity);
