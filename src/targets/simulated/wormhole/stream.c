#include "targets/simulated/wormhole/stream.h"
#include "sim/event.h"
#include "sim/server.h"
#include "targets/simulated/wormhole/tile.h"

enum {
  BYTES = 2 * IK_WORMHOLE_TILE,                    /* of a tile */
  SFPU = IK_WORMHOLE_TILE / IK_WORMHOLE_LANES * 5, /* cycles: two loads, two to add, a store */
  MOST = 64,                                       /* tiles of Dst, at most */
};

typedef struct stream {
  bool      sfpu;
  ik_server memory, copy, unit;
  int       left; /* tiles */
} stream;

typedef enum phase { EMPTY, UNPACKED, COMPUTED, PACKED } phase;

typedef struct slot { /* a tile of Dst */
  ik_task task;
  stream *x;
  phase   phase;
} slot;

/* When the next phase is reached. */
static int64_t next(stream *x, phase p, int64_t now) {
  switch (p) {
  case EMPTY: return ik_server_ask(x->sfpu ? &x->copy : &x->memory, now, 2 * BYTES);
  case UNPACKED: return ik_server_ask(&x->unit, now, 1);
  default: return ik_server_ask(&x->memory, now, BYTES);
  }
}

static void run_slot(ik_task *t, ik_events *e) {
  slot *s = (slot *)t;
  if (s->phase == PACKED) s->phase = EMPTY;
  if (s->phase == EMPTY && s->x->left-- <= 0) return;
  ik_events_wake(e, t, next(s->x, s->phase++, e->now));
}

ik_status ik_wormhole_stream(const ik_wormhole_figures *f, bool sfpu, int tiles, ik_diag *d,
                             int64_t *cycles) {
  stream    x = {.sfpu = sfpu, .left = tiles};
  slot      dst[MOST];
  int       tiles_in = sfpu ? 1 : f->dst < MOST ? f->dst : MOST;
  ik_events e = {0};
  x.memory = (ik_server){.words = f->pack, .cycles = 1};
  x.copy = (ik_server){.words = f->copy, .cycles = 1};
  x.unit = (ik_server){
      .words = 1, .cycles = sfpu ? SFPU : IK_WORMHOLE_TILE / f->fpu, .latency = f->sync};
  for (int i = 0; i < tiles_in; i++) {
    dst[i] = (slot){.task = {.run = run_slot}, .x = &x};
    ik_events_wake(&e, &dst[i].task, 0);
  }
  bool ok = ik_events_run(&e, -1);
  *cycles = e.now;
  ik_events_free(&e);
  if (ok) return IK_OK;
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory to simulate wormhole");
}
