/* families.h: random programs around one thing that the CPU engine does in a way of its own, and
 * plans that make it do so.  Most programs of a family allow it; the others differ in one of the
 * things that forbid it.  The same seed gives the same program and plan on every machine and with
 * every compiler; values stay finite. */
#pragma once
#include "base/buf.h"
#include "plan/plan.h"

typedef void family_write(uint64_t seed, ik_buf *out); /* appends a program */

family_write family_any;        /* generate.h, in 3000 cells */
family_write family_ahead;      /* temporaries that are computed a row ahead, cells that are kept */
family_write family_whole_rows; /* rows that are read whole */
family_write family_ends;       /* rows whose ends are known */
family_write family_fluxes;     /* fluxes between neighbours along a row */
family_write family_boxes;      /* of which wide vectors load half of the neighbours */
family_write family_padded;     /* one number beyond all faces but those of rows */
family_write family_levels;     /* fields that keep one value, or several, with sources */
family_write family_heard;      /* sources and receivers while several steps are made in one go */

typedef struct family_vectors { /* that plans may have */
  int  n, bytes[4];
  bool wide; /* 64 bytes can be run, if only as several narrow ones */
} family_vectors;

family_vectors family_vectors_here(void); /* those of this machine */

typedef ik_plan family_plan(uint64_t seed, const family_vectors *v);

family_plan family_plan_any;
family_plan family_plan_boxes; /* shifted neighbours */
family_plan family_plan_steps; /* several in one go */
family_plan family_plan_slabs; /* whole along the last axis, cut along the one before */
family_plan family_plan_fused; /* several steps in a pass */
/* In place or not, in vectors of so many bytes. */
ik_plan family_plan_rows(uint64_t seed, int bytes, bool place);

extern const char *const family_waves[2]; /* "hex" and "skew", as in the plans */

/* Below n, and from lo to hi: draws one after the other. */
uint64_t family_draw(uint64_t *state, uint64_t n);
int      family_upto(uint64_t *state, int lo, int hi);
/* Seeds one after the other have nothing in common. */
uint64_t family_mixed(uint64_t seed);
