/* fabric.c: elements on a mesh of routers. */
#include "targets/simulated/wse2/fabric.h"
#include "base/mem.h"
#include "targets/simulated/wse2/protocol.h"

struct ik_wse2_patch {
  ik_wse2_timing timing;
  int            nx, ny, radius[IK_WSE2_DIRECTIONS];
  ik_mesh       *mesh;
  ik_wse2_core  *core; /* [ny*nx] */
};

/* ----------------------------------------------------------------------------- routes */

static uint8_t to_port(bool there, ik_mesh_port p) { return (uint8_t)(there ? 1 << p : 0); }

static void set_fixed(ik_wse2_patch *p, int e, int colour, ik_mesh_port from, uint8_t to) {
  ik_mesh_ring r = {.n = 1, .position = {{(uint8_t)from, to}}};
  ik_mesh_set_ring(p->mesh, e, colour, &r);
}

static void set_broadcasts(ik_wse2_patch *p, const ik_wse2_site *at) {
  for (ik_wse2_direction d = 0; d < IK_WSE2_DIRECTIONS; d++) {
    if (!p->radius[d]) continue;
    int          length, i = ik_wse2_place(d, at->x, at->y, at->nx, at->ny, &length);
    ik_mesh_ring r = ik_wse2_ring(d, i, length, p->radius[d]);
    ik_mesh_set_ring(p->mesh, at->element, d, &r);
  }
}

/* Reductions: even and odd elements of a line send on two colours, so that a router can hand a
 * word to its element and take one from it.  The result comes down the first column and along the
 * rows. */
static void set_reductions(ik_wse2_patch *p, const ik_wse2_site *at) {
  int     e = at->element, row = IK_WSE2_COLOUR_ROW, column = IK_WSE2_COLOUR_COLUMN;
  uint8_t ramp = to_port(true, IK_MESH_RAMP);
  set_fixed(p, e, row + at->x % 2, IK_MESH_RAMP, to_port(at->x > 0, IK_MESH_WEST));
  set_fixed(p, e, row + (at->x + 1) % 2, IK_MESH_EAST, ramp);
  set_fixed(p, e, column + at->y % 2, IK_MESH_RAMP, to_port(at->y > 0, IK_MESH_NORTH));
  set_fixed(p, e, column + (at->y + 1) % 2, IK_MESH_SOUTH, ramp);

  ik_mesh_port from = at->x ? IK_MESH_WEST : at->y ? IK_MESH_NORTH : IK_MESH_RAMP;
  uint8_t      east = to_port(at->x < at->nx - 1, IK_MESH_EAST);
  uint8_t      south = to_port(at->x == 0 && at->y < at->ny - 1, IK_MESH_SOUTH);
  set_fixed(p, e, IK_WSE2_COLOUR_RESULT, from, ramp | east | south);
}

/* ----------------------------------------------------------------------------- making */

static ik_wse2_core *core_at(const ik_wse2_patch *p, int x, int y) {
  return &p->core[y * p->nx + x];
}

static bool init_core(ik_wse2_patch *p, int element, const ik_wse2_program *program) {
  ik_wse2_core *c = &p->core[element];
  *c = (ik_wse2_core){.timing = &p->timing, .program = program, .mesh = p->mesh};
  c->site = (ik_wse2_site){element, element % p->nx, element / p->nx, p->nx, p->ny, p->radius};
  c->memory = ik_calloc((size_t)(program->words > 0 ? program->words : 1), sizeof *c->memory);
  set_broadcasts(p, &c->site);
  set_reductions(p, &c->site);
  return c->memory;
}

static bool init_patch(ik_wse2_patch *p, const int radius[IK_WSE2_DIRECTIONS]) {
  for (int k = 0; k < IK_WSE2_DIRECTIONS; k++) p->radius[k] = radius[k];
  p->mesh = ik_mesh_create(p->nx, p->ny, IK_WSE2_COLOURS, p->timing.depth);
  p->core = ik_calloc((size_t)p->nx * (size_t)p->ny, sizeof *p->core);
  return p->mesh && p->core;
}

