/* points7
 *
 * program points7
 * plan sweep: 1 step, tile all x 8 x all, 4 rows x 1 vector of 32 bytes
 * made by ikat 0.1.0 */
#define IK_LANES 4
#define IK_VECTOR_BYTES 32
#include "kernel.h"
#include "simd.h"

/* u': 1 plane x 1 row x 1 vector at a time */
void ikat_p0_k0(const ik_kernel_call *c) {
  const double *u = c->in[0];
  double *out_u_new = c->out[0];
  const int64_t x0 = c->x0;
  const int64_t split = c->split;
  const int64_t x1 = c->x1;
  const int64_t y0 = c->y0;
  const int64_t y1 = c->y1;
  const int64_t z = c->z;
  for (int64_t y = y0; y < y1; y += 1) {
    int64_t from = split;
    {
      int64_t x = split;
      for (; x + 4 <= x1; x += 4) {
        const double *u_at = &u[y * 21 + x];
        double *out_u_new_at = &out_u_new[y * 21 + x];
        const ik_f64 u_y0_x0 = ik_ld_f64(&u_at[0]);
        ik_st_f64(&out_u_new_at[0], u_y0_x0);
        ik_prefetch_store(&out_u_new_at[378]);
      }
      from = x;
    }
    if (x0 < split || from < x1) {
      for (int last = 0; last < 2; last += 1) {
        const int64_t end = last ? x1 : split;
        for (int64_t x = last ? from : x0; x < end; x += 4) {
          const int n = end - x < 4 ? (int)(end - x) : 4;
          const double *u_at = &u[y * 21 + x];
          double *out_u_new_at = &out_u_new[y * 21 + x];
          const ik_f64 u_y0_x0 = ik_ld_f64(&u_at[0]);
          ik_stn_f64(&out_u_new_at[0], u_y0_x0, n);
          ik_prefetch_store(&out_u_new_at[378]);
        }
      }
    }
  }
}

void ikat_p0_k0_one(const ik_kernel_call *c) {
  ikat_p0_k0(c);
}

