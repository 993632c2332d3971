#include "emit/kernels.h"

static const ik_words no_words; /* the order of values does not depend on how they are called */

static ik_block *block_of(hand *h) {
  const ik_pipe_kernel *k = &h->kernel;
  return ik_block_of(h->ir, &h->pass, k,
                     (ik_block_size){k->planes, k->shape->rows, k->shape->vectors}, &no_words,
                     &h->arena);
}

static int count(const ik_block *b, int op) {
  int n = 0;
  for (int i = 0; i < b->n; i++) n += b->value[i].what.op == op;
  return n;
}

/* The most results of operations that are alive at once: made, and not yet used for the last time.
 */
static int most_alive(const ik_block *b) {
  int *last = IK_NEW_N(b->a, int, b->n), alive = 0, most = 0;
  for (int i = 0; i < b->norder; i++)
    for (int k = 0; k < 4; k++)
      if (b->value[b->order[i]].what.arg[k] >= 0) last[b->value[b->order[i]].what.arg[k]] = i;
  for (int i = 0; i < b->norder; i++) {
    const ik_what *w = &b->value[b->order[i]].what;
    for (int k = 0; k < 4; k++) {
      int v = w->arg[k];
      alive -= v >= 0 && b->value[v].what.arg[0] >= 0 && last[v] == i;
    }
    alive += w->op != IK_STORE;
    if (alive > most) most = alive;
  }
  return most;
}

#define BOX3 "field u : f32\nboundary u = periodic\nweights w = box(1, 1 + 0.1*distance)\n"

CASE(a_vector_is_loaded_once_and_eight_sums_are_alive) {
  hand h;
  if (hand_open(&h, "grid x = 64, y = 16, z = 8\n" BOX3 "step 1 { u' = stencil(u, w) }\n",
                (wanted){.rows = 4, .vectors = 2, .lanes = 16})) {
    ik_block *b = block_of(&h);
    CHECK_EQ(count(b, IK_OP_READ), 3 * 6 * 3 * 2); /* planes, rows, offsets, vectors */
    CHECK_EQ(count(b, IK_OP_FMA) + count(b, IK_OP_ADD) + count(b, IK_OP_MUL), 8 * 27);
    CHECK_EQ(count(b, IK_STORE), 8);
    CHECK_EQ(b->norder, 8 * 28);
    CHECK_EQ(most_alive(b), 8);
  }
  hand_close(&h);
}

/* Reads that are loads, and reads that are taken from two of them. */
static int count_loads(const ik_block *b, bool shifted) {
  int n = 0;
  for (int i = 0; i < b->n; i++)
    n += b->value[i].what.op == IK_OP_READ && (b->value[i].what.arg[0] >= 0) == shifted;
  return n;
}

#define CUBE "grid x = 64, y = 16, z = 8\n"

static void check_shifts(const ik_block *b, int lanes) {
  for (int i = 0; i < b->n; i++) {
    const ik_what *w = &b->value[i].what;
    int            at = w->at[IK_LANE];
    if (w->op != IK_OP_READ || w->arg[0] < 0) continue;
    int lo = b->value[w->arg[0]].what.at[IK_LANE], hi = b->value[w->arg[1]].what.at[IK_LANE];
    CHECK(w->arg[0] < i && w->arg[1] < i);
    CHECK(lo % lanes == 0 && lo < at && at < hi && hi == lo + lanes);
    CHECK_EQ(b->value[w->arg[0]].what.at[IK_ROW], w->at[IK_ROW]);
  }
}

CASE(neighbours_come_from_vectors_that_all_share) {
  hand h;
  if (hand_open(&h, CUBE BOX3 "step 1 { u' = stencil(u, w) }\n",
                (wanted){.rows = 4, .vectors = 2, .lanes = 8, .shift = true})) {
    ik_block *b = block_of(&h);
    CHECK_EQ(count_loads(b, false), 3 * 6 * 4); /* planes, rows, vectors */
    CHECK_EQ(count_loads(b, true), 3 * 6 * 4);
    CHECK_EQ(b->norder, 8 * 28); /* which the shifts do not change */
    check_shifts(b, 8);
  }
  hand_close(&h);
}

