#include "targets/simulated/nero/area.h"
#include "base/least.h"

enum {
  STREAM_BITS = 512, /* of a word of a stream, and of all banks of a window together */
  BRAM_BITS = 72,    /* of a block as a queue, 512 deep */
  URAM_BITS = 64,    /* of a block, 4096 deep, without its check bits */
  URAM_DEPTH = 4096,
  HALF_BLOCK = 16384, /* bits of half a block of BRAM that numbers of 32 or 16 bits can use */
  SHALLOW = 64        /* windows in banks of this depth are made of LUTs */
};

static int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* ---- buffers ---- */

static void add_banks(ik_nero_area *a, int64_t cells, int bits) {
  int64_t banks = STREAM_BITS / bits, depth = ceil_div(cells, banks);
  a->of[IK_NERO_BRAM] += (double)(banks * ceil_div(depth, HALF_BLOCK / bits)) / 2;
}

/* Halos stay from window to window, and always have blocks of their own. */
static void add_window(ik_nero_area *a, const ik_nero_halo *h, const int64_t size[IK_MAX_DIM],
                       int bits) {
  int64_t cells = 1, all = 1, inside = 1;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    cells *= size[d], all *= size[d] + h->lo[d] + h->hi[d];
    inside *= size[d] + ik_min(0, h->lo[d]) + ik_min(0, h->hi[d]);
  }
  if (cells * bits <= STREAM_BITS * SHALLOW)
    a->of[IK_NERO_LUT] += STREAM_BITS;
  else
    add_banks(a, cells, bits);
  add_banks(a, all - inside, bits);
}

static void add_queues(ik_nero_area *a, const ik_nero_shape *s) {
  a->of[IK_NERO_BRAM] += (double)((2 + s->in + s->out) * ceil_div(STREAM_BITS, BRAM_BITS));
}

/* Results of a last phase that runs backwards wait for their turn as well. */
static void add_waiting(ik_nero_area *a, const ik_nero_shape *s, const ik_nero_board *b,
                        int64_t cells) {
  int64_t depth = ceil_div(cells * s->bits, STREAM_BITS), blocks = STREAM_BITS / URAM_BITS;
  int64_t values = s->phases > 1 ? s->hold + s->out : 0;
  a->of[IK_NERO_URAM] += b->port_bits / URAM_BITS;
  a->of[IK_NERO_URAM] += (double)(values * blocks * ceil_div(depth, URAM_DEPTH));
}

/* ---- arithmetic ---- */

static void add_units(ik_nero_area *a, const ik_nero_shape *s, const ik_nero_board *b) {
  double lanes = ik_nero_lanes(s, b) * s->unit_bits / 32.0, ops = s->mul + s->div + s->other;
  a->of[IK_NERO_DSP] += lanes * (s->mul * b->dsp_mul + s->div * b->dsp_div);
  a->of[IK_NERO_LUT] += lanes * ops * b->lut_op + s->control * b->lut_control;
  a->of[IK_NERO_FF] += lanes * ops * b->ff_op + s->control * b->ff_control;
}

ik_nero_area ik_nero_area_of(const ik_nero_shape *s, const ik_nero_board *b,
                             const int64_t size[IK_MAX_DIM]) {
  ik_nero_area a = {{0}};
  add_queues(&a, s);
  for (int i = 0; i < s->nwide; i++) add_window(&a, &s->wide[i], size, s->bits);
  add_waiting(&a, s, b, size[0] * size[1] * size[2]);
  add_units(&a, s, b);
  return a;
}

void ik_nero_area_add(ik_nero_area *sum, const ik_nero_area *a) {
  for (int r = 0; r < IK_NERO_RESOURCES; r++) sum->of[r] += a->of[r];
}

/* ---- fitting ---- */

double ik_nero_free(const ik_nero_board *b, ik_nero_resource r) {
  return b->has.of[r] * (r == IK_NERO_BRAM ? b->fill : 1) - b->base.of[r];
}

double ik_nero_share(const ik_nero_area *element, const ik_nero_board *b, ik_nero_resource *which) {
  double most = 0;
  for (int r = 0; r < IK_NERO_RESOURCES; r++) {
    double share = element->of[r] / ik_nero_free(b, (ik_nero_resource)r);
    if (share <= most) continue;
    most = share;
    if (which) *which = (ik_nero_resource)r;
  }
  return most;
}

int ik_nero_fit(const ik_nero_area *element, const ik_nero_board *b) {
  int n = (int)b->elements;
  for (int r = 0; r < IK_NERO_RESOURCES; r++) {
    double room = ik_nero_free(b, (ik_nero_resource)r);
    if (element->of[r] * n > room) n = (int)(room / element->of[r]);
  }
  return n;
}

double ik_nero_used(const ik_nero_area *element, const ik_nero_board *b, int n,
                    ik_nero_resource r) {
  return (b->base.of[r] + n * element->of[r]) / b->has.of[r];
}
