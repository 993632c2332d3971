/* mesh.c: routers, and the links between them.
 *
 * Everything that crosses from one router to another, words one way and room the other, goes
 * through registers of two halves: in a cycle, one half is read, and emptied, by its owner, the
 * other filled by the neighbour.  So one meeting of the threads a cycle is enough. */
#include "sim/mesh.h"
#include "base/mem.h"
#include "sim/crew.h"

enum { LINKS = IK_MESH_RAMP, RAMP = 1 << IK_MESH_RAMP };

typedef struct queue {
  uint32_t word[IK_MESH_DEPTH];
  uint8_t  command; /* a bit for each place */
  uint8_t  head, n;
} queue;

/* One colour at one router. */
typedef struct lane {
  ik_mesh_ring     ring;
  ik_mesh_position now;
  uint8_t          room;                   /* 1 << port: what is behind it takes another word */
  uint8_t          credit[LINKS];          /* as many */
  uint8_t          words;                  /* in the queues of `in` */
  queue            in[IK_MESH_PORTS], out; /* out: what the element has not taken yet */
} lane;

typedef struct wire { /* what a link carries */
  uint32_t word;
  uint8_t  colour;
  bool     command, there; /* there: it carries something */
} wire;

typedef struct router {
  wire     in[2][LINKS];
  uint32_t back[2][LINKS];   /* colours of which the neighbour there has passed a word on */
  int      neighbour[LINKS]; /* -1: none */
  uint32_t loaded;           /* colours that have words in `in` */
  int      turn;             /* the colour that may use the ramp first */
  int64_t  ramp_used;        /* the last cycle in which the element sent a word */
  int64_t  words[IK_MESH_PORTS];
} router;

typedef struct tally {
  bool moved, all_done;
  char apart[62]; /* a cache line of its own */
} tally;

struct ik_mesh {
  int           nx, ny, colours, depth;
  int64_t       cycle, last;
  router       *router; /* [ny*nx] */
  lane         *lane;   /* [ny*nx][colours] */
  tally        *tally[2];
  ik_mesh_step *step;
  void         *ctx;
  ik_mesh_end   end;
};

/* ----------------------------------------------------------------------------- making */

static int neighbour_of(const ik_mesh *m, int e, int port) {
  int x = e % m->nx, y = e / m->nx;
  switch (port) {
  case IK_MESH_NORTH: return y > 0 ? e - m->nx : -1;
  case IK_MESH_SOUTH: return y + 1 < m->ny ? e + m->nx : -1;
  case IK_MESH_EAST: return x + 1 < m->nx ? e + 1 : -1;
  default: return x > 0 ? e - 1 : -1;
  }
}

static int opposite(int port) { return port ^ 1; }

static lane *lane_of(const ik_mesh *m, int e, int colour) {
  return &m->lane[e * m->colours + colour];
}

static void init_router(ik_mesh *m, int e) {
  router *r = &m->router[e];
  r->ramp_used = -1;
  for (int p = 0; p < LINKS; p++) r->neighbour[p] = neighbour_of(m, e, p);
  for (int c = 0; c < m->colours; c++) {
    lane *l = lane_of(m, e, c);
    l->room = RAMP;
    for (int p = 0; p < LINKS; p++)
      if (r->neighbour[p] >= 0) {
        l->credit[p] = (uint8_t)m->depth;
        l->room |= (uint8_t)(1 << p);
      }
  }
}

ik_mesh *ik_mesh_create(int nx, int ny, int colours, int depth) {
  ik_mesh *m = ik_calloc(1, sizeof *m);
  if (!m) return NULL;
  *m = (ik_mesh){.nx = nx, .ny = ny, .colours = colours, .depth = depth};
  m->router = ik_calloc((size_t)nx * (size_t)ny, sizeof *m->router);
  m->lane = ik_calloc((size_t)nx * (size_t)ny * (size_t)colours, sizeof *m->lane);
  if (!m->router || !m->lane)
    ik_mesh_destroy(&m);
  else
    for (int e = 0; e < nx * ny; e++) init_router(m, e);
  return m;
}

void ik_mesh_destroy(ik_mesh **m) {
  if (!*m) return;
  ik_free((*m)->router);
  ik_free((*m)->lane);
  ik_free(*m);
  *m = NULL;
}

