/* crew.h: threads that go through a simulation together, cycle by cycle. */
#pragma once

typedef struct ik_crew ik_crew;
typedef void           ik_crew_work(void *ctx, ik_crew *c, int thread);

/* Calls work(ctx, crew, thread) on `threads` threads, the caller being thread 0, and returns when
 * all have returned.  Where the system gives fewer threads, or has no memory, fewer do the work. */
void ik_crew_run(int threads, ik_crew_work *work, void *ctx);
int  ik_crew_threads(const ik_crew *c);
/* Waits until every thread of the crew has come here.  What one wrote before, all see after. */
void ik_crew_meet(ik_crew *c);
