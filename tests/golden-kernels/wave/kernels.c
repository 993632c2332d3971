/* wave
 *
 * program wave
 * plan sweep: 1 step, tile all x 8 x all, 2 rows x 1 vector of 32 bytes
 * made by ikat 0.1.0 */
#define IK_LANES 8
#define IK_VECTOR_BYTES 32
#include "kernel.h"
#include "simd.h"

/* u': 1 plane x 2 rows x 1 vector at a time */
void ikat_p0_k0(const ik_kernel_call *c) {
  const float *c_2 = c->in[0];
  const float *u_m4 = c->in[1];
  const float *u_m3 = c->in[2];
  const float *u_m2 = c->in[3];
  const float *u_m1 = c->in[4];
  const float *u = c->in[5];
  const float *u_p1 = c->in[6];
  const float *u_p2 = c->in[7];
  const float *u_p3 = c->in[8];
  const float *u_p4 = c->in[9];
  const float *u_old = c->in[10];
  float *out_u_new = c->out[0];
  const int64_t x0 = c->x0;
  const int64_t split = c->split;
  const int64_t x1 = c->x1;
  const int64_t y0 = c->y0;
  const int64_t y1 = c->y1;
  const int64_t z = c->z;
  const ik_f32 k0 = ik_set_f32(-0.0017857143f);
  const ik_f32 k1 = ik_set_f32(0.025396826f);
  const ik_f32 k2 = ik_set_f32(-0.2f);
  const ik_f32 k3 = ik_set_f32(1.6f);
  const ik_f32 k4 = ik_set_f32(-8.541667f);
  const ik_f32 k5 = ik_set_f32(2.0f);
  for (int64_t top = y0; top < y1; top += 2) {
    const int64_t rows = y1 - top < 2 ? y1 - top : 2;
    int64_t from = split;
    if (rows == 2) {
      const int64_t y = top;
      int64_t x = split;
      for (; x + 8 <= x1; x += 8) {
        const float *c_2_at = &c_2[y * 24 + x];
        const float *u_m4_at = &u_m4[y * 40 + x];
        const float *u_m3_at = &u_m3[y * 40 + x];
        const float *u_m2_at = &u_m2[y * 40 + x];
        const float *u_m1_at = &u_m1[y * 40 + x];
        const float *u_at = &u[y * 40 + x];
        const float *u_p1_at = &u_p1[y * 40 + x];
        const float *u_p2_at = &u_p2[y * 40 + x];
        const float *u_p3_at = &u_p3[y * 40 + x];
        const float *u_p4_at = &u_p4[y * 40 + x];
        const float *u_old_at = &u_old[y * 24 + x];
        float *out_u_new_at = &out_u_new[y * 24 + x];
        const ik_f32 u_m4_y0_x0 = ik_ld_f32(&u_m4_at[0]);
        ik_prefetch(&c_2_at[480]);
        const ik_f32 t1 = ik_mul_f32(k0, u_m4_y0_x0);
        const ik_f32 u_m4_y1_x0 = ik_ld_f32(&u_m4_at[40]);
        const ik_f32 t29 = ik_mul_f32(k0, u_m4_y1_x0);
        const ik_f32 u_m3_y0_x0 = ik_ld_f32(&u_m3_at[0]);
        const ik_f32 t2 = ik_fma_f32(k1, u_m3_y0_x0, t1);
        const ik_f32 u_m3_y1_x0 = ik_ld_f32(&u_m3_at[40]);
        const ik_f32 t30 = ik_fma_f32(k1, u_m3_y1_x0, t29);
        const ik_f32 u_m2_y0_x0 = ik_ld_f32(&u_m2_at[0]);
        const ik_f32 t3 = ik_fma_f32(k2, u_m2_y0_x0, t2);
        const ik_f32 u_m2_y1_x0 = ik_ld_f32(&u_m2_at[40]);
        const ik_f32 t31 = ik_fma_f32(k2, u_m2_y1_x0, t30);
        const ik_f32 u_m1_y0_x0 = ik_ld_f32(&u_m1_at[0]);
        const ik_f32 t4 = ik_fma_f32(k3, u_m1_y0_x0, t3);
        const ik_f32 u_m1_y1_x0 = ik_ld_f32(&u_m1_at[40]);
        const ik_f32 t32 = ik_fma_f32(k3, u_m1_y1_x0, t31);
        const ik_f32 u_ym4_x0 = ik_ld_f32(&u_at[-4 * 40]);
        const ik_f32 t5 = ik_fma_f32(k0, u_ym4_x0, t4);
        const ik_f32 u_ym3_x0 = ik_ld_f32(&u_at[-3 * 40]);
        const ik_f32 t6 = ik_fma_f32(k1, u_ym3_x0, t5);
        const ik_f32 t33 = ik_fma_f32(k0, u_ym3_x0, t32);
        const ik_f32 u_ym2_x0 = ik_ld_f32(&u_at[-2 * 40]);
        const ik_f32 t7 = ik_fma_f32(k2, u_ym2_x0, t6);
        const ik_f32 t34 = ik_fma_f32(k1, u_ym2_x0, t33);
        const ik_f32 u_ym1_x0 = ik_ld_f32(&u_at[-40]);
        const ik_f32 t8 = ik_fma_f32(k3, u_ym1_x0, t7);
        const ik_f32 t35 = ik_fma_f32(k2, u_ym1_x0, t34);
        ik_prefetch(&c_2_at[504]);
        const ik_f32 c_2_y0_x0 = ik_ld_f32(&c_2_at[0]);
        const ik_f32 t0 = ik_mul_f32(c_2_y0_x0, c_2_y0_x0);
        const ik_f32 u_y0_x0 = ik_ld_f32(&u_at[0]);
        const ik_f32 t36 = ik_fma_f32(k3, u_y0_x0, t35);
        const ik_f32 u_y0_xm4 = ik_ld_f32(&u_at[-4]);
        const ik_f32 t9 = ik_fma_f32(k0, u_y0_xm4, t8);
        const ik_f32 u_y0_xm3 = ik_ld_f32(&u_at[-3]);
        const ik_f32 t10 = ik_fma_f32(k1, u_y0_xm3, t9);
        const ik_f32 u_y0_xm2 = ik_ld_f32(&u_at[-2]);
        const ik_f32 t11 = ik_fma_f32(k2, u_y0_xm2, t10);
        const ik_f32 u_y0_xm1 = ik_ld_f32(&u_at[-1]);
        const ik_f32 t12 = ik_fma_f32(k3, u_y0_xm1, t11);
        const ik_f32 t13 = ik_fma_f32(k4, u_y0_x0, t12);
        const ik_f32 u_y0_x1 = ik_ld_f32(&u_at[1]);
        const ik_f32 t14 = ik_fma_f32(k3, u_y0_x1, t13);
        const ik_f32 u_y0_x2 = ik_ld_f32(&u_at[2]);
        const ik_f32 t15 = ik_fma_f32(k2, u_y0_x2, t14);
        const ik_f32 u_y0_x3 = ik_ld_f32(&u_at[3]);
        const ik_f32 t16 = ik_fma_f32(k1, u_y0_x3, t15);
        const ik_f32 u_y0_x4 = ik_ld_f32(&u_at[4]);
        const ik_f32 t17 = ik_fma_f32(k0, u_y0_x4, t16);
        const ik_f32 t26 = ik_mul_f32(k5, u_y0_x0);
        const ik_f32 u_old_y0_x0 = ik_ld_f32(&u_old_at[0]);
        const ik_f32 t27 = ik_sub_f32(t26, u_old_y0_x0);
        const ik_f32 u_y1_x0 = ik_ld_f32(&u_at[40]);
        const ik_f32 t18 = ik_fma_f32(k3, u_y1_x0, t17);
        const ik_f32 c_2_y1_x0 = ik_ld_f32(&c_2_at[24]);
        ik_prefetch(&u_old_at[480]);
        const ik_f32 t28 = ik_mul_f32(c_2_y1_x0, c_2_y1_x0);
        const ik_f32 u_y1_xm4 = ik_ld_f32(&u_at[40 - 4]);
        const ik_f32 t37 = ik_fma_f32(k0, u_y1_xm4, t36);
        const ik_f32 u_y1_xm3 = ik_ld_f32(&u_at[40 - 3]);
        const ik_f32 t38 = ik_fma_f32(k1, u_y1_xm3, t37);
        const ik_f32 u_y1_xm2 = ik_ld_f32(&u_at[40 - 2]);
        const ik_f32 t39 = ik_fma_f32(k2, u_y1_xm2, t38);
        const ik_f32 u_y1_xm1 = ik_ld_f32(&u_at[40 - 1]);
        const ik_f32 t40 = ik_fma_f32(k3, u_y1_xm1, t39);
        const ik_f32 t41 = ik_fma_f32(k4, u_y1_x0, t40);
        const ik_f32 u_y1_x1 = ik_ld_f32(&u_at[40 + 1]);
        const ik_f32 t42 = ik_fma_f32(k3, u_y1_x1, t41);
        const ik_f32 u_y1_x2 = ik_ld_f32(&u_at[40 + 2]);
        const ik_f32 t43 = ik_fma_f32(k2, u_y1_x2, t42);
        const ik_f32 u_y1_x3 = ik_ld_f32(&u_at[40 + 3]);
        const ik_f32 t44 = ik_fma_f32(k1, u_y1_x3, t43);
        const ik_f32 u_y1_x4 = ik_ld_f32(&u_at[40 + 4]);
        const ik_f32 t45 = ik_fma_f32(k0, u_y1_x4, t44);
        const ik_f32 t54 = ik_mul_f32(k5, u_y1_x0);
        const ik_f32 u_old_y1_x0 = ik_ld_f32(&u_old_at[24]);
        const ik_f32 t55 = ik_sub_f32(t54, u_old_y1_x0);
        const ik_f32 u_y2_x0 = ik_ld_f32(&u_at[2 * 40]);
        const ik_f32 t19 = ik_fma_f32(k2, u_y2_x0, t18);
        const ik_f32 t46 = ik_fma_f32(k3, u_y2_x0, t45);
        const ik_f32 u_y3_x0 = ik_ld_f32(&u_at[3 * 40]);
        const ik_f32 t20 = ik_fma_f32(k1, u_y3_x0, t19);
        ik_prefetch(&u_old_at[504]);
        const ik_f32 t47 = ik_fma_f32(k2, u_y3_x0, t46);
        const ik_f32 u_y4_x0 = ik_ld_f32(&u_at[4 * 40]);
        const ik_f32 t21 = ik_fma_f32(k0, u_y4_x0, t20);
        const ik_f32 t48 = ik_fma_f32(k1, u_y4_x0, t47);
        const ik_f32 u_y5_x0 = ik_ld_f32(&u_at[5 * 40]);
        const ik_f32 t49 = ik_fma_f32(k0, u_y5_x0, t48);
        const ik_f32 u_p1_y0_x0 = ik_ld_f32(&u_p1_at[0]);
        const ik_f32 t22 = ik_fma_f32(k3, u_p1_y0_x0, t21);
        const ik_f32 u_p1_y1_x0 = ik_ld_f32(&u_p1_at[40]);
        const ik_f32 t50 = ik_fma_f32(k3, u_p1_y1_x0, t49);
        const ik_f32 u_p2_y0_x0 = ik_ld_f32(&u_p2_at[0]);
        const ik_f32 t23 = ik_fma_f32(k2, u_p2_y0_x0, t22);
        const ik_f32 u_p2_y1_x0 = ik_ld_f32(&u_p2_at[40]);
        const ik_f32 t51 = ik_fma_f32(k2, u_p2_y1_x0, t50);
        const ik_f32 u_p3_y0_x0 = ik_ld_f32(&u_p3_at[0]);
        const ik_f32 t24 = ik_fma_f32(k1, u_p3_y0_x0, t23);
        const ik_f32 u_p3_y1_x0 = ik_ld_f32(&u_p3_at[40]);
        const ik_f32 t52 = ik_fma_f32(k1, u_p3_y1_x0, t51);
        const ik_f32 u_p4_y0_x0 = ik_ld_f32(&u_p4_at[0]);
        const ik_f32 t25 = ik_fma_f32(k0, u_p4_y0_x0, t24);
        const ik_f32 u_new_y0_x0 = ik_fma_f32(t0, t25, t27);
        ik_st_f32(&out_u_new_at[0], u_new_y0_x0);
        const ik_f32 u_p4_y1_x0 = ik_ld_f32(&u_p4_at[40]);
        const ik_f32 t53 = ik_fma_f32(k0, u_p4_y1_x0, t52);
        const ik_f32 u_new_y1_x0 = ik_fma_f32(t28, t53, t55);
        ik_st_f32(&out_u_new_at[24], u_new_y1_x0);
      }
      from = x;
    }
    if (x0 < split || from < x1) {
      for (int64_t y = top; y < top + rows; y += 1) {
        for (int last = 0; last < 2; last += 1) {
          const int64_t end = last ? x1 : split;
          for (int64_t x = last ? from : x0; x < end; x += 8) {
            const int n = end - x < 8 ? (int)(end - x) : 8;
            const float *c_2_at = &c_2[y * 24 + x];
            const float *u_m4_at = &u_m4[y * 40 + x];
            const float *u_m3_at = &u_m3[y * 40 + x];
            const float *u_m2_at = &u_m2[y * 40 + x];
            const float *u_m1_at = &u_m1[y * 40 + x];
            const float *u_at = &u[y * 40 + x];
            const float *u_p1_at = &u_p1[y * 40 + x];
            const float *u_p2_at = &u_p2[y * 40 + x];
            const float *u_p3_at = &u_p3[y * 40 + x];
            const float *u_p4_at = &u_p4[y * 40 + x];
            const float *u_old_at = &u_old[y * 24 + x];
            float *out_u_new_at = &out_u_new[y * 24 + x];
            const ik_f32 u_m4_y0_x0 = ik_ld_f32(&u_m4_at[0]);
            ik_prefetch(&c_2_at[480]);
            const ik_f32 t1 = ik_mul_f32(k0, u_m4_y0_x0);
            const ik_f32 u_m3_y0_x0 = ik_ld_f32(&u_m3_at[0]);
            const ik_f32 t2 = ik_fma_f32(k1, u_m3_y0_x0, t1);
            const ik_f32 u_m2_y0_x0 = ik_ld_f32(&u_m2_at[0]);
            const ik_f32 t3 = ik_fma_f32(k2, u_m2_y0_x0, t2);
            const ik_f32 u_m1_y0_x0 = ik_ld_f32(&u_m1_at[0]);
            const ik_f32 t4 = ik_fma_f32(k3, u_m1_y0_x0, t3);
            const ik_f32 u_ym4_x0 = ik_ld_f32(&u_at[-4 * 40]);
            const ik_f32 t5 = ik_fma_f32(k0, u_ym4_x0, t4);
            const ik_f32 u_ym3_x0 = ik_ld_f32(&u_at[-3 * 40]);
            const ik_f32 t6 = ik_fma_f32(k1, u_ym3_x0, t5);
            const ik_f32 u_ym2_x0 = ik_ld_f32(&u_at[-2 * 40]);
            const ik_f32 t7 = ik_fma_f32(k2, u_ym2_x0, t6);
            const ik_f32 u_ym1_x0 = ik_ld_f32(&u_at[-40]);
            const ik_f32 t8 = ik_fma_f32(k3, u_ym1_x0, t7);
            const ik_f32 c_2_y0_x0 = ik_ld_f32(&c_2_at[0]);
            const ik_f32 t0 = ik_mul_f32(c_2_y0_x0, c_2_y0_x0);
            const ik_f32 u_y0_xm4 = ik_ld_f32(&u_at[-4]);
            const ik_f32 t9 = ik_fma_f32(k0, u_y0_xm4, t8);
            const ik_f32 u_y0_xm3 = ik_ld_f32(&u_at[-3]);
            const ik_f32 t10 = ik_fma_f32(k1, u_y0_xm3, t9);
            const ik_f32 u_y0_xm2 = ik_ld_f32(&u_at[-2]);
            const ik_f32 t11 = ik_fma_f32(k2, u_y0_xm2, t10);
            const ik_f32 u_y0_xm1 = ik_ld_f32(&u_at[-1]);
            const ik_f32 t12 = ik_fma_f32(k3, u_y0_xm1, t11);
            const ik_f32 u_y0_x0 = ik_ld_f32(&u_at[0]);
            const ik_f32 t13 = ik_fma_f32(k4, u_y0_x0, t12);
            const ik_f32 u_y0_x1 = ik_ld_f32(&u_at[1]);
            ik_prefetch(&u_old_at[480]);
            const ik_f32 t14 = ik_fma_f32(k3, u_y0_x1, t13);
            const ik_f32 u_y0_x2 = ik_ld_f32(&u_at[2]);
            const ik_f32 t15 = ik_fma_f32(k2, u_y0_x2, t14);
            const ik_f32 u_y0_x3 = ik_ld_f32(&u_at[3]);
            const ik_f32 t16 = ik_fma_f32(k1, u_y0_x3, t15);
            const ik_f32 u_y0_x4 = ik_ld_f32(&u_at[4]);
            const ik_f32 t17 = ik_fma_f32(k0, u_y0_x4, t16);
            const ik_f32 t26 = ik_mul_f32(k5, u_y0_x0);
            const ik_f32 u_old_y0_x0 = ik_ld_f32(&u_old_at[0]);
            const ik_f32 t27 = ik_sub_f32(t26, u_old_y0_x0);
            const ik_f32 u_y1_x0 = ik_ld_f32(&u_at[40]);
            const ik_f32 t18 = ik_fma_f32(k3, u_y1_x0, t17);
            const ik_f32 u_y2_x0 = ik_ld_f32(&u_at[2 * 40]);
            const ik_f32 t19 = ik_fma_f32(k2, u_y2_x0, t18);
            const ik_f32 u_y3_x0 = ik_ld_f32(&u_at[3 * 40]);
            const ik_f32 t20 = ik_fma_f32(k1, u_y3_x0, t19);
            const ik_f32 u_y4_x0 = ik_ld_f32(&u_at[4 * 40]);
            const ik_f32 t21 = ik_fma_f32(k0, u_y4_x0, t20);
            const ik_f32 u_p1_y0_x0 = ik_ld_f32(&u_p1_at[0]);
            const ik_f32 t22 = ik_fma_f32(k3, u_p1_y0_x0, t21);
            const ik_f32 u_p2_y0_x0 = ik_ld_f32(&u_p2_at[0]);
            const ik_f32 t23 = ik_fma_f32(k2, u_p2_y0_x0, t22);
            const ik_f32 u_p3_y0_x0 = ik_ld_f32(&u_p3_at[0]);
            const ik_f32 t24 = ik_fma_f32(k1, u_p3_y0_x0, t23);
            const ik_f32 u_p4_y0_x0 = ik_ld_f32(&u_p4_at[0]);
            const ik_f32 t25 = ik_fma_f32(k0, u_p4_y0_x0, t24);
            const ik_f32 u_new_y0_x0 = ik_fma_f32(t0, t25, t27);
            ik_stn_f32(&out_u_new_at[0], u_new_y0_x0, n);
          }
        }
      }
    }
  }
}

void ikat_p0_k0_one(const ik_kernel_call *c) {
  ikat_p0_k0(c);
}
