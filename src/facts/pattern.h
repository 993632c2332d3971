/* pattern.h: which points each statement reads, and what the new value of a field depends on once
 * temporaries and values made earlier in the same step are read through. */
#pragma once
#include "facts/points.h"
#include "facts/subject.h"

typedef struct ik_reads { /* one field, as one pattern reads it */
  int             field;
  int             n;
  const ik_point *point; /* [n] distinct, in order of ik_point_compare */
  ik_hull         hull;
} ik_reads;

typedef struct ik_pattern {
  int             nreads;
  const ik_reads *reads; /* [nreads] in order of fields */
} ik_pattern;

typedef enum ik_shape_kind {
  IK_SHAPE_POINT,
  IK_SHAPE_STAR,
  IK_SHAPE_BOX,
  IK_SHAPE_SPARSE
} ik_shape_kind;

typedef struct ik_shape {
  ik_shape_kind kind; /* a star may lack its centre; in 1D a full row is a star */
  int           dim;  /* axes along which it reaches */
  int           radius;
  ik_hull       hull;
} ik_shape;

typedef struct ik_patterns {
  const ik_pattern       *work;  /* [subject.n] as written: temporaries are fields like others */
  const ik_points *const *after; /* [nfield] what the new value depends on; NULL if not updated */
  const ik_pattern       *effective; /* [nfield] the same as lists; empty if not updated */
  /* The pattern to show: of all fields that an update depends on, the one with the most points; in
   * a sweep, whose results are not read through, also of those that a main statement reads. */
  int      field, source;                    /* -1 if no field is updated or nothing is read */
  int      points;                           /* K: of `source`, at all levels */
  int      level_points[IK_MAX_HISTORY + 1]; /* [1 - level] */
  ik_shape shape;                            /* of all levels together */
} ik_patterns;

void ik_pattern_of(const ik_ir *ir, const ik_subject *s, ik_arena *a, ik_patterns *out);

/* ik_patterns.after, also for what is not main: then it holds for every cell. */
const ik_points *const *ik_pattern_after(const ik_ir *ir, const ik_subject *s, bool main_only,
                                         ik_arena *a);

ik_shape    ik_shape_of(const ik_point *p, int n);
const char *ik_shape_name(ik_shape_kind k); /* "star" */
