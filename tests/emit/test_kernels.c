#include "emit/kernels.h"

/* ---- a kernel, compiled and called ---- */

typedef struct compiled {
  ik_build     *build;
  ik_kernel_fn *all, *one;
} compiled;

static bool compile(hand *h, compiled *c) {
  char        include[4096];
  ik_buf      text = {0};
  const char *flags[20] = {"-O2",     "-ffp-contract=off", "-fno-math-errno", "-Wall",
                           "-Wextra", "-Werror",           "-Wno-unused",     include};
  int         n = 8;
  snprintf(include, sizeof include, "-I%s", check_data("src/targets/cpu/rt"));
  for (const char *const *f = ik_isa_flags(h->plan.cpu.vector_bytes); *f; f++) flags[n++] = *f;
  hand_text(h, &text);
  *c = (compiled){0};
  if (ik_build_open(ik_buf_text(&text), &(ik_build_options){.flags = flags}, &h->diag, &c->build))
    hand_complain(h, __FILE__, __LINE__);
  else {
    c->all = (ik_kernel_fn *)ik_build_symbol(c->build, "ikat_p0_k0");
    c->one = (ik_kernel_fn *)ik_build_symbol(c->build, "ikat_p0_k0_one");
  }
  ik_buf_free(&text);
  return c->all && c->one;
}

static const ik_rt rt = {ik_exp,  ik_log, ik_sin,     ik_cos,     ik_tan, ik_tanh,
                         ik_atan, ik_pow, hand_noise, hand_table, NULL};

enum { UNTOUCHED = 0x5a };

static void open_cells(cells *c, const hand *h, const double *scalar) {
  uint32_t seed = 7;
  *c = (cells){.h = h, .scalar = scalar, .t = 259}; /* no bf16 is that */
  for (int i = 0; i < h->kernel.ninput; i++) {
    array_open(&c->in[i], h, &h->input[i]);
    array_fill(&c->in[i], &seed);
  }
  for (int i = 0; i < h->kernel.noutput; i++) {
    array_open(&c->out[i], h, &h->output[i]);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    memset(c->out[i].map, UNTOUCHED, c->out[i].mapped - page);
  }
}

static void close_cells(cells *c) {
  for (int i = 0; i < c->h->kernel.ninput; i++) array_close(&c->in[i]);
  for (int i = 0; i < c->h->kernel.noutput; i++) array_close(&c->out[i]);
}

typedef struct range {
  int64_t lo[IK_NROLES], hi[IK_NROLES];
} range;

/* Where rows reach a line, if results go past the caches; somewhere, if they do not. */
static int64_t split_of(const cells *c, const range *b) {
  int64_t x = b->lo[IK_LANE], hi = b->hi[IK_LANE], bytes = ik_type_bytes(c->out[0].v.type);
  if (!c->h->shape.streaming) return x + 3 < hi ? x + 3 : hi;
  while (x < hi && (uintptr_t)((char *)array_plane(&c->out[0], 0) + x * bytes) % 64) x++;
  return x;
}

/* `planes` results from z on. */
static void call(cells *c, ik_kernel_fn *f, const range *b, int64_t z, int planes, ik_rt *r) {
  const ik_pipe_kernel *k = &c->h->kernel;
  const void           *in[IK_PIPE_PORTS];
  void                 *out[MOST_STMTS * 8];
  int                   n = 0;
  for (int i = 0; i < k->ninput; i++)
    for (int dz = c->h->lo[i]; dz < c->h->hi[i] + planes; dz++)
      in[n++] = array_plane(&c->in[i], z + dz);
  for (int o = 0; o < k->noutput; o++)
    for (int p = 0; p < planes; p++) out[o * planes + p] = array_plane(&c->out[o], z + p);
  r->program = c->h->ir;
  f(&(ik_kernel_call){.in = in,
                      .out = out,
                      .x0 = b->lo[IK_LANE],
                      .split = split_of(c, b),
                      .x1 = b->hi[IK_LANE],
                      .y0 = b->lo[IK_ROW],
                      .y1 = b->hi[IK_ROW],
                      .z = z,
                      .t = c->t,
                      .scalar = c->scalar,
                      .rt = r,
                      .stream = k->shape->streaming});
}

