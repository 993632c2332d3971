/* hdiff
 *
 * program hdiff
 * plan sweep: 1 step, tile all x 16 x all, 4 rows x 1 vector of 32 bytes
 * made by ikat 0.1.0 */
#define IK_LANES 8
#define IK_VECTOR_BYTES 32
#include "kernel.h"
#include "simd.h"

/* lap: 4 planes x 1 row x 1 vector at a time */
void ikat_p0_k0(const ik_kernel_call *c) {
  const float *in_m1 = c->in[0];
  const float *in = c->in[1];
  const float *in_p1 = c->in[2];
  const float *in_p2 = c->in[3];
  const float *in_p3 = c->in[4];
  const float *in_p4 = c->in[5];
  float *out_lap = c->out[0];
  float *out_lap_p1 = c->out[1];
  float *out_lap_p2 = c->out[2];
  float *out_lap_p3 = c->out[3];
  const int64_t x0 = c->x0;
  const int64_t x1 = c->x1;
  const int64_t y0 = c->y0;
  const int64_t y1 = c->y1;
  const ik_f32 k0 = ik_set_f32(4.0f);
  for (int64_t y = y0; y < y1; y += 1) {
    int64_t x = x0;
    for (; x + 8 <= x1; x += 8) {
      const float *in_m1_at = &in_m1[y * 1200 + x];
      const float *in_at = &in[y * 1200 + x];
      const float *in_p1_at = &in_p1[y * 1200 + x];
      const float *in_p2_at = &in_p2[y * 1200 + x];
      const float *in_p3_at = &in_p3[y * 1200 + x];
      const float *in_p4_at = &in_p4[y * 1200 + x];
      float *out_lap_at = &out_lap[y * 64 + x];
      float *out_lap_p1_at = &out_lap_p1[y * 64 + x];
      float *out_lap_p2_at = &out_lap_p2[y * 64 + x];
      float *out_lap_p3_at = &out_lap_p3[y * 64 + x];
      const ik_f32 in_y0_x0 = ik_ld_f32(&in_at[0]);
      const ik_f32 t0 = ik_mul_f32(k0, in_y0_x0);
      const ik_f32 in_y0_x1 = ik_ld_f32(&in_at[1]);
      const ik_f32 in_y0_xm1 = ik_ld_f32(&in_at[-1]);
      const ik_f32 t1 = ik_add_f32(in_y0_x1, in_y0_xm1);
      const ik_f32 in_p1_y0_x0 = ik_ld_f32(&in_p1_at[0]);
      const ik_f32 t2 = ik_add_f32(t1, in_p1_y0_x0);
      const ik_f32 t4 = ik_mul_f32(k0, in_p1_y0_x0);
      const ik_f32 in_m1_y0_x0 = ik_ld_f32(&in_m1_at[0]);
      const ik_f32 t3 = ik_add_f32(t2, in_m1_y0_x0);
      const ik_f32 in_p1_y0_x1 = ik_ld_f32(&in_p1_at[1]);
      const ik_f32 in_p1_y0_xm1 = ik_ld_f32(&in_p1_at[-1]);
      const ik_f32 t5 = ik_add_f32(in_p1_y0_x1, in_p1_y0_xm1);
      const ik_f32 lap_z0_y0_x0 = ik_sub_f32(t0, t3);
      ik_st_f32(&out_lap_at[0], lap_z0_y0_x0);
      const ik_f32 in_p2_y0_x0 = ik_ld_f32(&in_p2_at[0]);
      const ik_f32 t6 = ik_add_f32(t5, in_p2_y0_x0);
      const ik_f32 t8 = ik_mul_f32(k0, in_p2_y0_x0);
      const ik_f32 t7 = ik_add_f32(t6, in_y0_x0);
      const ik_f32 in_p2_y0_x1 = ik_ld_f32(&in_p2_at[1]);
      const ik_f32 in_p2_y0_xm1 = ik_ld_f32(&in_p2_at[-1]);
      const ik_f32 t9 = ik_add_f32(in_p2_y0_x1, in_p2_y0_xm1);
      const ik_f32 lap_z1_y0_x0 = ik_sub_f32(t4, t7);
      ik_st_f32(&out_lap_p1_at[0], lap_z1_y0_x0);
      const ik_f32 in_p3_y0_x0 = ik_ld_f32(&in_p3_at[0]);
      const ik_f32 t10 = ik_add_f32(t9, in_p3_y0_x0);
      const ik_f32 t12 = ik_mul_f32(k0, in_p3_y0_x0);
      const ik_f32 t11 = ik_add_f32(t10, in_p1_y0_x0);
      const ik_f32 in_p3_y0_x1 = ik_ld_f32(&in_p3_at[1]);
      const ik_f32 in_p3_y0_xm1 = ik_ld_f32(&in_p3_at[-1]);
      const ik_f32 t13 = ik_add_f32(in_p3_y0_x1, in_p3_y0_xm1);
      const ik_f32 lap_z2_y0_x0 = ik_sub_f32(t8, t11);
      ik_st_f32(&out_lap_p2_at[0], lap_z2_y0_x0);
      const ik_f32 in_p4_y0_x0 = ik_ld_f32(&in_p4_at[0]);
      const ik_f32 t14 = ik_add_f32(t13, in_p4_y0_x0);
      const ik_f32 t15 = ik_add_f32(t14, in_p2_y0_x0);
      const ik_f32 lap_z3_y0_x0 = ik_sub_f32(t12, t15);
      ik_st_f32(&out_lap_p3_at[0], lap_z3_y0_x0);
    }
    if (x < x1) {
      const int n = (int)(x1 - x);
      const float *in_m1_at = &in_m1[y * 1200 + x];
      const float *in_at = &in[y * 1200 + x];
      const float *in_p1_at = &in_p1[y * 1200 + x];
      const float *in_p2_at = &in_p2[y * 1200 + x];
      const float *in_p3_at = &in_p3[y * 1200 + x];
      const float *in_p4_at = &in_p4[y * 1200 + x];
      float *out_lap_at = &out_lap[y * 64 + x];
      float *out_lap_p1_at = &out_lap_p1[y * 64 + x];
      float *out_lap_p2_at = &out_lap_p2[y * 64 + x];
      float *out_lap_p3_at = &out_lap_p3[y * 64 + x];
      const ik_f32 in_y0_x0 = ik_ld_f32(&in_at[0]);
      const ik_f32 t0 = ik_mul_f32(k0, in_y0_x0);
      const ik_f32 in_y0_x1 = ik_ld_f32(&in_at[1]);
      const ik_f32 in_y0_xm1 = ik_ld_f32(&in_at[-1]);
      const ik_f32 t1 = ik_add_f32(in_y0_x1, in_y0_xm1);
      const ik_f32 in_p1_y0_x0 = ik_ld_f32(&in_p1_at[0]);
      const ik_f32 t2 = ik_add_f32(t1, in_p1_y0_x0);
      const ik_f32 t4 = ik_mul_f32(k0, in_p1_y0_x0);
      const ik_f32 in_m1_y0_x0 = ik_ld_f32(&in_m1_at[0]);
      const ik_f32 t3 = ik_add_f32(t2, in_m1_y0_x0);
      const ik_f32 in_p1_y0_x1 = ik_ld_f32(&in_p1_at[1]);
      const ik_f32 in_p1_y0_xm1 = ik_ld_f32(&in_p1_at[-1]);
      const ik_f32 t5 = ik_add_f32(in_p1_y0_x1, in_p1_y0_xm1);
      const ik_f32 lap_z0_y0_x0 = ik_sub_f32(t0, t3);
      ik_stn_f32(&out_lap_at[0], lap_z0_y0_x0, n);
      const ik_f32 in_p2_y0_x0 = ik_ld_f32(&in_p2_at[0]);
      const ik_f32 t6 = ik_add_f32(t5, in_p2_y0_x0);
      const ik_f32 t8 = ik_mul_f32(k0, in_p2_y0_x0);
      const ik_f32 t7 = ik_add_f32(t6, in_y0_x0);
      const ik_f32 in_p2_y0_x1 = ik_ld_f32(&in_p2_at[1]);
      const ik_f32 in_p2_y0_xm1 = ik_ld_f32(&in_p2_at[-1]);
      const ik_f32 t9 = ik_add_f32(in_p2_y0_x1, in_p2_y0_xm1);
      const ik_f32 lap_z1_y0_x0 = ik_sub_f32(t4, t7);
      ik_stn_f32(&out_lap_p1_at[0], lap_z1_y0_x0, n);
      const ik_f32 in_p3_y0_x0 = ik_ld_f32(&in_p3_at[0]);
      const ik_f32 t10 = ik_add_f32(t9, in_p3_y0_x0);
      const ik_f32 t12 = ik_mul_f32(k0, in_p3_y0_x0);
      const ik_f32 t11 = ik_add_f32(t10, in_p1_y0_x0);
      const ik_f32 in_p3_y0_x1 = ik_ld_f32(&in_p3_at[1]);
      const ik_f32 in_p3_y0_xm1 = ik_ld_f32(&in_p3_at[-1]);
      const ik_f32 t13 = ik_add_f32(in_p3_y0_x1, in_p3_y0_xm1);
      const ik_f32 lap_z2_y0_x0 = ik_sub_f32(t8, t11);
      ik_stn_f32(&out_lap_p2_at[0], lap_z2_y0_x0, n);
      const ik_f32 in_p4_y0_x0 = ik_ld_f32(&in_p4_at[0]);
      const ik_f32 t14 = ik_add_f32(t13, in_p4_y0_x0);
      const ik_f32 t15 = ik_add_f32(t14, in_p2_y0_x0);
      const ik_f32 lap_z3_y0_x0 = ik_sub_f32(t12, t15);
      ik_stn_f32(&out_lap_p3_at[0], lap_z3_y0_x0, n);
    }
  }
}

