#include "apps/design/power.h"

double ik_power_step(const ik_power_model *m, const ik_hex_problem *p, const ik_hex_tile *t) {
  double iterations = (double)p->s[0];
  double pitch = (double)ik_hex_pitch_of(t, IK_HEX_PITCH_EXACT);
  for (int i = 1; i < p->dims; i++) iterations *= (double)p->s[i] + t->t;
  double volume = (double)ik_hex_row(p->dims, t, 1) * t->t / 2 * pitch;
  double moved = iterations / volume * (double)(ik_hex_moved(p->dims, t) * ik_hex_words(p));
  return iterations * p->iter_s * m->unit_w + moved * m->word_j;
}

double ik_power_energy(const ik_power_model *m, const ik_hex_problem *p, const ik_hex_tile *t,
                       double area_mm2, double time_s) {
  return m->static_w_mm2 * area_mm2 * time_s + (double)p->steps * ik_power_step(m, p, t);
}