static void call_all(cells *c, const compiled *f, const range *b) {
  ik_rt   r = rt;
  int     planes = c->h->kernel.planes;
  int64_t z = b->lo[IK_STREAM];
  for (; z + planes <= b->hi[IK_STREAM]; z += planes) call(c, f->all, b, z, planes, &r);
  for (; z < b->hi[IK_STREAM]; z++) call(c, f->one, b, z, 1, &r);
}

static bool is_inside(const range *b, const int64_t at[IK_NROLES]) {
  for (int r = 0; r < IK_NROLES; r++)
    if (at[r] < b->lo[r] || at[r] >= b->hi[r]) return false;
  return true;
}

/* The bits of one cell of an output: what it is worth inside, and nothing outside. */
static bool is_right(const cells *c, const range *b, int s, const int64_t at[IK_NROLES]) {
  const array *a = &c->out[c->h->store[s]];
  size_t       bytes = (size_t)ik_type_bytes(a->v.type);
  char         want[8];
  memset(want, UNTOUCHED, sizeof want);
  if (is_inside(b, at)) {
    double v = cells_eval(c, s, c->h->stmt[s]->value, at);
    ik_state_store_row(a->v.type, want, 0, 1, &v);
  }
  int64_t i = array_at(a, at[IK_LANE], at[IK_ROW], at[IK_STREAM]);
  return memcmp(a->first + i * (int64_t)bytes, want, bytes) == 0;
}

static int wrong_cells(const cells *c, const range *b) {
  const ik_pass *p = &c->h->pass;
  int64_t        e[IK_NROLES], at[IK_NROLES];
  int            wrong = 0;
  for (int r = 0; r < IK_NROLES; r++) e[r] = p->axis[r] < 0 ? 0 : c->h->halo;
  for (int s = 0; s < c->h->kernel.nstmt; s++)
    for (at[2] = -e[2]; at[2] < p->n[2] + e[2]; at[2]++)
      for (at[1] = -e[1]; at[1] < p->n[1] + e[1]; at[1]++)
        for (at[0] = -e[0]; at[0] < p->n[0] + e[0]; at[0]++) wrong += !is_right(c, b, s, at);
  return wrong;
}

/* The first lane at which rows of the first output begin at a line. */
static void check_box(hand *h, const compiled *f, const range *b, int line) {
  double scalar[MOST_VALUES];
  cells  c;
  for (int i = 0; i < h->ir->nscalar; i++)
    scalar[i] = ik_type_round(h->ir->scalar[i].type, 1 + 0.37 * i);
  open_cells(&c, h, scalar);
  call_all(&c, f, b);
  int wrong = wrong_cells(&c, b);
  if (wrong)
    check_fail(__FILE__, line, "%d cells wrong in x %ld..%ld", wrong, (long)b->lo[IK_LANE],
               (long)b->hi[IK_LANE]);
  close_cells(&c);
}

/* All of the grid, parts of it that end anywhere, and with `wrap` what lies around it. */
static void check_at(const char *text, wanted s, int line) {
  hand     h;
  compiled f = {0};
  if (hand_open(&h, text, s) && compile(&h, &f)) {
    const int64_t *n = h.pass.n;
    int64_t        around[IK_NROLES];
    for (int r = 0; r < IK_NROLES; r++) around[r] = s.wrap && h.pass.axis[r] >= 0 ? h.halo - 4 : 0;
    range all = {{-around[0], -around[1], -around[2]},
                 {n[0] + around[0], n[1] + around[1], n[2] + around[2]}};
    check_box(&h, &f, &all, line);
    for (int64_t end = 1; end <= n[0]; end += end < 20 ? 1 : 7) {
      range part = {{end / 3, n[1] > 2, 0}, {end, n[1], n[2]}};
      check_box(&h, &f, &part, line);
    }
  }
  ik_build_close(&f.build);
  hand_close(&h);
}
#define MATCHES(text, p, r, v, ...)                                                                \
  check_at(text, (wanted){.planes = p, .rows = r, .vectors = v, __VA_ARGS__}, __LINE__)