void ikat_p0_k0_one(const ik_kernel_call *c) {
  const float *in_m1 = c->in[0];
  const float *in = c->in[1];
  const float *in_p1 = c->in[2];
  float *out_lap = c->out[0];
  const int64_t x0 = c->x0;
  const int64_t x1 = c->x1;
  const int64_t y0 = c->y0;
  const int64_t y1 = c->y1;
  const ik_f32 k0 = ik_set_f32(4.0f);
  for (int64_t y = y0; y < y1; y += 1) {
    int64_t x = x0;
    for (; x + 8 <= x1; x += 8) {
      const float *in_m1_at = &in_m1[y * 1200 + x];
      const float *in_at = &in[y * 1200 + x];
      const float *in_p1_at = &in_p1[y * 1200 + x];
      float *out_lap_at = &out_lap[y * 64 + x];
      const ik_f32 in_y0_x0 = ik_ld_f32(&in_at[0]);
      const ik_f32 t0 = ik_mul_f32(k0, in_y0_x0);
      const ik_f32 in_y0_x1 = ik_ld_f32(&in_at[1]);
      const ik_f32 in_y0_xm1 = ik_ld_f32(&in_at[-1]);
      const ik_f32 t1 = ik_add_f32(in_y0_x1, in_y0_xm1);
      const ik_f32 in_p1_y0_x0 = ik_ld_f32(&in_p1_at[0]);
      const ik_f32 t2 = ik_add_f32(t1, in_p1_y0_x0);
      const ik_f32 in_m1_y0_x0 = ik_ld_f32(&in_m1_at[0]);
      const ik_f32 t3 = ik_add_f32(t2, in_m1_y0_x0);
      const ik_f32 lap_y0_x0 = ik_sub_f32(t0, t3);
      ik_st_f32(&out_lap_at[0], lap_y0_x0);
    }
    if (x < x1) {
      const int n = (int)(x1 - x);
      const float *in_m1_at = &in_m1[y * 1200 + x];
      const float *in_at = &in[y * 1200 + x];
      const float *in_p1_at = &in_p1[y * 1200 + x];
      float *out_lap_at = &out_lap[y * 64 + x];
      const ik_f32 in_y0_x0 = ik_ld_f32(&in_at[0]);
      const ik_f32 t0 = ik_mul_f32(k0, in_y0_x0);
      const ik_f32 in_y0_x1 = ik_ld_f32(&in_at[1]);
      const ik_f32 in_y0_xm1 = ik_ld_f32(&in_at[-1]);
      const ik_f32 t1 = ik_add_f32(in_y0_x1, in_y0_xm1);
      const ik_f32 in_p1_y0_x0 = ik_ld_f32(&in_p1_at[0]);
      const ik_f32 t2 = ik_add_f32(t1, in_p1_y0_x0);
      const ik_f32 in_m1_y0_x0 = ik_ld_f32(&in_m1_at[0]);
      const ik_f32 t3 = ik_add_f32(t2, in_m1_y0_x0);
      const ik_f32 lap_y0_x0 = ik_sub_f32(t0, t3);
      ik_stn_f32(&out_lap_at[0], lap_y0_x0, n);
    }
  }
}

