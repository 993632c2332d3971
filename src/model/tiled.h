/* tiled.h: what steps that are tiled in time save of a step's traffic, and what their tiles cost.
 *
 * A tile lives for several steps.  It is a box for each of them, which moves along the inner axis
 * by `lean` a step, or one slab that is walked along the outer axis, all steps a few slices behind
 * each other.  What the caches keep from one step to the next does not come from memory again.
 *
 * Boxes: if all that a tile meets lies in the second cache, a step moves the share
 * (width + lean (steps + 2)) / (width steps turns) of its bytes, by the outer axis; if only what a
 * step meets does, lean / width of the inner axis more; if all lies in the last cache, the first
 * share comes from memory and the rest from there; else all comes from memory in each step.
 *
 * Slabs: if the slices of all steps lie in the second cache, a step moves its part of what the band
 * reads, with what leans out of the slab, and what it writes.
 */
#pragma once
#include "model/pipeline.h"

typedef struct ik_tiled_axis {
  double n, width; /* cells; of a tile: n, it is not cut */
  double lean;     /* that edges move in a step; 0, if it is not cut */
} ik_tiled_axis;

typedef struct ik_tiled {
  bool          slabs;
  double        steps, turns; /* of a band; bands that a tile lasts */
  double        subs;         /* passes of a step */
  ik_tiled_axis outer, inner; /* the last axis of the grid and the one before it; n 1: none */
  int           ndim;
  double        lanes;         /* cells of the axes that are never cut */
  double        bytes;         /* of all arrays that a cell has, ... */
  double        made;          /* ... of those that steps write, ... */
  double        beside;        /* ... and of others, for each slice beside it that is read */
  double        slices;        /* slabs: that a sub-step is behind the first of its step */
  double        reads, writes; /* of a cell and a step, from memory and to it, without tiles */
  bool          prefetched;    /* slabs: what is read next, of all steps together */
  double        l2, l3;        /* bytes of a core's caches */
  double        threads;
} ik_tiled;

/* Bytes that a slab in work needs of the second cache: slices between the first step and the last,
 * the one that is prefetched, and of what steps write those that the next step reads as well. */
double ik_tiled_slab_bytes(const ik_tiled *t);

/* Changes the passes of a step to what they are in such tiles.  They may have been counted with
 * tiles as wide along the inner axis, or without any. */
void ik_tiled_apply(const ik_tiled *t, const ik_pipeline_machine *m, ik_pipeline_work *step);
