/* hdiff
 *
 * program hdiff
 * plan sweep: 1 step, tile all x 16 x all, 4 rows x 1 vector of 32 bytes
 * made by ikat 0.1.0 */
#define IK_LANES 8
#define IK_VECTOR_BYTES 32
#include "kernel.h"
#include "simd.h"

/* lap: 1 plane x 4 rows x 1 vector at a time */
void ikat_p0_k0(const ik_kernel_call *c) {
  const float *in = c->in[0];
  float *out_lap = c->out[0];
  const int64_t x0 = c->x0;
  const int64_t split = c->split;
  const int64_t x1 = c->x1;
  const int64_t y0 = c->y0;
  const int64_t y1 = c->y1;
  const int64_t z = c->z;
  const ik_f32 k0 = ik_set_f32(4.0f);
  for (int64_t top = y0; top < y1; top += 4) {
    const int64_t rows = y1 - top < 4 ? y1 - top : 4;
    int64_t from = split;
    if (rows == 4) {
      const int64_t y = top;
      int64_t x = split;
      for (; x + 8 <= x1; x += 8) {
        const float *in_at = &in[y * 40 + x];
        float *out_lap_at = &out_lap[y * 48 + x];
        const ik_f32 in_y0_x0 = ik_ld_f32(&in_at[0]);
        const ik_f32 t0 = ik_mul_f32(k0, in_y0_x0);
        const ik_f32 in_y0_x1 = ik_ld_f32(&in_at[1]);
        const ik_f32 in_y0_xm1 = ik_ld_f32(&in_at[-1]);
        const ik_f32 t1 = ik_add_f32(in_y0_x1, in_y0_xm1);
        const ik_f32 in_y1_x0 = ik_ld_f32(&in_at[40]);
        const ik_f32 t2 = ik_add_f32(t1, in_y1_x0);
        const ik_f32 t4 = ik_mul_f32(k0, in_y1_x0);
        const ik_f32 in_ym1_x0 = ik_ld_f32(&in_at[-40]);
        const ik_f32 t3 = ik_add_f32(t2, in_ym1_x0);
        const ik_f32 in_y1_x1 = ik_ld_f32(&in_at[40 + 1]);
        const ik_f32 in_y1_xm1 = ik_ld_f32(&in_at[40 - 1]);
        const ik_f32 t5 = ik_add_f32(in_y1_x1, in_y1_xm1);
        const ik_f32 lap_y0_x0 = ik_sub_f32(t0, t3);
        ik_st_f32(&out_lap_at[0], lap_y0_x0);
        const ik_f32 in_y2_x0 = ik_ld_f32(&in_at[2 * 40]);
        const ik_f32 t6 = ik_add_f32(t5, in_y2_x0);
        const ik_f32 t8 = ik_mul_f32(k0, in_y2_x0);
        const ik_f32 t7 = ik_add_f32(t6, in_y0_x0);
        const ik_f32 in_y2_x1 = ik_ld_f32(&in_at[2 * 40 + 1]);
        const ik_f32 in_y2_xm1 = ik_ld_f32(&in_at[2 * 40 - 1]);
        const ik_f32 t9 = ik_add_f32(in_y2_x1, in_y2_xm1);
        const ik_f32 lap_y1_x0 = ik_sub_f32(t4, t7);
        ik_st_f32(&out_lap_at[48], lap_y1_x0);
        const ik_f32 in_y3_x0 = ik_ld_f32(&in_at[3 * 40]);
        const ik_f32 t10 = ik_add_f32(t9, in_y3_x0);
        const ik_f32 t12 = ik_mul_f32(k0, in_y3_x0);
        const ik_f32 t11 = ik_add_f32(t10, in_y1_x0);
        const ik_f32 in_y3_x1 = ik_ld_f32(&in_at[3 * 40 + 1]);
        const ik_f32 in_y3_xm1 = ik_ld_f32(&in_at[3 * 40 - 1]);
        const ik_f32 t13 = ik_add_f32(in_y3_x1, in_y3_xm1);
        const ik_f32 lap_y2_x0 = ik_sub_f32(t8, t11);
        ik_st_f32(&out_lap_at[2 * 48], lap_y2_x0);
        const ik_f32 in_y4_x0 = ik_ld_f32(&in_at[4 * 40]);
        const ik_f32 t14 = ik_add_f32(t13, in_y4_x0);
        const ik_f32 t15 = ik_add_f32(t14, in_y2_x0);
        const ik_f32 lap_y3_x0 = ik_sub_f32(t12, t15);
        ik_st_f32(&out_lap_at[3 * 48], lap_y3_x0);
      }
      from = x;
    }
    if (x0 < split || from < x1) {
      for (int64_t y = top; y < top + rows; y += 1) {
        for (int last = 0; last < 2; last += 1) {
          const int64_t end = last ? x1 : split;
          for (int64_t x = last ? from : x0; x < end; x += 8) {
            const int n = end - x < 8 ? (int)(end - x) : 8;
            const float *in_at = &in[y * 40 + x];
            float *out_lap_at = &out_lap[y * 48 + x];
            const ik_f32 in_y0_x0 = ik_ld_f32(&in_at[0]);
            const ik_f32 t0 = ik_mul_f32(k0, in_y0_x0);
            const ik_f32 in_y0_x1 = ik_ld_f32(&in_at[1]);
            const ik_f32 in_y0_xm1 = ik_ld_f32(&in_at[-1]);
            const ik_f32 t1 = ik_add_f32(in_y0_x1, in_y0_xm1);
            const ik_f32 in_y1_x0 = ik_ld_f32(&in_at[40]);
            const ik_f32 t2 = ik_add_f32(t1, in_y1_x0);
            const ik_f32 in_ym1_x0 = ik_ld_f32(&in_at[-40]);
            const ik_f32 t3 = ik_add_f32(t2, in_ym1_x0);
            const ik_f32 lap_y0_x0 = ik_sub_f32(t0, t3);
            ik_stn_f32(&out_lap_at[0], lap_y0_x0, n);
          }
        }
      }
    }
  }
}