/* out: 4 planes x 1 row x 1 vector at a time */
void ikat_p0_k1(const ik_kernel_call *c) {
  const float *in = c->in[0];
  const float *in_p1 = c->in[1];
  const float *in_p2 = c->in[2];
  const float *in_p3 = c->in[3];
  const float *lap_m1 = c->in[4];
  const float *lap = c->in[5];
  const float *lap_p1 = c->in[6];
  const float *lap_p2 = c->in[7];
  const float *lap_p3 = c->in[8];
  const float *lap_p4 = c->in[9];
  float *out_out = c->out[0];
  float *out_out_p1 = c->out[1];
  float *out_out_p2 = c->out[2];
  float *out_out_p3 = c->out[3];
  const int64_t x0 = c->x0;
  const int64_t x1 = c->x1;
  const int64_t y0 = c->y0;
  const int64_t y1 = c->y1;
  const ik_f32 k0 = ik_set_f32(0.025f);
  for (int64_t y = y0; y < y1; y += 1) {
    int64_t x = x0;
    for (; x + 8 <= x1; x += 8) {
      const float *in_at = &in[y * 1200 + x];
      const float *in_p1_at = &in_p1[y * 1200 + x];
      const float *in_p2_at = &in_p2[y * 1200 + x];
      const float *in_p3_at = &in_p3[y * 1200 + x];
      const float *lap_m1_at = &lap_m1[y * 64 + x];
      const float *lap_at = &lap[y * 64 + x];
      const float *lap_p1_at = &lap_p1[y * 64 + x];
      const float *lap_p2_at = &lap_p2[y * 64 + x];
      const float *lap_p3_at = &lap_p3[y * 64 + x];
      const float *lap_p4_at = &lap_p4[y * 64 + x];
      float *out_out_at = &out_out[y * 1200 + x];
      float *out_out_p1_at = &out_out_p1[y * 1200 + x];
      float *out_out_p2_at = &out_out_p2[y * 1200 + x];
      float *out_out_p3_at = &out_out_p3[y * 1200 + x];
      const ik_f32 lap_y0_x1 = ik_ld_f32(&lap_at[1]);
      const ik_f32 lap_y0_x0 = ik_ld_f32(&lap_at[0]);
      const ik_f32 t0 = ik_sub_f32(lap_y0_x1, lap_y0_x0);
      const ik_f32 lap_y0_xm1 = ik_ld_f32(&lap_at[-1]);
      const ik_f32 t1 = ik_sub_f32(lap_y0_x0, lap_y0_xm1);
      const ik_f32 t2 = ik_sub_f32(t0, t1);
      const ik_f32 lap_m1_y0_x0 = ik_ld_f32(&lap_m1_at[0]);
      const ik_f32 t5 = ik_sub_f32(lap_y0_x0, lap_m1_y0_x0);
      const ik_f32 lap_p1_y0_x0 = ik_ld_f32(&lap_p1_at[0]);
      const ik_f32 t3 = ik_sub_f32(lap_p1_y0_x0, lap_y0_x0);
      const ik_f32 lap_p1_y0_x1 = ik_ld_f32(&lap_p1_at[1]);
      const ik_f32 t8 = ik_sub_f32(lap_p1_y0_x1, lap_p1_y0_x0);
      const ik_f32 t4 = ik_add_f32(t2, t3);
      const ik_f32 lap_p1_y0_xm1 = ik_ld_f32(&lap_p1_at[-1]);
      const ik_f32 t9 = ik_sub_f32(lap_p1_y0_x0, lap_p1_y0_xm1);
      const ik_f32 t6 = ik_sub_f32(t4, t5);
      const ik_f32 t10 = ik_sub_f32(t8, t9);
      const ik_f32 t7 = ik_mul_f32(k0, t6);
      const ik_f32 in_y0_x0 = ik_ld_f32(&in_at[0]);
      const ik_f32 out_z0_y0_x0 = ik_sub_f32(in_y0_x0, t7);
      ik_st_f32(&out_out_at[0], out_z0_y0_x0);
      const ik_f32 lap_p2_y0_x0 = ik_ld_f32(&lap_p2_at[0]);
      const ik_f32 t11 = ik_sub_f32(lap_p2_y0_x0, lap_p1_y0_x0);
      const ik_f32 lap_p2_y0_x1 = ik_ld_f32(&lap_p2_at[1]);
      const ik_f32 t15 = ik_sub_f32(lap_p2_y0_x1, lap_p2_y0_x0);
      const ik_f32 t12 = ik_add_f32(t10, t11);
      const ik_f32 lap_p2_y0_xm1 = ik_ld_f32(&lap_p2_at[-1]);
      const ik_f32 t16 = ik_sub_f32(lap_p2_y0_x0, lap_p2_y0_xm1);
      const ik_f32 t13 = ik_sub_f32(t12, t3);
      const ik_f32 t17 = ik_sub_f32(t15, t16);
      const ik_f32 t14 = ik_mul_f32(k0, t13);
      const ik_f32 in_p1_y0_x0 = ik_ld_f32(&in_p1_at[0]);
      const ik_f32 out_z1_y0_x0 = ik_sub_f32(in_p1_y0_x0, t14);
      ik_st_f32(&out_out_p1_at[0], out_z1_y0_x0);
      const ik_f32 lap_p3_y0_x0 = ik_ld_f32(&lap_p3_at[0]);
      const ik_f32 t18 = ik_sub_f32(lap_p3_y0_x0, lap_p2_y0_x0);
      const ik_f32 lap_p3_y0_x1 = ik_ld_f32(&lap_p3_at[1]);
      const ik_f32 t22 = ik_sub_f32(lap_p3_y0_x1, lap_p3_y0_x0);
      const ik_f32 t19 = ik_add_f32(t17, t18);
      const ik_f32 lap_p3_y0_xm1 = ik_ld_f32(&lap_p3_at[-1]);
      const ik_f32 t23 = ik_sub_f32(lap_p3_y0_x0, lap_p3_y0_xm1);
      const ik_f32 t20 = ik_sub_f32(t19, t11);
      const ik_f32 t24 = ik_sub_f32(t22, t23);
      const ik_f32 t21 = ik_mul_f32(k0, t20);
      const ik_f32 in_p2_y0_x0 = ik_ld_f32(&in_p2_at[0]);
      const ik_f32 out_z2_y0_x0 = ik_sub_f32(in_p2_y0_x0, t21);
      ik_st_f32(&out_out_p2_at[0], out_z2_y0_x0);
      const ik_f32 lap_p4_y0_x0 = ik_ld_f32(&lap_p4_at[0]);
      const ik_f32 t25 = ik_sub_f32(lap_p4_y0_x0, lap_p3_y0_x0);
      const ik_f32 t26 = ik_add_f32(t24, t25);
      const ik_f32 t27 = ik_sub_f32(t26, t18);
      const ik_f32 t28 = ik_mul_f32(k0, t27);
      const ik_f32 in_p3_y0_x0 = ik_ld_f32(&in_p3_at[0]);
      const ik_f32 out_z3_y0_x0 = ik_sub_f32(in_p3_y0_x0, t28);
      ik_st_f32(&out_out_p3_at[0], out_z3_y0_x0);
      ik_prefetch(&in_at[320]);
      ik_prefetch(&in_p1_at[320]);
      ik_prefetch(&in_p2_at[320]);
      ik_prefetch(&in_p3_at[320]);
    }
    if (x < x1) {
      const int n = (int)(x1 - x);
      const float *in_at = &in[y * 1200 + x];
      const float *in_p1_at = &in_p1[y * 1200 + x];
      const float *in_p2_at = &in_p2[y * 1200 + x];
      const float *in_p3_at = &in_p3[y * 1200 + x];
      const float *lap_m1_at = &lap_m1[y * 64 + x];
      const float *lap_at = &lap[y * 64 + x];
      const float *lap_p1_at = &lap_p1[y * 64 + x];
      const float *lap_p2_at = &lap_p2[y * 64 + x];
      const float *lap_p3_at = &lap_p3[y * 64 + x];
      const float *lap_p4_at = &lap_p4[y * 64 + x];
      float *out_out_at = &out_out[y * 1200 + x];
      float *out_out_p1_at = &out_out_p1[y * 1200 + x];
      float *out_out_p2_at = &out_out_p2[y * 1200 + x];
      float *out_out_p3_at = &out_out_p3[y * 1200 + x];
      const ik_f32 lap_y0_x1 = ik_ld_f32(&lap_at[1]);
      const ik_f32 lap_y0_x0 = ik_ld_f32(&lap_at[0]);
      const ik_f32 t0 = ik_sub_f32(lap_y0_x1, lap_y0_x0);
      const ik_f32 lap_y0_xm1 = ik_ld_f32(&lap_at[-1]);
      const ik_f32 t1 = ik_sub_f32(lap_y0_x0, lap_y0_xm1);
      const ik_f32 t2 = ik_sub_f32(t0, t1);
      const ik_f32 lap_m1_y0_x0 = ik_ld_f32(&lap_m1_at[0]);
      const ik_f32 t5 = ik_sub_f32(lap_y0_x0, lap_m1_y0_x0);
      const ik_f32 lap_p1_y0_x0 = ik_ld_f32(&lap_p1_at[0]);
      const ik_f32 t3 = ik_sub_f32(lap_p1_y0_x0, lap_y0_x0);
      const ik_f32 lap_p1_y0_x1 = ik_ld_f32(&lap_p1_at[1]);
      const ik_f32 t8 = ik_sub_f32(lap_p1_y0_x1, lap_p1_y0_x0);
      const ik_f32 t4 = ik_add_f32(t2, t3);
      const ik_f32 lap_p1_y0_xm1 = ik_ld_f32(&lap_p1_at[-1]);
      const ik_f32 t9 = ik_sub_f32(lap_p1_y0_x0, lap_p1_y0_xm1);
      const ik_f32 t6 = ik_sub_f32(t4, t5);
      const ik_f32 t10 = ik_sub_f32(t8, t9);
      const ik_f32 t7 = ik_mul_f32(k0, t6);
      const ik_f32 in_y0_x0 = ik_ld_f32(&in_at[0]);
      const ik_f32 out_z0_y0_x0 = ik_sub_f32(in_y0_x0, t7);
      ik_stn_f32(&out_out_at[0], out_z0_y0_x0, n);
      const ik_f32 lap_p2_y0_x0 = ik_ld_f32(&lap_p2_at[0]);
      const ik_f32 t11 = ik_sub_f32(lap_p2_y0_x0, lap_p1_y0_x0);
      const ik_f32 lap_p2_y0_x1 = ik_ld_f32(&lap_p2_at[1]);
      const ik_f32 t15 = ik_sub_f32(lap_p2_y0_x1, lap_p2_y0_x0);
      const ik_f32 t12 = ik_add_f32(t10, t11);
      const ik_f32 lap_p2_y0_xm1 = ik_ld_f32(&lap_p2_at[-1]);
      const ik_f32 t16 = ik_sub_f32(lap_p2_y0_x0, lap_p2_y0_xm1);
      const ik_f32 t13 = ik_sub_f32(t12, t3);
      const ik_f32 t17 = ik_sub_f32(t15, t16);
      const ik_f32 t14 = ik_mul_f32(k0, t13);
      const ik_f32 in_p1_y0_x0 = ik_ld_f32(&in_p1_at[0]);
      const ik_f32 out_z1_y0_x0 = ik_sub_f32(in_p1_y0_x0, t14);
      ik_stn_f32(&out_out_p1_at[0], out_z1_y0_x0, n);
      const ik_f32 lap_p3_y0_x0 = ik_ld_f32(&lap_p3_at[0]);
      const ik_f32 t18 = ik_sub_f32(lap_p3_y0_x0, lap_p2_y0_x0);
      const ik_f32 lap_p3_y0_x1 = ik_ld_f32(&lap_p3_at[1]);
      const ik_f32 t22 = ik_sub_f32(lap_p3_y0_x1, lap_p3_y0_x0);
      const ik_f32 t19 = ik_add_f32(t17, t18);
      const ik_f32 lap_p3_y0_xm1 = ik_ld_f32(&lap_p3_at[-1]);
      const ik_f32 t23 = ik_sub_f32(lap_p3_y0_x0, lap_p3_y0_xm1);
      const ik_f32 t20 = ik_sub_f32(t19, t11);
      const ik_f32 t24 = ik_sub_f32(t22, t23);
      const ik_f32 t21 = ik_mul_f32(k0, t20);
      const ik_f32 in_p2_y0_x0 = ik_ld_f32(&in_p2_at[0]);
      const ik_f32 out_z2_y0_x0 = ik_sub_f32(in_p2_y0_x0, t21);
      ik_stn_f32(&out_out_p2_at[0], out_z2_y0_x0, n);
      const ik_f32 lap_p4_y0_x0 = ik_ld_f32(&lap_p4_at[0]);
      const ik_f32 t25 = ik_sub_f32(lap_p4_y0_x0, lap_p3_y0_x0);
      const ik_f32 t26 = ik_add_f32(t24, t25);
      const ik_f32 t27 = ik_sub_f32(t26, t18);
      const ik_f32 t28 = ik_mul_f32(k0, t27);
      const ik_f32 in_p3_y0_x0 = ik_ld_f32(&in_p3_at[0]);
      const ik_f32 out_z3_y0_x0 = ik_sub_f32(in_p3_y0_x0, t28);
      ik_stn_f32(&out_out_p3_at[0], out_z3_y0_x0, n);
    }
  }
}

