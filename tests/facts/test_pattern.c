#include "build.h"

static ik_patterns patterns(void) {
  ik_subject  s;
  ik_patterns p;
  ik_subject_of(built, &arena, &s);
  ik_pattern_of(built, &s, &arena, &p);
  return p;
}

CASE(heat_is_a_star) {
  int         u = heat(2, 0.1);
  ik_patterns p = patterns();
  CHECK_EQ(p.field, u);
  CHECK_EQ(p.source, u);
  CHECK_EQ(p.points, 5);
  CHECK_EQ(p.shape.kind, IK_SHAPE_STAR);
  CHECK_EQ(p.shape.dim, 2);
  CHECK_EQ(p.shape.radius, 1);
  done();
}

CASE(wave_has_two_levels) {
  int         u = wave(0.1);
  ik_patterns p = patterns();
  CHECK_EQ(p.source, u);
  CHECK_EQ(p.points, 26);
  CHECK_EQ(p.level_points[1 - 0], 25);
  CHECK_EQ(p.level_points[1 - -1], 1);
  CHECK_EQ(p.shape.kind, IK_SHAPE_STAR);
  CHECK_EQ(p.shape.dim, 3);
  CHECK_EQ(p.shape.radius, 4);
  done();
}

static ik_expr *box_sum(int f, int r, int ndim) {
  ik_expr *sum = at(f, 0, 0, 0);
  int      ry = ndim > 1 ? r : 0, rz = ndim > 2 ? r : 0;
  for (int z = -rz; z <= rz; z++)
    for (int y = -ry; y <= ry; y++)
      for (int x = -r; x <= r; x++) sum = add(sum, at(f, x, y, z));
  return sum;
}

CASE(shapes) {
  program(3, 32, 32, 32);
  int u = field("u", IK_F64, 1);
  steps(1);
  ik_stmt *s = assign(u, 1, box_sum(u, 2, 3));
  CHECK_EQ(patterns().shape.kind, IK_SHAPE_BOX);
  CHECK_EQ(patterns().points, 125);
  s->value = box_sum(u, 2, 1); /* a row: star before box */
  CHECK_EQ(patterns().shape.kind, IK_SHAPE_STAR);
  CHECK_EQ(patterns().shape.dim, 1);
  s->value = add(at(u, 0, 0, 0), at(u, -1, 0, 0)); /* upwind */
  CHECK_EQ(patterns().shape.kind, IK_SHAPE_SPARSE);
  CHECK_EQ(patterns().shape.hull.lo[0], -1);
  CHECK_EQ(patterns().shape.hull.hi[0], 0);
  s->value = add(at(u, 1, 0, 0), at(u, -1, 0, 0)); /* a star without its centre */
  CHECK_EQ(patterns().shape.kind, IK_SHAPE_STAR);
  s->value = add(at(u, 1, 1, 0), at(u, -1, -1, 0));
  CHECK_EQ(patterns().shape.kind, IK_SHAPE_SPARSE);
  s->value = at(u, 0, 0, 0);
  CHECK_EQ(patterns().shape.kind, IK_SHAPE_POINT);
  CHECK_EQ(patterns().shape.dim, 0);
  s->value = number(1);
  CHECK_EQ(patterns().field, -1);
  done();
}

/* hdiff: lap of in, fluxes of lap; through both the 13 points of a diamond of radius 2. */
static int hdiff(void) {
  program(2, 32, 32, 1);
  int in = field("in", IK_F64, 1), out = field("out", IK_F64, 1);
  int lap = temp("lap", IK_F64), flx = temp("flx", IK_F64), fly = temp("fly", IK_F64);
  steps(1);
  ik_expr *sides =
      add(add(at(in, -1, 0, 0), at(in, 1, 0, 0)), add(at(in, 0, -1, 0), at(in, 0, 1, 0)));
  assign(lap, 0, sub(times(4, at(in, 0, 0, 0)), sides));
  assign(flx, 0, sub(at(lap, 1, 0, 0), at(lap, 0, 0, 0)));
  assign(fly, 0, sub(at(lap, 0, 1, 0), at(lap, 0, 0, 0)));
  ik_expr *div =
      add(sub(at(flx, 0, 0, 0), at(flx, -1, 0, 0)), sub(at(fly, 0, 0, 0), at(fly, 0, -1, 0)));
  assign(out, 1, sub(at(in, 0, 0, 0), times(0.025, div)));
  return in;
}