/* ---- shapes of blocks ---- */

#define STAR "step 1 { u' = 0.5*u + 0.125*(u[1,0] + u[-1,0] + u[0,1] + u[0,-1]) }\n"

CASE(five_points_in_blocks_of_any_shape) {
  static const char text[] = "grid x = 53, y = 9\nfield u : f64\nboundary u = periodic\n" STAR;
  MATCHES(text, 1, 1, 1);
  MATCHES(text, 4, 1, 1);
  MATCHES(text, 4, 1, 2);
  MATCHES(text, 3, 1, 4, .stream = true);
  MATCHES(text, 2, 1, 1, .lanes = 16);
}

#define BOX "weights w = box(1, 1 + 0.1*distance)\nstep 1 { u' = stencil(u, w) }\n"

CASE(twenty_seven_points_in_blocks_of_rows) {
  static const char text[] =
      "grid x = 37, y = 11, z = 5\nfield u : f32\nboundary u = periodic\n" BOX;
  MATCHES(text, 1, 4, 2);
  MATCHES(text, 2, 3, 1);
  MATCHES(text, 1, 4, 2, .stream = true);
  MATCHES(text, 1, 2, 2, .stream_axis = 1);
}

CASE(one_dimension) {
  MATCHES("grid x = 41\nfield u : f32\nboundary u = mirror\nstep 1 { u' = u[-2] - 0.3*u[3] }\n", 1,
          1, 2);
}

/* The last row is alone in its block: nothing of the row that is missing may be stored. */
CASE(copies_of_four_planes_with_a_row_left) {
  MATCHES("grid x = 21, y = 5, z = 9\nfield u, v : f64\nstep 1 { u' = v }\n", 4, 2, 1);
}

/* ---- what neighbours along a row compute alike ---- */

#define LIMITED "def flux(a, b) = if (a - b)*(0.3*a + b) > 0 then 0.25*b else a - b\n"

LONG_CASE(fluxes_through_sides_that_cells_share) {
  static const char two[] = "grid x = 53, y = 9\nfield u : f64\nboundary u = periodic\n" LIMITED
                            "step 1 { u' = u - 0.1*(flux(u[1,0], u) - flux(u, u[-1,0])"
                            " + flux(u[0,1], u) - flux(u, u[0,-1])) }\n";
  static const char box[] =
      "grid x = 37, y = 11, z = 5\nfield u : f32\nboundary u = mirror\n" LIMITED
      "step 1 { u' = u - 0.1*(flux(u[1,0,0], u) - flux(u, u[-1,0,0])"
      " + flux(u[1,1,1], u[0,1,1]) - flux(u[0,1,1], u[-1,1,1])) }\n";
  for (int vectors = 1; vectors <= 4; vectors++) {
    MATCHES(two, 1, 1, vectors);
    MATCHES(two, 2, 1, vectors, .stream = true);
    MATCHES(two, 1, 1, vectors, .shift = true, .lanes = 8);
    MATCHES(box, 2, 2, vectors);
    MATCHES(box, 1, 3, vectors, .lanes = 16);
    MATCHES(box, 1, 2, vectors, .shift = true);
  }
}

/* More than one vector away, between vectors of which neither is whole, three of a kind, and one
 * within the other. */