CASE(of_wide_vectors_and_much_to_compute_half_of_them_are_loaded) {
  hand h;
  if (hand_open(&h, CUBE BOX3 "step 1 { u' = stencil(u, w) }\n",
                (wanted){.rows = 4, .vectors = 2, .lanes = 16, .shift = true})) {
    ik_block *b = block_of(&h);
    CHECK_EQ(count_loads(b, false), 3 * 6 * (3 + 2)); /* whole ones, and those before the cell */
    CHECK_EQ(count_loads(b, true), 3 * 6 * 2);
    check_shifts(b, 16);
    h.shape.rows = 1; /* no row shares what it loads: all are shifted */
    CHECK_EQ(count_loads(block_of(&h), true), 9 * 4);
  }
  hand_close(&h);
  if (hand_open(&h,
                CUBE
                "field u : f32\nboundary u = periodic\nstep 1 { u' = u[-1,0,0] + u[1,0,0] + u }\n",
                (wanted){.rows = 4, .vectors = 2, .lanes = 16, .shift = true}))
    CHECK_EQ(count_loads(block_of(&h), true), 4 * 4); /* little to compute: all */
  hand_close(&h);
}

/* Each of two results is 23 operations, and so many more are done once for both. */
static int shifted_with(const char *shared) {
  hand   h;
  ik_buf text = {0};
  int    shifted = -1;
  ik_buf_puts(&text, "arithmetic plain\ngrid x = 64, y = 16\nfield u : f32\nboundary u = periodic\n"
                     "scalar s : f32 = 2\nstep 1 { u' = u[-1,0] + u");
  ik_buf_printf(&text, " + %s", shared);
  for (int i = 2; i < 23; i++) ik_buf_puts(&text, " + s");
  ik_buf_puts(&text, " }\n");
  if (hand_open(&h, ik_buf_text(&text), (wanted){.planes = 2, .lanes = 16, .shift = true}))
    shifted = count_loads(block_of(&h), true);
  hand_close(&h);
  ik_buf_free(&text);
  return shifted;
}

CASE(twenty_four_operations_for_each_result_are_much) {
  CHECK_EQ(shifted_with("sqrt(s)"), 2);
  CHECK_EQ(shifted_with("sqrt(sqrt(s))"), 0);
}

CASE(rows_without_whole_vectors_are_loaded_as_they_are) {
  hand h; /* the plane above is read at x - 1 and x + 1 only, far away along the row */
  if (hand_open(&h,
                CUBE "field u : f32\nboundary u = periodic\n"
                     "step 1 { u' = u[20,0,0] + u + u[-1,0,1] + u[1,0,1] }\n",
                (wanted){.lanes = 16, .shift = true})) {
    ik_block *b = block_of(&h);
    CHECK_EQ(count_loads(b, true), 1);
    CHECK_EQ(count_loads(b, false), 3 + 2); /* at 0, 16 and 32; the plane above */
  }
  hand_close(&h);
}

CASE(only_rings_have_room_for_whole_vectors) {
  hand h;
  if (hand_open(&h, CUBE BOX3 "step 1 { u' = stencil(u, w) }\n",
                (wanted){.lanes = 16, .shift = true})) {
    h.input_shape[0].aligned = false;
    CHECK_EQ(count_loads(block_of(&h), true), 0);
    h.input_shape[0].aligned = true, h.shape.shift = false;
    CHECK_EQ(count_loads(block_of(&h), true), 0);
    h.shape.shift = true;
    CHECK_EQ(count_loads(block_of(&h), true), 9 * 2);
  }
  hand_close(&h);
}

CASE(operands_come_before_their_users) {
  hand h;
  if (hand_open(&h,
                "grid x = 64, y = 16\nfield u : f64\nboundary u = mirror\n"
                "step 1 { a = u[1,0] - u; b = u[0,1] - u\n"
                "u' = u + a*b - a[-1,0]*b[0,-1] + u[0,-2]*u[0,2] }\n",
                (wanted){.planes = 3, .vectors = 2})) {
    ik_block *b = block_of(&h);
    bool     *done = IK_NEW_N(b->a, bool, b->n);
    for (int i = 0; i < b->norder; i++) {
      const ik_block_value *v = &b->value[b->order[i]];
      for (int k = 0; k < 4; k++) {
        int a = v->what.arg[k];
        if (a < 0 || b->value[a].where != IK_PER_CELL || b->value[a].what.arg[0] < 0) continue;
        CHECK(done[a]);
      }
      done[b->order[i]] = true;
    }
  }
  hand_close(&h);
}

CASE(what_two_rows_share_is_computed_once) {
  hand h; /* the difference u[0,1] - u of one row is u - u[0,-1] of the next */
  if (hand_open(&h,
                "arithmetic plain\ngrid x = 64, y = 16\nfield u : f64\nboundary u = mirror\n"
                "step 1 { u' = (u[0,1] - u)*(u - u[0,-1]) }\n",
                (wanted){.planes = 4})) {
    ik_block *b = block_of(&h);
    CHECK_EQ(count(b, IK_OP_SUB), 5);
    CHECK_EQ(count(b, IK_OP_MUL), 4);
  }
  hand_close(&h);
}

