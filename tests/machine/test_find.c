#include "base/mem.h"
#include "text.h"

CASE(numbers_are_converted_between_prefixes) {
  reading r;
  double  v = 0;
  CHECK_EQ(read_text(&r, "b = 1.5 TB/s\nm = 48 KiB\nt = 4 us\nn = 7\nw = \"x\"\nl = 2 s/GB\n"),
           IK_OK);
  const ik_machine *m = r.machine;
  CHECK_NEAR(number(m, "b", "B/s"), 1.5e12, 0);
  CHECK_NEAR(number(m, "b", "GB/s"), 1500, 1e-9);
  CHECK_NEAR(number(m, "m", "B"), 49152, 0);
  CHECK_NEAR(number(m, "m", "MiB"), 0.046875, 0);
  CHECK_NEAR(number(m, "t", "s"), 4e-6, 1e-20);
  CHECK_NEAR(number(m, "n", ""), 7, 0);
  CHECK_NEAR(number(m, "l", "s/GB"), 2, 0);
  CHECK(!ik_machine_number(m, "b", "B", &v)); /* another unit */
  CHECK(!ik_machine_number(m, "b", "s", &v)); /* ends alike */
  CHECK(!ik_machine_number(m, "n", "B", &v)); /* no unit */
  CHECK(!ik_machine_number(m, "w", "", &v));  /* a text */
  CHECK(!ik_machine_number(m, "none", "", &v));
  end_reading(&r);
}

CASE(texts_are_not_numbers) {
  reading r;
  CHECK_EQ(read_text(&r, "n = 7\nw = \"x\"\n"), IK_OK);
  CHECK_STR(ik_machine_text(r.machine, "w"), "x");
  CHECK(!ik_machine_text(r.machine, "n"));
  CHECK(!ik_machine_text(r.machine, "none"));
  CHECK(!ik_machine_get(r.machine, "W"));
  end_reading(&r);
}

/* A machine by its name; the caller frees. */
static ik_status find(reading *r, const char *name) {
  *r = (reading){0};
  ik_arena_init(&r->arena);
  if (setjmp(r->arena.oom)) return IK_ERR_RESOURCE;
  return ik_machine_find(name, &r->arena, &r->diag, &r->machine);
}

CASE(every_machine_can_be_read_and_every_number_has_a_source) {
  int                n;
  const char *const *names = ik_machine_names(&n);
  CHECK(n >= 14);
  CHECK_STR(names[0], "local");
  for (int i = 1; i < n; i++) {
    reading r;
    ik_buf  b = {0};
    CHECK_EQ(find(&r, names[i]), IK_OK);
    ik_diag_render(&r.diag, false, &b);
    CHECK_STR(ik_buf_text(&b), "");
    for (int k = 0; r.machine && k < r.machine->n; k++) {
      const ik_figure *f = &r.machine->figure[k];
      if (f->numeric && !(f->source && f->label)) CHECK_STR(f->key, "a key with label and source");
    }
    CHECK(r.machine && ik_machine_text(r.machine, "title"));
    CHECK(r.machine && ik_machine_text(r.machine, "kind"));
    ik_buf_free(&b);
    end_reading(&r);
  }
}

/* Figures of the papers, by other ways of writing them. */
CASE(figures_are_those_of_the_papers) {
  static const struct {
    const char *machine, *key, *unit;
    double      value;
  } known[] = {
      {"a100-80gb-pcie", "memory.bandwidth", "GB/s", 1935},
      {"a100-80gb-pcie", "peak.f64.matrix", "GFLOP/s", 19500},
      {"h100-pcie", "memory.bandwidth", "TB/s", 3.9},
      {"h200", "peak.f64.mma.m16n8k16", "TFLOP/s", 66.8},
      {"gtx980", "gpu.shared", "B", 98304},
      {"gtx980", "c_iter.gradient2d", "ns", 60.9},
      {"titanx", "gpu.sms", "", 24},
      {"titanx", "time.l", "s/GB", 5.42e-3},
      {"k20c", "energy.global", "nJ/word", 2.2},
      {"power9-ac922", "cpu.threads", "", 64},
      {"nero-hbm", "rate.hdiff.f32", "GFLOP/s", 485.4},
      {"nero-ddr4", "port.width", "bit", 512},
      {"wse2", "pe.count", "", 850000},
      {"wse2", "peak.f32", "TFLOP/s", 1785},
      {"wormhole-n150d", "memory.bandwidth", "GB/s", 288},
      {"wormhole-n300d", "power.tdp", "W", 300},
      {"generic-cpu", "memory.bandwidth", "GB/s", 37},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    reading r;
    double  v = 0;
    CHECK_EQ(find(&r, known[i].machine), IK_OK);
    CHECK(r.machine && ik_machine_number(r.machine, known[i].key, known[i].unit, &v));
    CHECK_NEAR(v, known[i].value, 1e-12 * known[i].value);
    end_reading(&r);
  }
}