LONG_CASE(what_cells_share_from_afar) {
  static const char far[] =
      "grid x = 61\nfield u : f32\nboundary u = mirror\n" LIMITED
      "step 1 { u' = flux(u[3], u[2]) - flux(u[-6], u[-7])*flux(u[9], u[8]) }\n";
  static const char odd[] = "grid x = 61\nfield u : f64\nboundary u = mirror\n" LIMITED
                            "step 1 { u' = flux(u[3], u[1]) - flux(u[6], u[4])*flux(u, u[-2]) }\n";
  static const char nested[] = "grid x = 61\nfield u : f32\nboundary u = mirror\n" LIMITED
                               "step 1 { u' = flux(flux(u[1], u), flux(u, u[-1])) - "
                               "flux(flux(u[2], u[1]), flux(u[1], u)) }\n";
  static const char mixed[] =
      "grid x = 61\nfield u : f32\nfield v : f64\nfield k : i32\nboundary u, v, k = "
      "mirror\n" LIMITED
      "step 1 { u' = flux(u[1], v) - flux(u, v[-1]) + flux(x*v[1], u) - flux((x - 1)*v, u[-1])\n"
      "k' = if k > 3 then k*k - 2*k[-1] else k[-1]*k[-1] - 2*k[-2] }\n";
  const char *const text[] = {far, odd, nested, mixed};
  for (int i = 0; i < 4; i++)
    for (int vectors = 1; vectors <= 4; vectors++) {
      MATCHES(text[i], 1, 1, vectors);
      MATCHES(text[i], 1, 1, vectors, .lanes = 2);
      if (i < 3) MATCHES(text[i], 1, 1, vectors, .lanes = 16, .shift = true);
    }
}

/* ---- neighbours from shifted vectors ---- */

CASE(shifted_neighbours_of_five_points) {
  static const char f64[] = "grid x = 53, y = 9\nfield u : f64\nboundary u = periodic\n" STAR;
  static const char f32[] = "grid x = 53, y = 9\nfield u : f32\nboundary u = periodic\n" STAR;
  MATCHES(f64, 1, 1, 1, .shift = true);
  MATCHES(f64, 4, 1, 2, .shift = true, .stream = true);
  MATCHES(f64, 4, 1, 1, .shift = true, .lanes = 2);
  MATCHES(f32, 4, 1, 1, .shift = true);
  MATCHES(f32, 4, 1, 2, .shift = true, .lanes = 16);
}

CASE(shifted_neighbours_of_twenty_seven_points) {
  static const char f32[] =
      "grid x = 37, y = 11, z = 5\nfield u : f32\nboundary u = periodic\n" BOX;
  static const char f64[] =
      "grid x = 37, y = 11, z = 5\nfield u : f64\nboundary u = periodic\n" BOX;
  MATCHES(f32, 1, 4, 2, .shift = true);
  MATCHES(f32, 1, 4, 2, .shift = true, .lanes = 16);
  MATCHES(f32, 2, 2, 1, .shift = true, .lanes = 16);
  MATCHES(f32, 1, 2, 2, .shift = true, .stream_axis = 1);
  MATCHES(f64, 2, 3, 1, .shift = true);
  MATCHES(f64, 2, 2, 1, .shift = true, .lanes = 8);
}

#define FAR                                                                                        \
  "step 1 { u' = u[-3,0] - 0.3*u[3,0] + u[-1,1]*u[2,1] - u[1,-1]/u[-2,0] + u + u[0,-1] }\n"

CASE(shifted_neighbours_far_along_the_row) {
  static const char f32[] = "grid x = 53, y = 9\nfield u : f32\nboundary u = mirror\n" FAR;
  static const char f64[] = "grid x = 53, y = 9\nfield u : f64\nboundary u = mirror\n" FAR;
  static const char one[] = "grid x = 41\nfield u : f32\nboundary u = mirror\n"
                            "step 1 { u' = u[-9] - 0.3*u[6] + u*u[4] - u[17] }\n";
  MATCHES(f32, 2, 1, 2, .shift = true);
  MATCHES(f32, 2, 1, 1, .shift = true, .lanes = 2); /* fewer lanes than cells to the neighbour */
  MATCHES(f64, 2, 1, 2, .shift = true);
  MATCHES(f64, 2, 1, 1, .shift = true, .lanes = 2);
  MATCHES(one, 1, 1, 2, .shift = true);
  MATCHES(one, 1, 1, 1, .shift = true, .lanes = 16);
}

