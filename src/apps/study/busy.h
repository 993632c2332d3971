/* busy.h: what the time of a plan on this machine is made of (model/pipeline.h), for people. */
#pragma once
#include "base/json.h"
#include "plan/candidate.h"

/* Candidates between which the model sees no difference become one, whose note has the words in
 * which the plans of the others differ from its own.  They are sorted. */
void ik_busy_merge(ik_candidates *c, ik_arena *a);

/* For each of the first `most` the share of its time that each resource is busy. */
void ik_busy_table(const ik_candidates *c, int most, ik_buf *out);
/* "limited by loads, busy 62 % of the time; slack: arithmetic 45 %, ..." */
void ik_busy_limit(const ik_pipeline_time *t, ik_buf *out);
/* "rows=2 takes 1.08x: starts +8 % of the winner's time".  Both have a split time. */
void ik_busy_loss(const ik_candidate *best, const ik_candidate *c, ik_buf *out);
/* The members "saturated", "slack" and "seconds_of_step". */
void ik_busy_json(const ik_pipeline_time *t, ik_json *j);