void ikat_p0_k0_one(const ik_kernel_call *c) {
  ikat_p0_k0(c);
}

/* out: 1 plane x 4 rows x 1 vector at a time */
void ikat_p0_k1(const ik_kernel_call *c) {
  const float *in = c->in[0];
  const float *lap = c->in[1];
  float *out_out = c->out[0];
  const int64_t x0 = c->x0;
  const int64_t split = c->split;
  const int64_t x1 = c->x1;
  const int64_t y0 = c->y0;
  const int64_t y1 = c->y1;
  const int64_t z = c->z;
  const ik_f32 k0 = ik_set_f32(0.025f);
  for (int64_t top = y0; top < y1; top += 4) {
    const int64_t rows = y1 - top < 4 ? y1 - top : 4;
    int64_t from = split;
    if (rows == 4) {
      const int64_t y = top;
      int64_t x = split;
      for (; x + 8 <= x1; x += 8) {
        const float *in_at = &in[y * 40 + x];
        const float *lap_at = &lap[y * 48 + x];
        float *out_out_at = &out_out[y * 40 + x];
        const ik_f32 lap_y0_x1 = ik_ld_f32(&lap_at[1]);
        ik_prefetch(&in_at[520]);
        const ik_f32 lap_y0_x0 = ik_ld_f32(&lap_at[0]);
        const ik_f32 t0 = ik_sub_f32(lap_y0_x1, lap_y0_x0);
        const ik_f32 lap_y0_xm1 = ik_ld_f32(&lap_at[-1]);
        const ik_f32 t1 = ik_sub_f32(lap_y0_x0, lap_y0_xm1);
        const ik_f32 t2 = ik_sub_f32(t0, t1);
        const ik_f32 lap_ym1_x0 = ik_ld_f32(&lap_at[-48]);
        const ik_f32 t5 = ik_sub_f32(lap_y0_x0, lap_ym1_x0);
        const ik_f32 lap_y1_x0 = ik_ld_f32(&lap_at[48]);
        const ik_f32 t3 = ik_sub_f32(lap_y1_x0, lap_y0_x0);
        const ik_f32 lap_y1_x1 = ik_ld_f32(&lap_at[48 + 1]);
        const ik_f32 t8 = ik_sub_f32(lap_y1_x1, lap_y1_x0);
        const ik_f32 t4 = ik_add_f32(t2, t3);
        const ik_f32 lap_y1_xm1 = ik_ld_f32(&lap_at[48 - 1]);
        ik_prefetch(&in_at[560]);
        const ik_f32 t9 = ik_sub_f32(lap_y1_x0, lap_y1_xm1);
        const ik_f32 t6 = ik_sub_f32(t4, t5);
        const ik_f32 t10 = ik_sub_f32(t8, t9);
        const ik_f32 t7 = ik_mul_f32(k0, t6);
        const ik_f32 in_y0_x0 = ik_ld_f32(&in_at[0]);
        const ik_f32 out_y0_x0 = ik_sub_f32(in_y0_x0, t7);
        ik_st_f32(&out_out_at[0], out_y0_x0);
        const ik_f32 lap_y2_x0 = ik_ld_f32(&lap_at[2 * 48]);
        const ik_f32 t11 = ik_sub_f32(lap_y2_x0, lap_y1_x0);
        const ik_f32 lap_y2_x1 = ik_ld_f32(&lap_at[2 * 48 + 1]);
        const ik_f32 t15 = ik_sub_f32(lap_y2_x1, lap_y2_x0);
        const ik_f32 t12 = ik_add_f32(t10, t11);
        const ik_f32 lap_y2_xm1 = ik_ld_f32(&lap_at[2 * 48 - 1]);
        const ik_f32 t16 = ik_sub_f32(lap_y2_x0, lap_y2_xm1);
        ik_prefetch(&in_at[600]);
        const ik_f32 t13 = ik_sub_f32(t12, t3);
        const ik_f32 t17 = ik_sub_f32(t15, t16);
        const ik_f32 t14 = ik_mul_f32(k0, t13);
        const ik_f32 in_y1_x0 = ik_ld_f32(&in_at[40]);
        const ik_f32 out_y1_x0 = ik_sub_f32(in_y1_x0, t14);
        ik_st_f32(&out_out_at[40], out_y1_x0);
        const ik_f32 lap_y3_x0 = ik_ld_f32(&lap_at[3 * 48]);
        const ik_f32 t18 = ik_sub_f32(lap_y3_x0, lap_y2_x0);
        const ik_f32 lap_y3_x1 = ik_ld_f32(&lap_at[3 * 48 + 1]);
        const ik_f32 t22 = ik_sub_f32(lap_y3_x1, lap_y3_x0);
        const ik_f32 t19 = ik_add_f32(t17, t18);
        const ik_f32 lap_y3_xm1 = ik_ld_f32(&lap_at[3 * 48 - 1]);
        const ik_f32 t23 = ik_sub_f32(lap_y3_x0, lap_y3_xm1);
        const ik_f32 t20 = ik_sub_f32(t19, t11);
        ik_prefetch(&in_at[640]);
        const ik_f32 t24 = ik_sub_f32(t22, t23);
        const ik_f32 t21 = ik_mul_f32(k0, t20);
        const ik_f32 in_y2_x0 = ik_ld_f32(&in_at[2 * 40]);
        const ik_f32 out_y2_x0 = ik_sub_f32(in_y2_x0, t21);
        ik_st_f32(&out_out_at[2 * 40], out_y2_x0);
        const ik_f32 lap_y4_x0 = ik_ld_f32(&lap_at[4 * 48]);
        const ik_f32 t25 = ik_sub_f32(lap_y4_x0, lap_y3_x0);
        const ik_f32 t26 = ik_add_f32(t24, t25);
        const ik_f32 t27 = ik_sub_f32(t26, t18);
        const ik_f32 t28 = ik_mul_f32(k0, t27);
        const ik_f32 in_y3_x0 = ik_ld_f32(&in_at[3 * 40]);
        const ik_f32 out_y3_x0 = ik_sub_f32(in_y3_x0, t28);
        ik_st_f32(&out_out_at[3 * 40], out_y3_x0);
        ik_prefetch_store(&out_out_at[520]);
        ik_prefetch_store(&out_out_at[560]);
        ik_prefetch_store(&out_out_at[600]);
        ik_prefetch_store(&out_out_at[640]);
      }
      from = x;
    }
    if (x0 < split || from < x1) {
      for (int64_t y = top; y < top + rows; y += 1) {
        for (int last = 0; last < 2; last += 1) {
          const int64_t end = last ? x1 : split;
          for (int64_t x = last ? from : x0; x < end; x += 8) {
            const int n = end - x < 8 ? (int)(end - x) : 8;
            const float *in_at = &in[y * 40 + x];
            const float *lap_at = &lap[y * 48 + x];
            float *out_out_at = &out_out[y * 40 + x];
            const ik_f32 lap_y0_x1 = ik_ld_f32(&lap_at[1]);
            ik_prefetch(&in_at[520]);
            const ik_f32 lap_y0_x0 = ik_ld_f32(&lap_at[0]);
            const ik_f32 t0 = ik_sub_f32(lap_y0_x1, lap_y0_x0);
            const ik_f32 lap_y0_xm1 = ik_ld_f32(&lap_at[-1]);
            const ik_f32 t1 = ik_sub_f32(lap_y0_x0, lap_y0_xm1);
            const ik_f32 t2 = ik_sub_f32(t0, t1);
            const ik_f32 lap_ym1_x0 = ik_ld_f32(&lap_at[-48]);
            const ik_f32 t5 = ik_sub_f32(lap_y0_x0, lap_ym1_x0);
            const ik_f32 lap_y1_x0 = ik_ld_f32(&lap_at[48]);
            const ik_f32 t3 = ik_sub_f32(lap_y1_x0, lap_y0_x0);
            const ik_f32 t4 = ik_add_f32(t2, t3);
            const ik_f32 t6 = ik_sub_f32(t4, t5);
            const ik_f32 t7 = ik_mul_f32(k0, t6);
            const ik_f32 in_y0_x0 = ik_ld_f32(&in_at[0]);
            const ik_f32 out_y0_x0 = ik_sub_f32(in_y0_x0, t7);
            ik_stn_f32(&out_out_at[0], out_y0_x0, n);
            ik_prefetch_store(&out_out_at[520]);
          }
        }
      }
    }
  }
}

void ikat_p0_k1_one(const ik_kernel_call *c) {
  ikat_p0_k1(c);
}
