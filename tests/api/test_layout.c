/* Arrays with padding between their slices: nobody sees it from outside. */
#include "api/api.h"
#include "base/mem.h"
#include "io/hdf5.h"
#include "io/scratch.h"
#include "targets/cpu/isa.h"

static const char flat[] = "grid x = 19, y = 7\nfield u : f32, history 2 = noise(1)\n"
                           "field w : bf16 = noise(2)\nfield r : f64, on (y) = y\n"
                           "field k : i32, on (x+1, y) = x - 3*y\nboundary u = copy\n"
                           "source t at (3, 2) into u\n"
                           "step 5 { u' = 0.5*u + 0.2*u[1, 0] + 0.2*u[0, -1] + 0.1*u[t-1] }\n"
                           "w = u + r\n";
static const char deep[] = "grid x = 9, y = 5, z = 6\nfield u : f64 = noise(1)\n"
                           "field v : f32, on (x, z) = noise(2)\nboundary u = periodic\n"
                           "step 4 { u' = u + 0.1*laplacian(u) - 0.01*v }\n";

static const char bounded[] = "grid x = 64, y = 11, z = 9\nfield u : f32 = noise(1)\n"
                              "boundary u = 0.5\nstep 6 { u' = u + 0.1*laplacian(u) }\n";

typedef struct desk {
  ik_log     *log;
  ik_program *program;
  ik_run     *run;
} desk;

static void desk_open_with(desk *s, const char *text, const ik_run_options *o, int64_t gap) {
  *s = (desk){.log = ik_log_create()};
  CHECK_EQ(ik_program_from_text("test", text, s->log, &s->program), IK_OK);
  CHECK_EQ(ik_program_compile(s->program, s->log), IK_OK);
  ik_layout_padding_always = gap;
  CHECK_EQ(ik_run_create(s->program, o, s->log, &s->run), IK_OK);
  ik_layout_padding_always = 0;
}

static void desk_open(desk *s, const char *text, const char *target, int64_t gap) {
  desk_open_with(s, text, &(ik_run_options){.target = target, .threads = 2}, gap);
}

static void desk_close(desk *s) {
  ik_run_destroy(&s->run);
  ik_program_destroy(&s->program);
  ik_log_destroy(&s->log);
}

static void same_files(const char *name, const desk *a, const desk *b, const char *field) {
  ik_buf      bytes[2] = {{0}};
  const desk *s[] = {a, b};
  ik_diag     d = {0};
  for (int i = 0; i < 2; i++) {
    const char *path = scratch(name);
    if (strstr(name, ".png")) {
      ik_picture_options o;
      ik_picture_options_init(&o);
      o.field = field;
      CHECK_EQ(ik_run_picture(s[i]->run, &o, path, s[i]->log), IK_OK);
    } else {
      CHECK_EQ(ik_run_write(s[i]->run, path, field, s[i]->log), IK_OK);
    }
    CHECK_EQ(ik_file_read(path, IK_FILE_MOST, IK_NOSPAN, &bytes[i], &d), IK_OK);
  }
  CHECK(bytes[0].len > 0 && bytes[0].len == bytes[1].len);
  CHECK(memcmp(bytes[0].data, bytes[1].data, bytes[0].len) == 0);
  ik_buf_free(&bytes[0]), ik_buf_free(&bytes[1]);
  ik_diag_free(&d);
}

static int padded(const desk *s) {
  int n = 0;
  for (int f = 0; f < s->program->ir->nfield; f++) n += s->run->state->slot[f].layout->padding > 0;
  return n;
}