/* u': 1 plane x 4 rows x 1 vector at a time */
void ikat_p0_k1(const ik_kernel_call *c) {
  const double *u_m1 = c->in[0];
  const double *u = c->in[1];
  const double *u_p1 = c->in[2];
  double *out_u_new = c->out[0];
  const int64_t x0 = c->x0;
  const int64_t split = c->split;
  const int64_t x1 = c->x1;
  const int64_t y0 = c->y0;
  const int64_t y1 = c->y1;
  const int64_t z = c->z;
  const ik_f64 k0 = ik_set_f64(0.1);
  const ik_f64 k1 = ik_set_f64(0.4000000000000001);
  for (int64_t top = y0; top < y1; top += 4) {
    const int64_t rows = y1 - top < 4 ? y1 - top : 4;
    int64_t from = split;
    if (rows == 4) {
      const int64_t y = top;
      int64_t x = split;
      for (; x + 4 <= x1; x += 4) {
        const double *u_m1_at = &u_m1[y * 21 + x];
        const double *u_at = &u[y * 21 + x];
        const double *u_p1_at = &u_p1[y * 21 + x];
        double *out_u_new_at = &out_u_new[y * 21 + x];
        const ik_f64 u_m1_y0_x0 = ik_ld_f64(&u_m1_at[0]);
        ik_prefetch(&u_p1_at[378]);
        const ik_f64 t0 = ik_mul_f64(k0, u_m1_y0_x0);
        const ik_f64 u_m1_y1_x0 = ik_ld_f64(&u_m1_at[21]);
        const ik_f64 t6 = ik_mul_f64(k0, u_m1_y1_x0);
        const ik_f64 u_m1_y2_x0 = ik_ld_f64(&u_m1_at[2 * 21]);
        const ik_f64 t12 = ik_mul_f64(k0, u_m1_y2_x0);
        const ik_f64 u_m1_y3_x0 = ik_ld_f64(&u_m1_at[3 * 21]);
        const ik_f64 t18 = ik_mul_f64(k0, u_m1_y3_x0);
        const ik_f64 u_ym1_x0 = ik_ld_f64(&u_at[-21]);
        const ik_f64 t1 = ik_fma_f64(k0, u_ym1_x0, t0);
        const ik_f64 u_y0_xm1 = ik_ld_f64(&u_at[-1]);
        const ik_f64 t2 = ik_fma_f64(k0, u_y0_xm1, t1);
        const ik_f64 u_y0_x0 = ik_ld_f64(&u_at[0]);
        const ik_f64 t7 = ik_fma_f64(k0, u_y0_x0, t6);
        ik_prefetch(&u_p1_at[399]);
        const ik_f64 t3 = ik_fma_f64(k1, u_y0_x0, t2);
        const ik_f64 u_y0_x1 = ik_ld_f64(&u_at[1]);
        const ik_f64 t4 = ik_fma_f64(k0, u_y0_x1, t3);
        const ik_f64 u_y1_x0 = ik_ld_f64(&u_at[21]);
        const ik_f64 t5 = ik_fma_f64(k0, u_y1_x0, t4);
        const ik_f64 u_y1_xm1 = ik_ld_f64(&u_at[21 - 1]);
        const ik_f64 t8 = ik_fma_f64(k0, u_y1_xm1, t7);
        const ik_f64 t13 = ik_fma_f64(k0, u_y1_x0, t12);
        const ik_f64 t9 = ik_fma_f64(k1, u_y1_x0, t8);
        const ik_f64 u_y1_x1 = ik_ld_f64(&u_at[21 + 1]);
        const ik_f64 t10 = ik_fma_f64(k0, u_y1_x1, t9);
        const ik_f64 u_y2_x0 = ik_ld_f64(&u_at[2 * 21]);
        const ik_f64 t11 = ik_fma_f64(k0, u_y2_x0, t10);
        const ik_f64 u_y2_xm1 = ik_ld_f64(&u_at[2 * 21 - 1]);
        ik_prefetch(&u_p1_at[420]);
        const ik_f64 t14 = ik_fma_f64(k0, u_y2_xm1, t13);
        const ik_f64 t19 = ik_fma_f64(k0, u_y2_x0, t18);
        const ik_f64 t15 = ik_fma_f64(k1, u_y2_x0, t14);
        const ik_f64 u_y2_x1 = ik_ld_f64(&u_at[2 * 21 + 1]);
        const ik_f64 t16 = ik_fma_f64(k0, u_y2_x1, t15);
        const ik_f64 u_y3_x0 = ik_ld_f64(&u_at[3 * 21]);
        const ik_f64 t17 = ik_fma_f64(k0, u_y3_x0, t16);
        const ik_f64 u_y3_xm1 = ik_ld_f64(&u_at[3 * 21 - 1]);
        const ik_f64 t20 = ik_fma_f64(k0, u_y3_xm1, t19);
        const ik_f64 t21 = ik_fma_f64(k1, u_y3_x0, t20);
        const ik_f64 u_y3_x1 = ik_ld_f64(&u_at[3 * 21 + 1]);
        const ik_f64 t22 = ik_fma_f64(k0, u_y3_x1, t21);
        const ik_f64 u_y4_x0 = ik_ld_f64(&u_at[4 * 21]);
        ik_prefetch(&u_p1_at[441]);
        const ik_f64 t23 = ik_fma_f64(k0, u_y4_x0, t22);
        const ik_f64 u_p1_y0_x0 = ik_ld_f64(&u_p1_at[0]);
        const ik_f64 u_new_y0_x0 = ik_fma_f64(k0, u_p1_y0_x0, t5);
        ik_st_f64(&out_u_new_at[0], u_new_y0_x0);
        const ik_f64 u_p1_y1_x0 = ik_ld_f64(&u_p1_at[21]);
        const ik_f64 u_new_y1_x0 = ik_fma_f64(k0, u_p1_y1_x0, t11);
        ik_st_f64(&out_u_new_at[21], u_new_y1_x0);
        const ik_f64 u_p1_y2_x0 = ik_ld_f64(&u_p1_at[2 * 21]);
        const ik_f64 u_new_y2_x0 = ik_fma_f64(k0, u_p1_y2_x0, t17);
        ik_st_f64(&out_u_new_at[2 * 21], u_new_y2_x0);
        const ik_f64 u_p1_y3_x0 = ik_ld_f64(&u_p1_at[3 * 21]);
        const ik_f64 u_new_y3_x0 = ik_fma_f64(k0, u_p1_y3_x0, t23);
        ik_st_f64(&out_u_new_at[3 * 21], u_new_y3_x0);
        ik_prefetch_store(&out_u_new_at[378]);
        ik_prefetch_store(&out_u_new_at[399]);
        ik_prefetch_store(&out_u_new_at[420]);
        ik_prefetch_store(&out_u_new_at[441]);
      }
      from = x;
    }
    if (x0 < split || from < x1) {
      for (int64_t y = top; y < top + rows; y += 1) {
        for (int last = 0; last < 2; last += 1) {
          const int64_t end = last ? x1 : split;
          for (int64_t x = last ? from : x0; x < end; x += 4) {
            const int n = end - x < 4 ? (int)(end - x) : 4;
            const double *u_m1_at = &u_m1[y * 21 + x];
            const double *u_at = &u[y * 21 + x];
            const double *u_p1_at = &u_p1[y * 21 + x];
            double *out_u_new_at = &out_u_new[y * 21 + x];
            const ik_f64 u_m1_y0_x0 = ik_ld_f64(&u_m1_at[0]);
            ik_prefetch(&u_p1_at[378]);
            const ik_f64 t0 = ik_mul_f64(k0, u_m1_y0_x0);
            const ik_f64 u_ym1_x0 = ik_ld_f64(&u_at[-21]);
            const ik_f64 t1 = ik_fma_f64(k0, u_ym1_x0, t0);
            const ik_f64 u_y0_xm1 = ik_ld_f64(&u_at[-1]);
            const ik_f64 t2 = ik_fma_f64(k0, u_y0_xm1, t1);
            const ik_f64 u_y0_x0 = ik_ld_f64(&u_at[0]);
            const ik_f64 t3 = ik_fma_f64(k1, u_y0_x0, t2);
            const ik_f64 u_y0_x1 = ik_ld_f64(&u_at[1]);
            const ik_f64 t4 = ik_fma_f64(k0, u_y0_x1, t3);
            const ik_f64 u_y1_x0 = ik_ld_f64(&u_at[21]);
            const ik_f64 t5 = ik_fma_f64(k0, u_y1_x0, t4);
            const ik_f64 u_p1_y0_x0 = ik_ld_f64(&u_p1_at[0]);
            const ik_f64 u_new_y0_x0 = ik_fma_f64(k0, u_p1_y0_x0, t5);
            ik_stn_f64(&out_u_new_at[0], u_new_y0_x0, n);
            ik_prefetch_store(&out_u_new_at[378]);
          }
        }
      }
    }
  }
}

void ikat_p0_k1_one(const ik_kernel_call *c) {
  ikat_p0_k1(c);
}