/* ---- types and operations ---- */

#define LAPLACE(t)                                                                                 \
  "grid x = 29, y = 6\nfield u : " t "\nboundary u = mirror\n"                                     \
  "step 1 { u' = u[1,0] + u[-1,0]*u[0,1] - u[0,-1]/u + max(u, u[2,0]) }\n"

CASE(every_type) {
  MATCHES(LAPLACE("f64"), 2, 1, 2);
  MATCHES(LAPLACE("f32"), 2, 1, 2);
  MATCHES(LAPLACE("f16"), 2, 1, 1);
  MATCHES(LAPLACE("bf16"), 2, 1, 1);
  MATCHES(LAPLACE("i32"), 2, 1, 1, .lanes = 4);
  MATCHES(LAPLACE("f16"), 2, 1, 1, .shift = true);
  MATCHES(LAPLACE("bf16"), 2, 1, 1, .shift = true);
  MATCHES(LAPLACE("i32"), 2, 1, 2, .lanes = 4, .shift = true);
}

CASE(choices) {
  MATCHES("grid x = 29, y = 6\nfield u : f32\nfield k : i32\nboundary u = mirror\n"
          "step 1 { u' = if u < u[1,0] then u[0,1] else 0.5*u\n"
          "k' = if u >= 0 and (k == 2 or not (u[0,1] != u)) then k + 1 else 7 }\n",
          2, 1, 2);
}

/* Not in the language, but in the IR. */
CASE(comparing_bools) {
  for (ik_op op = IK_OP_EQ; op <= IK_OP_NE; op++) {
    hand     h;
    compiled f = {0};
    if (hand_open(&h,
                  "grid x = 29, y = 6\nfield u : f64\nfield v : f64\n"
                  "step 1 { u' = if u < v and 0 < v then 1 else 2 }\n",
                  (wanted){.planes = 2})) {
      ik_stmt s = *h.stmt[0];
      ik_expr choice = *s.value, both = *choice.arg[0];
      both.op = op, choice.arg[0] = &both, s.value = &choice, h.stmt[0] = &s;
      if (compile(&h, &f)) check_box(&h, &f, &(range){{0}, {29, 1, 6}}, __LINE__);
    }
    ik_build_close(&f.build);
    hand_close(&h);
  }
}

CASE(functions_coordinates_scalars_and_time) {
  MATCHES(
      "grid x = 29, y = 6, z = 4\nfield u : f64\nscalar a : f32 = 2\nscalar b : f64 = 3\n"
      "step 3 { u' = a*exp(u) + b*sin(0.1*x) - tanh(y*u) + z + t*x + noise(4) + sqrt(abs(u)) }\n",
      1, 2, 2);
  MATCHES("grid x = 29, y = 6\nfield k : i32\nfield h : f16\n"
          "step 3 { k' = mod(k*int(x) + 3*int(y) + int(t), 5)/2\nh' = h*x + t - y*noise(2) }\n",
          3, 1, 1);
}

/* Beyond 256 not every whole number is a bf16. */
CASE(coordinates_and_time_are_rounded_before_they_are_used) {
  MATCHES("grid x = 300\nfield b : bf16\nstep 3 { b' = b*x }\n", 1, 1, 1);
  MATCHES("grid x = 30\nfield b : bf16\nstep 3 { b' = b*t }\n", 1, 1, 1);
}

CASE(noise_of_a_neighbour) {
  hand     h;
  compiled f = {0};
  if (hand_open(&h, "grid x = 29, y = 6\nfield u : f64\nstep 1 { u' = noise(3) }\n",
                (wanted){.planes = 2})) {
    ik_stmt s = *h.stmt[0];
    ik_expr there = *s.value;
    CHECK_EQ(there.op, IK_OP_NOISE);
    there.off[0] = 2, there.off[1] = -1, s.value = &there, h.stmt[0] = &s;
    if (compile(&h, &f)) check_box(&h, &f, &(range){{0}, {29, 1, 6}}, __LINE__);
  }
  ik_build_close(&f.build);
  hand_close(&h);
}