void ikat_p0_k1_one(const ik_kernel_call *c) {
  const float *in = c->in[0];
  const float *lap_m1 = c->in[1];
  const float *lap = c->in[2];
  const float *lap_p1 = c->in[3];
  float *out_out = c->out[0];
  const int64_t x0 = c->x0;
  const int64_t x1 = c->x1;
  const int64_t y0 = c->y0;
  const int64_t y1 = c->y1;
  const ik_f32 k0 = ik_set_f32(0.025f);
  for (int64_t y = y0; y < y1; y += 1) {
    int64_t x = x0;
    for (; x + 8 <= x1; x += 8) {
      const float *in_at = &in[y * 1200 + x];
      const float *lap_m1_at = &lap_m1[y * 64 + x];
      const float *lap_at = &lap[y * 64 + x];
      const float *lap_p1_at = &lap_p1[y * 64 + x];
      float *out_out_at = &out_out[y * 1200 + x];
      const ik_f32 lap_y0_x1 = ik_ld_f32(&lap_at[1]);
      const ik_f32 lap_y0_x0 = ik_ld_f32(&lap_at[0]);
      const ik_f32 t0 = ik_sub_f32(lap_y0_x1, lap_y0_x0);
      const ik_f32 lap_y0_xm1 = ik_ld_f32(&lap_at[-1]);
      const ik_f32 t1 = ik_sub_f32(lap_y0_x0, lap_y0_xm1);
      const ik_f32 t2 = ik_sub_f32(t0, t1);
      const ik_f32 lap_m1_y0_x0 = ik_ld_f32(&lap_m1_at[0]);
      const ik_f32 t5 = ik_sub_f32(lap_y0_x0, lap_m1_y0_x0);
      const ik_f32 lap_p1_y0_x0 = ik_ld_f32(&lap_p1_at[0]);
      const ik_f32 t3 = ik_sub_f32(lap_p1_y0_x0, lap_y0_x0);
      const ik_f32 t4 = ik_add_f32(t2, t3);
      const ik_f32 t6 = ik_sub_f32(t4, t5);
      const ik_f32 t7 = ik_mul_f32(k0, t6);
      const ik_f32 in_y0_x0 = ik_ld_f32(&in_at[0]);
      const ik_f32 out_y0_x0 = ik_sub_f32(in_y0_x0, t7);
      ik_st_f32(&out_out_at[0], out_y0_x0);
      ik_prefetch(&in_at[320]);
    }
    if (x < x1) {
      const int n = (int)(x1 - x);
      const float *in_at = &in[y * 1200 + x];
      const float *lap_m1_at = &lap_m1[y * 64 + x];
      const float *lap_at = &lap[y * 64 + x];
      const float *lap_p1_at = &lap_p1[y * 64 + x];
      float *out_out_at = &out_out[y * 1200 + x];
      const ik_f32 lap_y0_x1 = ik_ld_f32(&lap_at[1]);
      const ik_f32 lap_y0_x0 = ik_ld_f32(&lap_at[0]);
      const ik_f32 t0 = ik_sub_f32(lap_y0_x1, lap_y0_x0);
      const ik_f32 lap_y0_xm1 = ik_ld_f32(&lap_at[-1]);
      const ik_f32 t1 = ik_sub_f32(lap_y0_x0, lap_y0_xm1);
      const ik_f32 t2 = ik_sub_f32(t0, t1);
      const ik_f32 lap_m1_y0_x0 = ik_ld_f32(&lap_m1_at[0]);
      const ik_f32 t5 = ik_sub_f32(lap_y0_x0, lap_m1_y0_x0);
      const ik_f32 lap_p1_y0_x0 = ik_ld_f32(&lap_p1_at[0]);
      const ik_f32 t3 = ik_sub_f32(lap_p1_y0_x0, lap_y0_x0);
      const ik_f32 t4 = ik_add_f32(t2, t3);
      const ik_f32 t6 = ik_sub_f32(t4, t5);
      const ik_f32 t7 = ik_mul_f32(k0, t6);
      const ik_f32 in_y0_x0 = ik_ld_f32(&in_at[0]);
      const ik_f32 out_y0_x0 = ik_sub_f32(in_y0_x0, t7);
      ik_stn_f32(&out_out_at[0], out_y0_x0, n);
    }
  }
}