CASE(files_and_pictures_are_the_same) {
  for (int k = 0; k < 2; k++) {
    desk a, b;
    desk_open(&a, k ? deep : flat, "cpu", 3), desk_open(&b, k ? deep : flat, "ref", 0);
    CHECK_EQ(ik_run_advance(a.run, 2, a.log), IK_OK);
    CHECK_EQ(ik_run_advance(b.run, 2, b.log), IK_OK);
    CHECK_EQ(padded(&a), k ? 2 : 4);
    CHECK(ik_state_hash(a.run->state) == ik_state_hash(b.run->state));
    for (int f = 0; f < a.program->ir->nfield; f++) {
      const char *name = a.program->ir->field[f].name;
      same_files("a.npy", &a, &b, name), same_files("a.raw", &a, &b, name);
    }
    if (ik_hdf5_available(NULL)) same_files("a.h5", &a, &b, NULL);
    same_files("a.png", &a, &b, "u");
    CHECK(ik_run_value(a.run, "u", 3, 4, k) == ik_run_value(b.run, "u", 3, 4, k));
    CHECK_EQ(padded(&a), k ? 2 : 4); /* looking takes none away */
    desk_close(&a), desk_close(&b);
  }
  scratch_scan(true);
}

CASE(who_asks_for_the_array_gets_a_copy_without_padding) {
  for (int k = 0; k < 2; k++) {
    desk a, b;
    desk_open(&a, k ? deep : flat, "cpu", 3), desk_open(&b, k ? deep : flat, "ref", 0);
    for (int i = 0; i < 4; i++) {
      ik_field_info info;
      CHECK_EQ(ik_run_advance(a.run, i < 3 ? 1 : -1, a.log), IK_OK);
      CHECK_EQ(ik_run_advance(b.run, i < 3 ? 1 : -1, b.log), IK_OK);
      CHECK(ik_state_hash(a.run->state) == ik_state_hash(b.run->state));
      const void *u = ik_run_data(a.run, "u", &info);
      CHECK(memcmp(u, ik_run_data(b.run, "u", NULL), info.bytes) == 0);
      const void *other = ik_run_data(a.run, k ? "v" : "w", &info);
      CHECK(memcmp(other, ik_run_data(b.run, k ? "v" : "w", NULL), info.bytes) == 0);
      CHECK(other != u && ik_run_data(a.run, "u", NULL) == u);
      CHECK_EQ(padded(&a), k ? 2 : 4);
    }
    desk_close(&a), desk_close(&b);
  }
}

/* A row fits into the padding: kernels find there what stands beyond the faces, whoever has asked
 * for the array. */
CASE(what_stands_beyond_faces_stays_in_the_padding) {
  static const char *const strategy[] = {"sweep", "skew"};
  for (int k = 0; k < 2; k++) {
    desk           a, b;
    ik_run_options o = {.target = "cpu", .threads = 2, .strategy = strategy[k]};
    o.plan = k ? "steps=2 tile=0,4,0 in_place=1" : "steps=1 in_place=1";
    desk_open_with(&a, bounded, &o, 64), desk_open(&b, bounded, "ref", 0);
    CHECK_EQ(a.run->state->slot[0].layout->filled, ik_isa_local().vector_bytes > 8);
    for (int i = 0; i < 3; i++) {
      CHECK_EQ(ik_run_advance(a.run, 2, a.log), IK_OK);
      CHECK_EQ(ik_run_advance(b.run, 2, b.log), IK_OK);
      CHECK(ik_state_hash(a.run->state) == ik_state_hash(b.run->state));
      if (i == 1) CHECK(ik_run_data(a.run, "u", NULL));
      CHECK_EQ(a.run->state->slot[0].layout->filled, ik_isa_local().vector_bytes > 8);
    }
    desk_close(&a), desk_close(&b);
  }
}

CASE(what_stands_beyond_faces_stays_when_a_run_begins_again) {
  desk           a;
  ik_run_options o = {.target = "cpu", .threads = 2, .strategy = "sweep", .plan = "in_place=1"};
  desk_open_with(&a, bounded, &o, 64);
  CHECK_EQ(ik_run_advance(a.run, -1, a.log), IK_OK);
  uint64_t first = ik_state_hash(a.run->state);
  CHECK_EQ(ik_run_rewind(a.run, a.log), IK_OK);
  CHECK_EQ(ik_run_advance(a.run, -1, a.log), IK_OK);
  CHECK_EQ(a.run->state->slot[0].layout->filled, ik_isa_local().vector_bytes > 8);
  CHECK(ik_state_hash(a.run->state) == first);
  desk_close(&a);
}

