#include "targets/simulated/nero/board.h"
#include "targets/simulated/nero/stream.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

static const struct figure {
  const char *key, *unit;
  size_t      at;       /* in the board */
  bool        optional; /* 0 without */
} figures[] = {
    {"clock", "Hz", offsetof(ik_nero_board, clock), false},
    {"port.width", "bit", offsetof(ik_nero_board, port_bits), false},
    {"elements", "", offsetof(ik_nero_board, elements), false},
    {"channel", "B/s", offsetof(ik_nero_board, channel), true},
    {"sweep.channel", "B/s", offsetof(ik_nero_board, sweep_channel), true},
    {"host.bandwidth", "B/s", offsetof(ik_nero_board, link), false},
    {"memory.size", "B", offsetof(ik_nero_board, memory), false},
    {"memory.stacks", "", offsetof(ik_nero_board, stacks), true},
    {"memory.stacks_used", "", offsetof(ik_nero_board, stacks_used), true},
    {"window.start", "cycles", offsetof(ik_nero_board, start), false},
    {"sweep.stall", "cycles", offsetof(ik_nero_board, sweep_stall), false},
    {"sweep.latency", "cycles", offsetof(ik_nero_board, sweep_latency), false},
    {"power.stencil", "W", offsetof(ik_nero_board, power), true},
    {"power.sweep", "W", offsetof(ik_nero_board, sweep_power), true},
    {"fpga.fill", "", offsetof(ik_nero_board, fill), false},
    {"fpga.bram", "blocks", offsetof(ik_nero_board, has.of[IK_NERO_BRAM]), false},
    {"fpga.uram", "blocks", offsetof(ik_nero_board, has.of[IK_NERO_URAM]), false},
    {"fpga.dsp", "", offsetof(ik_nero_board, has.of[IK_NERO_DSP]), false},
    {"fpga.lut", "", offsetof(ik_nero_board, has.of[IK_NERO_LUT]), false},
    {"fpga.ff", "", offsetof(ik_nero_board, has.of[IK_NERO_FF]), false},
    {"base.bram", "blocks", offsetof(ik_nero_board, base.of[IK_NERO_BRAM]), false},
    {"base.uram", "blocks", offsetof(ik_nero_board, base.of[IK_NERO_URAM]), false},
    {"dsp.mul", "", offsetof(ik_nero_board, dsp_mul), false},
    {"dsp.div", "", offsetof(ik_nero_board, dsp_div), false},
    {"lut.op", "", offsetof(ik_nero_board, lut_op), false},
    {"ff.op", "", offsetof(ik_nero_board, ff_op), false},
    {"lut.control", "", offsetof(ik_nero_board, lut_control), false},
    {"ff.control", "", offsetof(ik_nero_board, ff_control), false},
};

enum { FIGURES = sizeof figures / sizeof *figures };

/* A word of a stream arrives in whole beats of the port, each of whole bytes. */
static ik_status refuse_port(const ik_nero_board *b, ik_diag *d) {
  double word = 8 * IK_NERO_WORD;
  if (b->port_bits >= 8 && b->port_bits <= word && fmod(word, b->port_bits) == 0) return IK_OK;
  return ik_fail(d, IK_ERR_UNSUPPORTED, IK_E082, IK_NOSPAN,
                 "a port of %g bit cannot be simulated: port.width is 8, 16, 32 ... up to %g bit",
                 b->port_bits, word);
}

ik_status ik_nero_board_of(const ik_machine *m, ik_diag *d, ik_nero_board *out) {
  *out = (ik_nero_board){.machine = m, .title = ik_machine_text(m, "title")};
  for (int i = 0; i < FIGURES; i++) {
    double *to = (double *)((char *)out + figures[i].at);
    if (ik_machine_number(m, figures[i].key, figures[i].unit, to) || figures[i].optional) continue;
    return ik_fail(d, IK_ERR_UNSUPPORTED, IK_E082, IK_NOSPAN,
                   "the machine '%s' is not a board of NERO: it has no figure '%s'", m->name,
                   figures[i].key);
  }
  return refuse_port(out, d);
}

void ik_nero_board_constants(const ik_nero_board *b, ik_buf *out) {
  for (int i = 0; i < FIGURES; i++) {
    const ik_figure *f = ik_machine_get(b->machine, figures[i].key);
    if (!f || (f->label != 'C' && f->label != 'A')) continue;
    ik_buf_printf(out, "%s = %s%s%s, %s: %s\n", f->key, f->value, *f->unit ? " " : "", f->unit,
                  f->label == 'C' ? "calibrated on" : "assumed", f->source ? f->source : "");
  }
}

const char *ik_nero_resource_name(ik_nero_resource r) {
  static const char *const names[] = {"BRAM", "URAM", "DSP", "LUT", "FF"};
  return names[r];
}