CASE(tables) { /* which the language has in sources alone */
  static const double value[] = {1, 2, 4, 8};
  hand                h;
  compiled            f = {0};
  if (hand_open(&h, "grid x = 29, y = 6\nfield u : f64\nstep 1 { u' = 0.2*x }\n",
                (wanted){.planes = 2})) {
    ik_samples table = {"t", 4, value};
    ik_stmt    s = *h.stmt[0];
    ik_expr    at = {.op = IK_OP_TABLE, .type = IK_F64, .arg = {s.value}};
    s.value = &at, h.stmt[0] = &s;
    h.ir->table = &table, h.ir->ntable = 1;
    if (compile(&h, &f)) check_box(&h, &f, &(range){{0}, {29, 1, 6}}, __LINE__);
  }
  ik_build_close(&f.build);
  hand_close(&h);
}

CASE(fields_on_some_axes) {
  static const char text[] =
      "grid x = 29, y = 6, z = 5\nfield u : f32\nfield a : f32, on x\nfield b : f32, on y\n"
      "field c : f32, on z\nfield d : f16, on (y, z)\nfield e : f32, on (x, z)\n"
      "boundary a, b, c, d, e = mirror\n"
      "step 1 { u' = u + a*b - c*f32(d) + e + b[1]*c[1] + a[1] + f32(d[-1,1]) }\n";
  MATCHES(text, 1, 2, 2);
  MATCHES(text, 2, 1, 1);
  MATCHES(text, 2, 2, 1, .stream_axis = 1);
}

CASE(levels_and_statements_that_build_on_each_other) {
  MATCHES("grid x = 29, y = 6\nfield u : f64, history 2\nfield v : f64\nboundary u, v = mirror\n"
          "step 1 { u' = 2*u - u[t-1] + 0.1*v[1,0]\nv' = v + u' + u[0,1]\n s = sum(u'*v') }\n",
          2, 1, 2);
}

/* ---- cells that stand for others ---- */

CASE(images_have_the_coordinates_of_their_cells) {
  static const char two[] = "grid x = 23, y = 6\nfield u : f64\nfield k : i32\n"
                            "step 1 { u' = u*x + y\nk' = k + x }\n";
  static const char noisy[] = "grid x = 23, y = 6\nfield u : f64\nstep 1 { u' = u + noise(3) }\n";
  static const char narrow[] = "grid x = 3, y = 6\nfield u : f32\nstep 1 { u' = u + noise(3) }\n";
  MATCHES(two, 2, 1, 2, .wrap = true);
  MATCHES(noisy, 2, 1, 1, .wrap = true);
  MATCHES(narrow, 1, 1, 1, .wrap = true, .lanes = 16);
  MATCHES("grid x = 9, y = 5, z = 4\nfield u : f32\nstep 1 { u' = u + x*y + z }\n", 1, 2, 1,
          .wrap = true);
}

/* ---- sweeps: the kernel reads what it writes ---- */

/* Each cell reads what the one before has written. */
CASE(sweeps_go_cell_by_cell) {
  enum { N = 19 };
  hand     h;
  compiled f = {0};
  double   u[N + 2] = {0}, want[N + 2];
  if (hand_open(&h,
                "arithmetic plain\ngrid x = 19\nfield u : f64\nboundary u = mirror\n"
                "sweep x up { u = 0.5*u[-1] + u }\n",
                (wanted){.lanes = 1}) &&
      compile(&h, &f)) {
    CHECK_EQ(h.kernel.ninput, 1);
    CHECK(ik_block_overwrites(&h.pass, &h.kernel, 0));
    for (int x = 0; x < N + 2; x++) want[x] = u[x] = 0.1 * (x * x % 7);
    for (int x = 1; x <= N; x++) want[x] = 0.5 * want[x - 1] + want[x];
    const void *in[] = {u + 1};
    void       *out[] = {u + 1};
    f.all(&(ik_kernel_call){.in = in, .out = out, .x1 = N, .y1 = 1});
    CHECK(memcmp(u, want, sizeof u) == 0);
  }
  ik_build_close(&f.build);
  hand_close(&h);
}