CASE(an_array_of_the_callers_takes_part) {
  desk  a, b;
  float x[2][19 * 7];
  desk_open(&a, flat, "cpu", 3), desk_open(&b, flat, "ref", 0);
  for (int i = 0; i < 19 * 7; i++) x[0][i] = x[1][i] = (float)i / 7;
  CHECK_EQ(ik_run_bind(a.run, "u", x[0], sizeof x[0], a.log), IK_OK);
  CHECK_EQ(ik_run_bind(b.run, "u", x[1], sizeof x[1], b.log), IK_OK);
  for (int i = 0; i < 4; i++) {
    x[0][20 + i] = x[1][20 + i] = (float)i; /* the caller's to change between steps */
    CHECK_EQ(ik_run_advance(a.run, i < 3 ? 1 : -1, a.log), IK_OK);
    CHECK_EQ(ik_run_advance(b.run, i < 3 ? 1 : -1, b.log), IK_OK);
    CHECK(memcmp(x[0], x[1], sizeof x[0]) == 0);
    CHECK(ik_state_hash(a.run->state) == ik_state_hash(b.run->state));
    CHECK(ik_run_data(a.run, "u", NULL) == x[0] && ik_run_data(b.run, "u", NULL) == x[1]);
    CHECK_EQ(padded(&a), 4);
  }
  desk_close(&a), desk_close(&b);
}

CASE(a_copy_without_memory_is_refused_and_the_run_goes_on) {
  desk a;
  desk_open(&a, deep, "cpu", 3);
  CHECK_EQ(ik_run_advance(a.run, 1, a.log), IK_OK);
  ik_mem_fail_after(0);
  const void *u = ik_run_data(a.run, "u", NULL);
  ik_mem_fail_after(-1);
  CHECK(!u && ik_run_data(a.run, "u", NULL));
  CHECK_EQ(ik_run_advance(a.run, -1, a.log), IK_OK);
  desk_close(&a);
}

CASE(a_layout_can_be_shown) {
  desk        a;
  const char *text;
  desk_open(&a, deep, "cpu", 3);
  ik_layout_padding_always = 3;
  text = ik_program_show(a.program, "layout", &(ik_run_options){.target = "cpu"}, a.log);
  ik_layout_padding_always = 0;
  CHECK_STR(text, "field  level  type  extents    strides     padding  align  bytes  space\n"
                  "u          1  f64   9 x 5 x 6  1 x 9 x 48        3     64   2304  host\n"
                  "u          0  f64   9 x 5 x 6  1 x 9 x 48        3     64   2304  host\n"
                  "v          0  f32   9 x 1 x 6  1 x 9 x 12        3     64    288  host\n");
  text = ik_program_show(a.program, "layout", &(ik_run_options){.target = "ref"}, a.log);
  CHECK(text && strstr(text, "u          0  f64   9 x 5 x 6  1 x 9 x 45        0     64   2160"));
  desk_close(&a);
}

CASE(blow_up_is_found_where_it_is) {
  static const char text[] =
      "grid x = 5, y = 4\nfield u : f32 = if x == 3 and y == 2 then 1/(x - 3) "
      "else 1\nstep 3 { u' = u }\n";
  desk        a;
  const char *where = "at x = 3, y = 2";
  desk_open(&a, text, "cpu", 3);
  CHECK_EQ(ik_run_advance(a.run, -1, a.log), IK_ERR_NUMERIC);
  CHECK(strstr(ik_log_text(a.log, false), where));
  desk_close(&a);
}