static void go_to(lane *l, int at) {
  l->ring.at = at;
  l->now = l->ring.position[at];
}

void ik_mesh_set_ring(ik_mesh *m, int element, int colour, const ik_mesh_ring *r) {
  lane *l = lane_of(m, element, colour);
  l->ring = *r;
  go_to(l, r->at);
}

int ik_mesh_position_of(const ik_mesh *m, int element, int colour) {
  return lane_of(m, element, colour)->ring.at;
}

/* ----------------------------------------------------------------------------- queues */

static void put(queue *q, int depth, uint32_t word, bool command) {
  int i = q->head + q->n++;
  if (i >= depth) i -= depth;
  q->word[i] = word;
  q->command = (uint8_t)((q->command & ~(1 << i)) | command << i);
}

static bool next_is_command(const queue *q) { return q->command >> q->head & 1; }

static uint32_t get(queue *q, int depth) {
  uint32_t w = q->word[q->head];
  q->head = (uint8_t)(q->head + 1 == depth ? 0 : q->head + 1);
  q->n--;
  return w;
}

static void put_in(ik_mesh *m, int e, int colour, int port, uint32_t word, bool command) {
  lane *l = lane_of(m, e, colour);
  put(&l->in[port], m->depth, word, command);
  l->words++;
  m->router[e].loaded |= 1u << colour;
}

static uint32_t get_in(ik_mesh *m, int e, int colour, int port) {
  lane *l = lane_of(m, e, colour);
  if (!--l->words) m->router[e].loaded &= ~(1u << colour);
  return get(&l->in[port], m->depth);
}

/* ----------------------------------------------------------------------------- routers */

static void take_back(ik_mesh *m, int e, int port, uint32_t colours) {
  for (; colours; colours &= colours - 1) {
    lane *l = lane_of(m, e, __builtin_ctz(colours));
    l->credit[port]++;
    l->room |= (uint8_t)(1 << port);
  }
}

/* What the neighbours sent in the cycle before. */
static bool arrive(ik_mesh *m, int e, int half) {
  router *r = &m->router[e];
  bool    any = false;
  for (int p = 0; p < LINKS; p++) {
    wire     w = r->in[half][p];
    uint32_t back = r->back[half][p];
    if (!w.there && !back) continue;
    any = true;
    if (w.there) put_in(m, e, w.colour, p, w.word, w.command);
    take_back(m, e, p, back);
    r->in[half][p].there = false;
    r->back[half][p] = 0;
  }
  return any;
}

static void send_out(ik_mesh *m, int e, int colour, int port, int half, uint32_t w, bool command) {
  router *r = &m->router[e];
  lane   *l = lane_of(m, e, colour);
  r->words[port]++;
  if (port == IK_MESH_RAMP) {
    put(&l->out, m->depth, w, false);
    if (l->out.n == m->depth) l->room &= (uint8_t)~RAMP;
    r->turn = colour + 1;
    return;
  }
  m->router[r->neighbour[port]].in[half][opposite(port)] =
      (wire){w, (uint8_t)colour, command, true};
  if (!--l->credit[port]) l->room &= (uint8_t) ~(1 << port);
}

/* Moves the next word of a colour on, if it can go wherever it has to; `used` are ports that other
 * words have in this cycle.  `half`: of the registers that are read in the next one. */
static bool forward(ik_mesh *m, int e, int colour, int half, uint8_t *used) {
  lane  *l = lane_of(m, e, colour);
  int    from = l->now.from;
  queue *q = &l->in[from];
  if (!q->n) return false;
  bool    command = next_is_command(q);
  uint8_t to = command ? (uint8_t)(l->now.to & ~RAMP) : l->now.to;
  if (to & (*used | ~l->room)) return false;
  *used |= to;
  uint32_t w = get_in(m, e, colour, from);
  if (from != IK_MESH_RAMP)
    m->router[m->router[e].neighbour[from]].back[half][opposite(from)] |= 1u << colour;
  for (unsigned rest = to; rest; rest &= rest - 1)
    send_out(m, e, colour, __builtin_ctz(rest), half, command ? w >> 1 : w, command);
  if (command && (w & 1)) go_to(l, l->ring.at + 1 == l->ring.n ? 0 : l->ring.at + 1);
  return true;
}

