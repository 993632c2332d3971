/* spatial.h: programs on machines that are simulated: what their closed forms predict (model/
 * spatial.h), beside it what a simulation gives where that takes no time, and how it would grow. */
#pragma once
#include "api/api.h"
#include "base/json.h"
#include "machine/machine.h"
#include "model/spatial.h"

typedef struct ik_spatial_case { /* a program, borrowed, and what its steps ask for */
  const ik_program *program;
  double            steps;
  ik_spatial_work   work;
  bool              brief; /* simulated only if it takes no time */
  ik_arena         *a;
} ik_spatial_case;

ik_spatial_case ik_spatial_case_of(const ik_program *p, double steps, ik_arena *a);

typedef struct ik_spatial_answer { /* what is known of the program on a machine */
  const ik_machine *machine;
  const ik_target  *target;  /* NULL: none simulates it */
  bool              known;   /* the model has its figures */
  const char       *refused; /* why it cannot be run; NULL: it can */
  ik_spatial_time   time;    /* of a step, by the model */
  double      simulated;     /* seconds of a step, by the simulation; 0: that would take too long */
  double      run;           /* seconds that every run takes besides; 0: none */
  const char *part;          /* what of the machine was simulated; NULL: nothing */
} ik_spatial_answer;

static inline double ik_spatial_cells(const ik_spatial_work *w) {
  return w->n[0] * w->n[1] * w->n[2];
}

/* Asks the model, and the target that simulates the machine: its word on whether the program fits
 * goes before the model's. */
const ik_spatial_answer *ik_spatial_ask(const ik_spatial_case *c, const ik_machine *m);

/* One machine: its prediction, curves of weak and strong scaling as tables and as a chart.  In JSON
 * an object in the array that is open. */
void ik_spatial_plan(const ik_spatial_case *c, const ik_spatial_answer *x, ik_buf *text,
                     ik_json *json, ik_buf *page);
/* All of them, a line each, also those that refuse the program; in JSON likewise. */
ik_status ik_spatial_list(const ik_spatial_case *c, ik_diag *d, ik_buf *text, ik_json *json);