CASE(a_comparison_joins_the_only_choice_that_uses_it) {
  hand h;
  if (hand_open(&h,
                "grid x = 64\nfield u : f64\nfield v : f64\nfield k : i32\n"
                "step 1 { u' = if u < v then u else 0\nv' = if v <= 1 then v else 1\n"
                "k' = if v <= 1 then k else 1 }\n",
                (wanted){0})) {
    ik_block *b = block_of(&h);
    int       joined = 0;
    for (int i = 0; i < b->n; i++)
      if (b->value[i].what.op == IK_OP_SELECT && b->value[i].what.compare) {
        CHECK_EQ(b->value[i].what.compare, IK_OP_LT);
        joined++;
      }
    CHECK_EQ(joined, 1); /* `v <= 1` decides twice */
    CHECK_EQ(count(b, IK_OP_SELECT), 3);
  }
  hand_close(&h);
}

static int casts_of(ik_op op, ik_type type) {
  hand h;
  int  casts = -1;
  if (hand_open(&h, "grid x = 64\nfield u : f64\nstep 1 { u' = u }\n", (wanted){0})) {
    ik_expr e = {.op = op, .type = type};
    ik_stmt s = *h.stmt[0];
    s.value = &e, h.stmt[0] = &s;
    casts = count(block_of(&h), IK_OP_CAST);
  }
  hand_close(&h);
  return casts;
}

/* Halves are rounded from f64. */
CASE(coordinates_and_time_are_made_in_the_type_they_are_wanted_in) {
  static const ik_op of[] = {IK_OP_COORD, IK_OP_TIME};
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(casts_of(of[i], IK_F64), 0);
    CHECK_EQ(casts_of(of[i], IK_F32), 0);
    CHECK_EQ(casts_of(of[i], IK_I32), 0);
    CHECK_EQ(casts_of(of[i], IK_F16), 1);
    CHECK_EQ(casts_of(of[i], IK_BF16), 1);
  }
}

/* Two values of the program may be one place of memory, which a stage alone knows. */
CASE(what_a_stage_writes_over_is_known) {
  hand h;
  if (hand_open(&h, "grid x = 64\nfield u, v : f64\nstep 1 { u' = v }\n", (wanted){0})) {
    ik_pipe_buffer buffer[2] = {{.field = 0}, {.field = 1}};
    ik_pipe_stage  stage = {.kind = IK_STAGE_KERNEL, .inside = -1, .in = {0}, .out = {1}};
    ik_pipe_phase  phase = {.nstage = 1, .stage = &stage};
    h.pass.nphase = 1, h.pass.phase = &phase, h.pass.buffer = buffer, h.pass.nbuffer = 2;
    CHECK(!ik_block_overwrites(&h.pass, &h.kernel, 0));
    stage.out[0] = 0; /* the same ring */
    CHECK(ik_block_overwrites(&h.pass, &h.kernel, 0));
    stage.out[0] = 1, buffer[1].field = 0, buffer[0].memory = buffer[1].memory = true;
    CHECK(ik_block_overwrites(&h.pass, &h.kernel, 0));
    buffer[1].level = -1;
    CHECK(!ik_block_overwrites(&h.pass, &h.kernel, 0));
  }
  hand_close(&h);
}

static ik_where where(const ik_block *b, int op, int id) {
  for (int i = 0; i < b->n; i++)
    if (b->value[i].what.op == op && b->value[i].what.id == id) return b->value[i].where;
  return IK_PER_CELL;
}

CASE(values_stand_in_the_outermost_loop) {
  hand h;
  if (hand_open(&h,
                "grid x = 64, y = 8, z = 8\nfield u : f64\nfield r : f64, on y\n"
                "field s : f64, on z\nscalar a : f64 = 2\n"
                "step 1 { u' = u*x + exp(a*t) + y + z + sqrt(r) + sin(s) }\n",
                (wanted){0})) {
    ik_block *b = block_of(&h);
    CHECK_EQ(where(b, IK_OP_EXP, 0), IK_PER_CALL);
    CHECK_EQ(where(b, IK_OP_SIN, 0), IK_PER_CALL);
    CHECK_EQ(where(b, IK_OP_SQRT, 0), IK_PER_ROW);
    CHECK_EQ(where(b, IK_OP_COORD, IK_LANE), IK_PER_CELL);
    CHECK_EQ(where(b, IK_OP_COORD, IK_ROW), IK_PER_ROW);
    CHECK_EQ(where(b, IK_OP_COORD, IK_STREAM), IK_PER_CALL);
  }
  hand_close(&h);
}