static bool route(ik_mesh *m, int e, int half) {
  router  *r = &m->router[e];
  uint8_t  used = 0;
  bool     any = false;
  uint32_t low = (1u << r->turn) - 1, turn[2] = {r->loaded & ~low, r->loaded & low};
  for (int k = 0; k < 2; k++)
    for (uint32_t c = turn[k]; c; c &= c - 1) any |= forward(m, e, __builtin_ctz(c), half, &used);
  return any;
}

/* ----------------------------------------------------------------------------- elements */

bool ik_mesh_has(const ik_mesh *m, int element, int colour) {
  return lane_of(m, element, colour)->out.n > 0;
}

uint32_t ik_mesh_take(ik_mesh *m, int element, int colour) {
  lane *l = lane_of(m, element, colour);
  l->room |= RAMP;
  return get(&l->out, m->depth);
}

bool ik_mesh_may_send(const ik_mesh *m, int element, int colour, int64_t cycle) {
  return m->router[element].ramp_used != cycle &&
         lane_of(m, element, colour)->in[IK_MESH_RAMP].n < m->depth;
}

void ik_mesh_send(ik_mesh *m, int element, int colour, int64_t cycle, uint32_t word) {
  m->router[element].ramp_used = cycle;
  put_in(m, element, colour, IK_MESH_RAMP, word, false);
}

void ik_mesh_command(ik_mesh *m, int element, int colour, int64_t cycle, uint32_t advance) {
  m->router[element].ramp_used = cycle;
  put_in(m, element, colour, IK_MESH_RAMP, advance, true);
}

/* ----------------------------------------------------------------------------- running */

static tally step_rows(ik_mesh *m, int lo, int hi, int64_t cycle) {
  tally t = {.all_done = true};
  int   half = (int)(cycle & 1);
  for (int e = lo * m->nx; e < hi * m->nx; e++) {
    t.moved |= arrive(m, e, half);
    if (m->router[e].loaded) t.moved |= route(m, e, !half);
    ik_mesh_state s = m->step(m->ctx, e, cycle);
    t.moved |= s == IK_MESH_BUSY;
    t.all_done &= s == IK_MESH_DONE;
  }
  return t;
}

/* All threads see the same tallies and decide alike. */
static bool is_over(const tally *t, int threads, bool late, ik_mesh_end *end) {
  bool moved = false, all_done = true;
  for (int k = 0; k < threads; k++) {
    moved |= t[k].moved;
    all_done &= t[k].all_done;
  }
  *end = moved ? IK_MESH_LATE : all_done ? IK_MESH_ENDED : IK_MESH_STUCK;
  return !moved || late;
}

static void run_rows(void *ctx, ik_crew *crew, int thread) {
  ik_mesh    *m = ctx;
  int         n = ik_crew_threads(crew);
  int         lo = m->ny * thread / n, hi = m->ny * (thread + 1) / n;
  int64_t     cycle = m->cycle;
  ik_mesh_end end;
  do {
    m->tally[cycle & 1][thread] = step_rows(m, lo, hi, cycle);
    ik_crew_meet(crew);
    cycle++;
  } while (!is_over(m->tally[(cycle - 1) & 1], n, cycle == m->last, &end));
  ik_crew_meet(crew);
  if (thread) return;
  m->cycle = cycle;
  m->end = end;
}

ik_mesh_end ik_mesh_run(ik_mesh *m, ik_mesh_step *step, void *ctx, int threads, int64_t most) {
  tally one[2], *many = threads > 1 ? ik_calloc(2 * (size_t)threads, sizeof *many) : NULL;
  m->tally[0] = many ? many : one;
  m->tally[1] = many ? many + threads : one + 1;
  m->step = step;
  m->ctx = ctx;
  m->last = m->cycle + most;
  ik_crew_run(many ? threads : 1, run_rows, m);
  ik_free(many);
  return m->end;
}

int64_t ik_mesh_cycle(const ik_mesh *m) { return m->cycle; }

int64_t ik_mesh_words(const ik_mesh *m, int element, ik_mesh_port port) {
  return m->router[element].words[port];
}