/* ---- the text ---- */

static int occurrences(const ik_buf *b, const char *word) {
  int n = 0;
  for (const char *s = ik_buf_text(b); (s = strstr(s, word)); s++) n++;
  return n;
}

static void write_text(const char *program, wanted s, ik_buf *out) {
  hand h;
  if (hand_open(&h, program, s)) hand_text(&h, out);
  CHECK(out->len > 0);
  hand_close(&h);
}

CASE(whole_blocks_shift_and_parts_do_not) {
  ik_buf text = {0};
  write_text("grid x = 53, y = 9\nfield u : f32\nboundary u = mirror\n" STAR,
             (wanted){.vectors = 2, .lanes = 16, .shift = true}, &text);
  CHECK_EQ(occurrences(&text, "ik_shift_f32("), 4); /* of the two vectors of a block */
  /* the row itself and others, of two vectors; what is left, as it is */
  CHECK_EQ(occurrences(&text, "ik_ld_f32("), (4 + 2 * 2) + 5);
  CHECK_EQ(occurrences(&text, "ik_stn_f32("), 1);
  CHECK(strstr(ik_buf_text(&text), "= ik_shift_f32(u_xm16, u_x0, 15);") != NULL);
  CHECK(strstr(ik_buf_text(&text), "= ik_shift_f32(u_x16, u_x32, 1);") != NULL);
  ik_buf_free(&text);
}

/* Each row of a block asks for a row, also where it is the only one. */
CASE(single_rows_ask_for_single_rows) {
  hand          h;
  ik_buf        text = {0};
  ik_prefetched prefetch = {.field = 0, .type = IK_F32, .pitch = 64};
  if (hand_open(&h, "grid x = 64, y = 16, z = 8\nfield u : f32\nstep 1 { u' = 2*u }\n",
                (wanted){.rows = 4, .lanes = 16})) {
    h.shape.prefetch = (ik_prefetch){.n = 1, .planes = 1, .rows = 4, .parts = 1, .of = &prefetch};
    hand_text(&h, &text);
    CHECK_EQ(occurrences(&text, "ik_prefetch(&prefetch_u_at["), 4 + 1);
  }
  ik_buf_free(&text);
  hand_close(&h);
}

CASE(names_are_those_of_the_program) {
  ik_buf text = {0};
  write_text("grid x = 29, y = 6\nfield float : f32\nfield I : f32\nboundary float = mirror\n"
             "step 1 { float' = float - float[0,-1]*I }\n",
             (wanted){0}, &text);
  CHECK(strstr(ik_buf_text(&text), "*float_2 = c->in[") != NULL);
  CHECK(strstr(ik_buf_text(&text), "*float_m1 = c->in[") != NULL);
  CHECK(strstr(ik_buf_text(&text), "*I_ = c->in[") != NULL);
  CHECK(strstr(ik_buf_text(&text), "float *out_float_new = c->out[0];") != NULL);
  ik_buf_free(&text);
}

CASE(the_text_is_stable) {
  ik_buf text[2] = {{0}, {0}};
  for (int k = 0; k < 2; k++)
    write_text("grid x = 53, y = 9\nfield u : f64\nboundary u = mirror\n" STAR,
               (wanted){.planes = 4, .vectors = 2}, &text[k]);
  CHECK_STR(ik_buf_text(&text[0]), ik_buf_text(&text[1]));
  ik_buf_free(&text[0]), ik_buf_free(&text[1]);
}