CASE(reads_through_temporaries) {
  int         in = hdiff();
  ik_patterns p = patterns();
  CHECK_EQ(p.source, in);
  CHECK_EQ(p.points, 13);
  CHECK_EQ(p.shape.radius, 2);
  CHECK_EQ(p.shape.kind, IK_SHAPE_SPARSE);
  /* as written, the last statement reads three fields */
  CHECK_EQ(p.work[3].nreads, 3);
  CHECK_EQ(p.work[3].reads[1].n, 2);
  CHECK_EQ(p.work[3].reads[1].hull.lo[0], -1);
  CHECK_EQ(p.work[0].reads[0].n, 5);
  CHECK_EQ(p.effective[p.field].nreads, 1);
  done();
}

/* H' = H + (E[1] - E), E' = E + (H' - H'[-1]): E' depends on three points of E. */
CASE(reads_through_an_earlier_stage) {
  program(1, 32, 1, 1);
  int e = field("e", IK_F64, 1), h = field("h", IK_F64, 1);
  steps(1);
  assign(h, 1, add(at(h, 0, 0, 0), sub(at(e, 1, 0, 0), at(e, 0, 0, 0))));
  assign(e, 1, add(at(e, 0, 0, 0), sub(at_level(h, 1, 0, 0, 0), at_level(h, 1, -1, 0, 0))));
  ik_patterns p = patterns();
  CHECK_EQ(p.effective[e].nreads, 2);
  CHECK_EQ(p.effective[e].reads[0].n, 3);
  CHECK_EQ(p.effective[e].reads[1].n, 2);
  CHECK_EQ(p.effective[h].reads[0].n, 2);
  CHECK_EQ(p.field, e);
  done();
}

/* a = a[1]; a = a[1]: the second replaces the first, and reads through it. */
CASE(a_second_assignment_replaces) {
  program(1, 32, 1, 1);
  int a = field("a", IK_F64, 1);
  assign(a, 0, at(a, 1, 0, 0));
  assign(a, 0, at(a, 1, 0, 0));
  ik_patterns p = patterns();
  CHECK_EQ(p.points, 1);
  CHECK_EQ(p.effective[a].reads[0].point[0].off[0], 2);
  done();
}

/* On two halves the field depends on what either reads. */
CASE(two_boxes_add_up) {
  program(1, 32, 1, 1);
  int a = field("a", IK_F64, 1), b = field("b", IK_F64, 1);
  narrow(assign(a, 0, at(b, 1, 0, 0)), 0, 0, 17);
  narrow(assign(a, 0, at(b, -3, 0, 0)), 0, 16, 32);
  CHECK_EQ(patterns().points, 2);
  done();
}

/* What a sweep makes stands for itself: it depends on the whole column. */
CASE(a_sweep_is_not_read_through) {
  program(1, 32, 1, 1);
  int c = temp("c", IK_F64), d = field("d", IK_F64, 1), x = field("x", IK_F64, 1);
  open_body(IK_SWEEP, 0);
  assign(c, 0, add(at(c, -1, 0, 0), at(d, 0, 0, 0)));
  assign(x, 0, at(c, 0, 0, 0));
  ik_patterns p = patterns();
  CHECK_EQ(p.effective[x].nreads, 1);
  CHECK_EQ(p.effective[x].reads[0].field, c);
  CHECK_EQ(p.field, c); /* c depends on itself */
  CHECK_EQ(p.source, c);
  done();
}

/* There the pattern shown may be that of a statement. */
CASE(a_sweep_shows_what_it_reads) {
  program(1, 32, 1, 1);
  int c = temp("c", IK_F64), d = field("d", IK_F64, 1), x = field("x", IK_F64, 1);
  open_body(IK_SWEEP, 0);
  assign(c, 0, add(at(c, -1, 0, 0), sub(at(d, 1, 0, 0), at(d, -1, 0, 0))));
  assign(x, 0, at(c, 0, 0, 0));
  ik_patterns p = patterns();
  CHECK_EQ(p.source, d);
  CHECK_EQ(p.points, 2);
  done();
}

/* A box of 343 points read through a box of 343 points. */
CASE(hundreds_of_reads) {
  program(3, 64, 64, 64);
  int u = field("u", IK_F32, 1), t = temp("t", IK_F32);
  steps(1);
  assign(t, 0, box_sum(u, 3, 3));
  assign(u, 1, box_sum(t, 3, 3));
  ik_patterns p = patterns();
  CHECK_EQ(p.points, 13 * 13 * 13);
  CHECK_EQ(p.shape.kind, IK_SHAPE_BOX);
  CHECK_EQ(p.shape.radius, 6);
  done();
}