/* The program of element e is programs[e * stride]. */
static ik_status create(const ik_wse2_timing *t, int nx, int ny,
                        const int                     radius[IK_WSE2_DIRECTIONS],
                        const ik_wse2_program *const *programs, int stride, ik_diag *d,
                        ik_wse2_patch **out) {
  ik_wse2_patch *p = *out = ik_calloc(1, sizeof *p);
  if (p) *p = (ik_wse2_patch){.timing = *t, .nx = nx, .ny = ny};
  bool made = p && init_patch(p, radius);
  for (int e = 0; made && e < nx * ny; e++) made = init_core(p, e, programs[e * stride]);
  if (made) return IK_OK;
  ik_wse2_patch_destroy(out);
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for %d x %d elements", nx, ny);
}

ik_status ik_wse2_patch_create(const ik_wse2_timing *t, int nx, int ny,
                               const int                     radius[IK_WSE2_DIRECTIONS],
                               const ik_wse2_program *const *programs, ik_diag *d,
                               ik_wse2_patch **out) {
  return create(t, nx, ny, radius, programs, 1, d, out);
}

ik_status ik_wse2_patch_create_alike(const ik_wse2_timing *t, int nx, int ny,
                                     const int              radius[IK_WSE2_DIRECTIONS],
                                     const ik_wse2_program *program, ik_diag *d,
                                     ik_wse2_patch **out) {
  return create(t, nx, ny, radius, &program, 0, d, out);
}

void ik_wse2_patch_destroy(ik_wse2_patch **p) {
  if (!*p) return;
  for (int e = 0; (*p)->core && e < (*p)->nx * (*p)->ny; e++) ik_free((*p)->core[e].memory);
  ik_free((*p)->core);
  ik_mesh_destroy(&(*p)->mesh);
  ik_free(*p);
  *p = NULL;
}

float *ik_wse2_patch_memory(ik_wse2_patch *p, int x, int y) { return core_at(p, x, y)->memory; }

/* ----------------------------------------------------------------------------- running */

static ik_mesh_state step_element(void *ctx, int element, int64_t cycle) {
  return ik_wse2_core_step(&((ik_wse2_patch *)ctx)->core[element], cycle);
}

static void set_timeline(const ik_wse2_patch *p, ik_timeline *t) {
  t->nx = p->nx;
  t->ny = p->ny;
  t->nelement = p->nx * p->ny;
  t->clock = p->timing.clock;
  t->track = ik_wse2_threads;
  t->ntrack = IK_WSE2_THREADS;
}

ik_mesh_end ik_wse2_patch_run(ik_wse2_patch *p, int threads, ik_timeline *timeline) {
  if (timeline) set_timeline(p, timeline);
  for (int e = 0; e < p->nx * p->ny; e++) {
    p->core[e].timeline = timeline;
    ik_wse2_core_begin(&p->core[e], ik_mesh_cycle(p->mesh));
  }
  return ik_mesh_run(p->mesh, step_element, p, timeline ? 1 : threads, INT64_MAX / 2);
}

const ik_wse2_counts *ik_wse2_patch_counts(const ik_wse2_patch *p, int x, int y) {
  return &core_at(p, x, y)->counts;
}

static void add_counts(ik_wse2_counts *sum, const ik_wse2_counts *n) {
  if (n->cycles > sum->cycles) sum->cycles = n->cycles;
  sum->issued += n->issued;
  sum->slow += n->slow;
  sum->overhead += n->overhead;
  sum->memory_stalls += n->memory_stalls;
  sum->waits += n->waits;
  sum->fabric_received += n->fabric_received;
  sum->fabric_dropped += n->fabric_dropped;
  sum->fabric_sent += n->fabric_sent;
  sum->flops += n->flops;
  sum->needless += n->needless;
  sum->loads += n->loads;
  sum->stores += n->stores;
}

ik_wse2_counts ik_wse2_patch_total(const ik_wse2_patch *p) {
  ik_wse2_counts sum = {0};
  for (int e = 0; e < p->nx * p->ny; e++) add_counts(&sum, &p->core[e].counts);
  return sum;
}

int64_t ik_wse2_patch_hops(const ik_wse2_patch *p) {
  int64_t n = 0;
  for (int e = 0; e < p->nx * p->ny; e++)
    for (ik_mesh_port k = 0; k < IK_MESH_RAMP; k++) n += ik_mesh_words(p->mesh, e, k);
  return n;
}
