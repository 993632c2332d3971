/* crew.h: the threads of an engine, each with memory to work in. */
#pragma once
#include "targets/cpu/compile.h"
#include "targets/cpu/drive.h"
#include "targets/cpu/sweep_run.h"
#include "targets/cpu/team.h"

typedef struct ik_cpu_crew {
  ik_team         *team;
  int              threads; /* of the team */
  ik_drive_thread *hand;    /* [nhand]: `sets` for each thread */
  int              nhand, sets;
  void            *scratch; /* of all threads */
  ik_team_part    *part;    /* [threads] tiles that are left of a pass or a front */
  ik_sweep_room   *room;    /* of orders */
} ik_cpu_crew;

/* Bytes that so many threads take for a program. */
int64_t ik_cpu_crew_bytes(const ik_compile *parts, int threads);
/* There may be fewer threads than are asked for.  E072; to be freed in any case. */
ik_status ik_cpu_crew_create(ik_cpu_crew *w, const ik_compile *parts, const ik_state *s,
                             int threads, ik_diag *d);
void      ik_cpu_crew_free(ik_cpu_crew *w);
/* All tiles of a pass. */
void ik_cpu_crew_drive(const ik_cpu_crew *w, const ik_drive *drive);