/* What the sources say of one machine in several ways has to agree. */
CASE(figures_agree_with_each_other) {
  reading r;
  double  peak = 0, bandwidth = 0, count = 0, clock = 0;
  CHECK_EQ(find(&r, "a100-80gb-pcie"), IK_OK);
  CHECK(ik_machine_number(r.machine, "memory.bandwidth", "TB/s", &bandwidth));
  CHECK(ik_machine_number(r.machine, "peak.tf32.sparse", "TFLOP/s", &peak));
  CHECK_NEAR(peak / bandwidth, 161, 0.5); /* the ridge points that the paper prints */
  CHECK(ik_machine_number(r.machine, "peak.tf32.matrix", "TFLOP/s", &peak));
  CHECK_NEAR(peak / bandwidth, 81, 0.5);
  end_reading(&r);

  CHECK_EQ(find(&r, "wse2"), IK_OK);
  CHECK(ik_machine_number(r.machine, "pe.count", "", &count));
  CHECK(ik_machine_number(r.machine, "memory.bandwidth", "B/s", &bandwidth));
  CHECK(ik_machine_number(r.machine, "clock.from.memory", "Hz", &clock));
  CHECK_NEAR(bandwidth / (count * 24) / clock, 1, 1e-3);
  CHECK(ik_machine_number(r.machine, "link.bandwidth", "B/s", &bandwidth));
  CHECK(ik_machine_number(r.machine, "clock.from.link", "Hz", &clock));
  CHECK_NEAR(bandwidth / (count * 4) / clock, 1, 1e-3);
  CHECK(ik_machine_number(r.machine, "peak.f32", "FLOP/s", &peak));
  CHECK(ik_machine_number(r.machine, "clock.from.peak", "Hz", &clock));
  CHECK_NEAR(peak / (count * 2) / clock, 1, 1e-3);
  end_reading(&r);
}

CASE(an_unknown_machine_names_the_nearest) {
  reading r;
  CHECK_EQ(find(&r, "wse3"), IK_ERR_SOURCE);
  CHECK_EQ(r.diag.nmsg, 1);
  CHECK_EQ(r.diag.msg[0].code, IK_E082);
  CHECK_STR(ik_buf_text(&r.diag.msg[0].text), "there is no machine 'wse3'");
  CHECK_STR(ik_buf_text(&r.diag.msg[0].help), "did you mean 'wse2'?");
  end_reading(&r);
  CHECK_EQ(find(&r, "a machine of the future"), IK_ERR_SOURCE);
  CHECK_STR(ik_buf_text(&r.diag.msg[0].help), "`ikat machine list` shows them all");
  end_reading(&r);
}

CASE(lines_of_a_model_are_told_from_others) {
  static const char text[] = "title = \"x\"\nmodel.a = 1\n# model.b\n\nmodel.c = 2";
  ik_buf            model = {0}, others = {0};
  ik_machine_lines(text, true, &model), ik_machine_lines(text, false, &others);
  CHECK_STR(ik_buf_text(&model), "model.a = 1\nmodel.c = 2");
  CHECK_STR(ik_buf_text(&others), "title = \"x\"\n# model.b\n\n");
  ik_buf_free(&model), ik_buf_free(&others);
}

CASE(this_machine_is_found) {
  reading r;
  CHECK_EQ(find(&r, "local"), IK_OK);
  CHECK(r.machine && ik_machine_text(r.machine, "title"));
  end_reading(&r);
}
