/* two-fields
 *
 * program two-fields
 * plan fuse: 2 steps, tile 32 x all, 2 rows x 1 vector of 32 bytes, shifted neighbours
 * made by ikat 0.1.0 */
#define IK_LANES 8
#define IK_VECTOR_BYTES 32
#include "kernel.h"
#include "simd.h"

/* r, u', v': 2 planes x 1 row x 1 vector at a time */
void ikat_p0_k0(const ik_kernel_call *c) {
  const float *u_m1 = c->in[0];
  const float *u = c->in[1];
  const float *u_p1 = c->in[2];
  const float *u_p2 = c->in[3];
  const float *v_m1 = c->in[4];
  const float *v = c->in[5];
  const float *v_p1 = c->in[6];
  const float *v_p2 = c->in[7];
  float *out_u_new = c->out[0];
  float *out_u_new_p1 = c->out[1];
  float *out_v_new = c->out[2];
  float *out_v_new_p1 = c->out[3];
  const float *prefetch_u = c->prefetch[0];
  const float *prefetch_v = c->prefetch[1];
  const int64_t x0 = c->x0;
  const int64_t split = c->split;
  const int64_t x1 = c->x1;
  const int64_t y0 = c->y0;
  const int64_t y1 = c->y1;
  const int64_t z = c->z;
  const ik_f32 k0 = ik_set_f32(0.16f);
  const ik_f32 k1 = ik_set_f32(0.323f);
  const ik_f32 k2 = ik_set_f32(0.037f);
  const ik_f32 k3 = ik_set_f32(0.08f);
  const ik_f32 k4 = ik_set_f32(0.583f);
  for (int64_t y = y0; y < y1; y += 1) {
    int64_t from = split;
    {
      int64_t x = split;
      for (; x + 8 <= x1; x += 8) {
        const float *u_m1_at = &u_m1[x];
        const float *u_at = &u[x];
        const float *u_p1_at = &u_p1[x];
        const float *u_p2_at = &u_p2[x];
        const float *v_m1_at = &v_m1[x];
        const float *v_at = &v[x];
        const float *v_p1_at = &v_p1[x];
        const float *v_p2_at = &v_p2[x];
        float *out_u_new_at = &out_u_new[x];
        float *out_u_new_p1_at = &out_u_new_p1[x];
        float *out_v_new_at = &out_v_new[x];
        float *out_v_new_p1_at = &out_v_new_p1[x];
        const float *prefetch_u_at = &prefetch_u[x];
        const float *prefetch_v_at = &prefetch_v[x];
        const ik_f32 u_m1_x0 = ik_ld_f32(&u_m1_at[0]);
        ik_prefetch(&prefetch_u_at[0]);
        const ik_f32 t1 = ik_fma_f32(k0, u_m1_x0, k2);
        const ik_f32 v_m1_x0 = ik_ld_f32(&v_m1_at[0]);
        const ik_f32 t6 = ik_mul_f32(k3, v_m1_x0);
        const ik_f32 u_x0 = ik_ld_f32(&u_at[0]);
        const ik_f32 v_x0 = ik_ld_f32(&v_at[0]);
        const ik_f32 t0 = ik_mul_f32(u_x0, v_x0);
        const ik_f32 t12 = ik_fma_f32(k0, u_x0, k2);
        const ik_f32 r_z0_x0 = ik_mul_f32(t0, v_x0);
        const ik_f32 t17 = ik_mul_f32(k3, v_x0);
        const ik_f32 u_xm1 = ik_ld_f32(&u_at[-1]);
        const ik_f32 t2 = ik_fma_f32(k0, u_xm1, t1);
        const ik_f32 t3 = ik_fma_f32(k1, u_x0, t2);
        const ik_f32 t4 = ik_sub_f32(t3, r_z0_x0);
        const ik_f32 u_x1 = ik_ld_f32(&u_at[1]);
        const ik_f32 t5 = ik_fma_f32(k0, u_x1, t4);
        const ik_f32 v_xm1 = ik_ld_f32(&v_at[-1]);
        const ik_f32 t7 = ik_fma_f32(k3, v_xm1, t6);
        const ik_f32 t8 = ik_fma_f32(k4, v_x0, t7);
        const ik_f32 t9 = ik_add_f32(t8, r_z0_x0);
        const ik_f32 v_x1 = ik_ld_f32(&v_at[1]);
        const ik_f32 t10 = ik_fma_f32(k3, v_x1, t9);
        const ik_f32 u_p1_x0 = ik_ld_f32(&u_p1_at[0]);
        const ik_f32 u_new_z0_x0 = ik_fma_f32(k0, u_p1_x0, t5);
        const ik_f32 v_p1_x0 = ik_ld_f32(&v_p1_at[0]);
        ik_prefetch(&prefetch_v_at[0]);
        const ik_f32 t11 = ik_mul_f32(u_p1_x0, v_p1_x0);
        ik_st_f32(&out_u_new_at[0], u_new_z0_x0);
        const ik_f32 r_z1_x0 = ik_mul_f32(t11, v_p1_x0);
        const ik_f32 v_new_z0_x0 = ik_fma_f32(k3, v_p1_x0, t10);
        const ik_f32 u_p1_xm1 = ik_ld_f32(&u_p1_at[-1]);
        const ik_f32 t13 = ik_fma_f32(k0, u_p1_xm1, t12);
        ik_st_f32(&out_v_new_at[0], v_new_z0_x0);
        const ik_f32 t14 = ik_fma_f32(k1, u_p1_x0, t13);
        const ik_f32 t15 = ik_sub_f32(t14, r_z1_x0);
        const ik_f32 u_p1_x1 = ik_ld_f32(&u_p1_at[1]);
        const ik_f32 t16 = ik_fma_f32(k0, u_p1_x1, t15);
        const ik_f32 v_p1_xm1 = ik_ld_f32(&v_p1_at[-1]);
        const ik_f32 t18 = ik_fma_f32(k3, v_p1_xm1, t17);
        const ik_f32 t19 = ik_fma_f32(k4, v_p1_x0, t18);
        const ik_f32 t20 = ik_add_f32(t19, r_z1_x0);
        const ik_f32 v_p1_x1 = ik_ld_f32(&v_p1_at[1]);
        const ik_f32 t21 = ik_fma_f32(k3, v_p1_x1, t20);
        const ik_f32 u_p2_x0 = ik_ld_f32(&u_p2_at[0]);
        const ik_f32 u_new_z1_x0 = ik_fma_f32(k0, u_p2_x0, t16);
        ik_st_f32(&out_u_new_p1_at[0], u_new_z1_x0);
        const ik_f32 v_p2_x0 = ik_ld_f32(&v_p2_at[0]);
        const ik_f32 v_new_z1_x0 = ik_fma_f32(k3, v_p2_x0, t21);
        ik_st_f32(&out_v_new_p1_at[0], v_new_z1_x0);
      }
      from = x;
    }
    if (x0 < split || from < x1) {
      for (int last = 0; last < 2; last += 1) {
        const int64_t end = last ? x1 : split;
        for (int64_t x = last ? from : x0; x < end; x += 8) {
          const int n = end - x < 8 ? (int)(end - x) : 8;
          const float *u_m1_at = &u_m1[x];
          const float *u_at = &u[x];
          const float *u_p1_at = &u_p1[x];
          const float *u_p2_at = &u_p2[x];
          const float *v_m1_at = &v_m1[x];
          const float *v_at = &v[x];
          const float *v_p1_at = &v_p1[x];
          const float *v_p2_at = &v_p2[x];
          float *out_u_new_at = &out_u_new[x];
          float *out_u_new_p1_at = &out_u_new_p1[x];
          float *out_v_new_at = &out_v_new[x];
          float *out_v_new_p1_at = &out_v_new_p1[x];
          const float *prefetch_u_at = &prefetch_u[x];
          const float *prefetch_v_at = &prefetch_v[x];
          const ik_f32 u_m1_x0 = ik_ld_f32(&u_m1_at[0]);
          ik_prefetch(&prefetch_u_at[0]);
          const ik_f32 t1 = ik_fma_f32(k0, u_m1_x0, k2);
          const ik_f32 v_m1_x0 = ik_ld_f32(&v_m1_at[0]);
          const ik_f32 t6 = ik_mul_f32(k3, v_m1_x0);
          const ik_f32 u_x0 = ik_ld_f32(&u_at[0]);
          const ik_f32 v_x0 = ik_ld_f32(&v_at[0]);
          const ik_f32 t0 = ik_mul_f32(u_x0, v_x0);
          const ik_f32 t12 = ik_fma_f32(k0, u_x0, k2);
          const ik_f32 r_z0_x0 = ik_mul_f32(t0, v_x0);
          const ik_f32 t17 = ik_mul_f32(k3, v_x0);
          const ik_f32 u_xm1 = ik_ld_f32(&u_at[-1]);
          const ik_f32 t2 = ik_fma_f32(k0, u_xm1, t1);
          const ik_f32 t3 = ik_fma_f32(k1, u_x0, t2);
          const ik_f32 t4 = ik_sub_f32(t3, r_z0_x0);
          const ik_f32 u_x1 = ik_ld_f32(&u_at[1]);
          const ik_f32 t5 = ik_fma_f32(k0, u_x1, t4);
          const ik_f32 v_xm1 = ik_ld_f32(&v_at[-1]);
          const ik_f32 t7 = ik_fma_f32(k3, v_xm1, t6);
          const ik_f32 t8 = ik_fma_f32(k4, v_x0, t7);
          const ik_f32 t9 = ik_add_f32(t8, r_z0_x0);
          const ik_f32 v_x1 = ik_ld_f32(&v_at[1]);
          const ik_f32 t10 = ik_fma_f32(k3, v_x1, t9);
          const ik_f32 u_p1_x0 = ik_ld_f32(&u_p1_at[0]);
          const ik_f32 u_new_z0_x0 = ik_fma_f32(k0, u_p1_x0, t5);
          const ik_f32 v_p1_x0 = ik_ld_f32(&v_p1_at[0]);
          ik_prefetch(&prefetch_v_at[0]);
          const ik_f32 t11 = ik_mul_f32(u_p1_x0, v_p1_x0);
          ik_stn_f32(&out_u_new_at[0], u_new_z0_x0, n);
          const ik_f32 r_z1_x0 = ik_mul_f32(t11, v_p1_x0);
          const ik_f32 v_new_z0_x0 = ik_fma_f32(k3, v_p1_x0, t10);
          const ik_f32 u_p1_xm1 = ik_ld_f32(&u_p1_at[-1]);
          const ik_f32 t13 = ik_fma_f32(k0, u_p1_xm1, t12);
          ik_stn_f32(&out_v_new_at[0], v_new_z0_x0, n);
          const ik_f32 t14 = ik_fma_f32(k1, u_p1_x0, t13);
          const ik_f32 t15 = ik_sub_f32(t14, r_z1_x0);
          const ik_f32 u_p1_x1 = ik_ld_f32(&u_p1_at[1]);
          const ik_f32 t16 = ik_fma_f32(k0, u_p1_x1, t15);
          const ik_f32 v_p1_xm1 = ik_ld_f32(&v_p1_at[-1]);
          const ik_f32 t18 = ik_fma_f32(k3, v_p1_xm1, t17);
          const ik_f32 t19 = ik_fma_f32(k4, v_p1_x0, t18);
          const ik_f32 t20 = ik_add_f32(t19, r_z1_x0);
          const ik_f32 v_p1_x1 = ik_ld_f32(&v_p1_at[1]);
          const ik_f32 t21 = ik_fma_f32(k3, v_p1_x1, t20);
          const ik_f32 u_p2_x0 = ik_ld_f32(&u_p2_at[0]);
          const ik_f32 u_new_z1_x0 = ik_fma_f32(k0, u_p2_x0, t16);
          ik_stn_f32(&out_u_new_p1_at[0], u_new_z1_x0, n);
          const ik_f32 v_p2_x0 = ik_ld_f32(&v_p2_at[0]);
          const ik_f32 v_new_z1_x0 = ik_fma_f32(k3, v_p2_x0, t21);
          ik_stn_f32(&out_v_new_p1_at[0], v_new_z1_x0, n);
        }
      }
    }
  }
}

void ikat_p0_k0_one(const ik_kernel_call *c) {
  const float *u_m1 = c->in[0];
  const float *u = c->in[1];
  const float *u_p1 = c->in[2];
  const float *v_m1 = c->in[3];
  const float *v = c->in[4];
  const float *v_p1 = c->in[5];
  float *out_u_new = c->out[0];
  float *out_v_new = c->out[1];
  const float *prefetch_u = c->prefetch[0];
  const float *prefetch_v = c->prefetch[1];
  const int64_t x0 = c->x0;
  const int64_t split = c->split;
  const int64_t x1 = c->x1;
  const int64_t y0 = c->y0;
  const int64_t y1 = c->y1;
  const int64_t z = c->z;
  const ik_f32 k0 = ik_set_f32(0.16f);
  const ik_f32 k1 = ik_set_f32(0.323f);
  const ik_f32 k2 = ik_set_f32(0.037f);
  const ik_f32 k3 = ik_set_f32(0.08f);
  const ik_f32 k4 = ik_set_f32(0.583f);
  for (int64_t y = y0; y < y1; y += 1) {
    int64_t from = split;
    {
      int64_t x = split;
      for (; x + 8 <= x1; x += 8) {
        const float *u_m1_at = &u_m1[x];
        const float *u_at = &u[x];
        const float *u_p1_at = &u_p1[x];
        const float *v_m1_at = &v_m1[x];
        const float *v_at = &v[x];
        const float *v_p1_at = &v_p1[x];
        float *out_u_new_at = &out_u_new[x];
        float *out_v_new_at = &out_v_new[x];
        const float *prefetch_u_at = &prefetch_u[x];
        const float *prefetch_v_at = &prefetch_v[x];
        const ik_f32 u_m1_x0 = ik_ld_f32(&u_m1_at[0]);
        ik_prefetch(&prefetch_u_at[0]);
        const ik_f32 t1 = ik_fma_f32(k0, u_m1_x0, k2);
        const ik_f32 v_m1_x0 = ik_ld_f32(&v_m1_at[0]);
        const ik_f32 t6 = ik_mul_f32(k3, v_m1_x0);
        const ik_f32 u_x0 = ik_ld_f32(&u_at[0]);
        const ik_f32 v_x0 = ik_ld_f32(&v_at[0]);
        const ik_f32 t0 = ik_mul_f32(u_x0, v_x0);
        const ik_f32 r_x0 = ik_mul_f32(t0, v_x0);
        const ik_f32 u_xm1 = ik_ld_f32(&u_at[-1]);
        const ik_f32 t2 = ik_fma_f32(k0, u_xm1, t1);
        const ik_f32 t3 = ik_fma_f32(k1, u_x0, t2);
        const ik_f32 t4 = ik_sub_f32(t3, r_x0);
        const ik_f32 u_x1 = ik_ld_f32(&u_at[1]);
        const ik_f32 t5 = ik_fma_f32(k0, u_x1, t4);
        ik_prefetch(&prefetch_v_at[0]);
        const ik_f32 v_xm1 = ik_ld_f32(&v_at[-1]);
        const ik_f32 t7 = ik_fma_f32(k3, v_xm1, t6);
        const ik_f32 t8 = ik_fma_f32(k4, v_x0, t7);
        const ik_f32 t9 = ik_add_f32(t8, r_x0);
        const ik_f32 v_x1 = ik_ld_f32(&v_at[1]);
        const ik_f32 t10 = ik_fma_f32(k3, v_x1, t9);
        const ik_f32 u_p1_x0 = ik_ld_f32(&u_p1_at[0]);
        const ik_f32 u_new_x0 = ik_fma_f32(k0, u_p1_x0, t5);
        ik_st_f32(&out_u_new_at[0], u_new_x0);
        const ik_f32 v_p1_x0 = ik_ld_f32(&v_p1_at[0]);
        const ik_f32 v_new_x0 = ik_fma_f32(k3, v_p1_x0, t10);
        ik_st_f32(&out_v_new_at[0], v_new_x0);
      }
      from = x;
    }
    if (x0 < split || from < x1) {
      for (int last = 0; last < 2; last += 1) {
        const int64_t end = last ? x1 : split;
        for (int64_t x = last ? from : x0; x < end; x += 8) {
          const int n = end - x < 8 ? (int)(end - x) : 8;
          const float *u_m1_at = &u_m1[x];
          const float *u_at = &u[x];
          const float *u_p1_at = &u_p1[x];
          const float *v_m1_at = &v_m1[x];
          const float *v_at = &v[x];
          const float *v_p1_at = &v_p1[x];
          float *out_u_new_at = &out_u_new[x];
          float *out_v_new_at = &out_v_new[x];
          const float *prefetch_u_at = &prefetch_u[x];
          const float *prefetch_v_at = &prefetch_v[x];
          const ik_f32 u_m1_x0 = ik_ld_f32(&u_m1_at[0]);
          ik_prefetch(&prefetch_u_at[0]);
          const ik_f32 t1 = ik_fma_f32(k0, u_m1_x0, k2);
          const ik_f32 v_m1_x0 = ik_ld_f32(&v_m1_at[0]);
          const ik_f32 t6 = ik_mul_f32(k3, v_m1_x0);
          const ik_f32 u_x0 = ik_ld_f32(&u_at[0]);
          const ik_f32 v_x0 = ik_ld_f32(&v_at[0]);
          const ik_f32 t0 = ik_mul_f32(u_x0, v_x0);
          const ik_f32 r_x0 = ik_mul_f32(t0, v_x0);
          const ik_f32 u_xm1 = ik_ld_f32(&u_at[-1]);
          const ik_f32 t2 = ik_fma_f32(k0, u_xm1, t1);
          const ik_f32 t3 = ik_fma_f32(k1, u_x0, t2);
          const ik_f32 t4 = ik_sub_f32(t3, r_x0);
          const ik_f32 u_x1 = ik_ld_f32(&u_at[1]);
          const ik_f32 t5 = ik_fma_f32(k0, u_x1, t4);
          ik_prefetch(&prefetch_v_at[0]);
          const ik_f32 v_xm1 = ik_ld_f32(&v_at[-1]);
          const ik_f32 t7 = ik_fma_f32(k3, v_xm1, t6);
          const ik_f32 t8 = ik_fma_f32(k4, v_x0, t7);
          const ik_f32 t9 = ik_add_f32(t8, r_x0);
          const ik_f32 v_x1 = ik_ld_f32(&v_at[1]);
          const ik_f32 t10 = ik_fma_f32(k3, v_x1, t9);
          const ik_f32 u_p1_x0 = ik_ld_f32(&u_p1_at[0]);
          const ik_f32 u_new_x0 = ik_fma_f32(k0, u_p1_x0, t5);
          ik_stn_f32(&out_u_new_at[0], u_new_x0, n);
          const ik_f32 v_p1_x0 = ik_ld_f32(&v_p1_at[0]);
          const ik_f32 v_new_x0 = ik_fma_f32(k3, v_p1_x0, t10);
          ik_stn_f32(&out_v_new_at[0], v_new_x0, n);
        }
      }
    }
  }
}

/* r, u', v': 2 planes x 1 row x 1 vector at a time */
void ikat_p0_k1(const ik_kernel_call *c) {
  const float *u_m1 = c->in[0];
  const float *u = c->in[1];
  const float *u_p1 = c->in[2];
  const float *u_p2 = c->in[3];
  const float *v_m1 = c->in[4];
  const float *v = c->in[5];
  const float *v_p1 = c->in[6];
  const float *v_p2 = c->in[7];
  float *out_u_new = c->out[0];
  float *out_u_new_p1 = c->out[1];
  float *out_v_new = c->out[2];
  float *out_v_new_p1 = c->out[3];
  const float *prefetch_u = c->prefetch[0];
  const float *prefetch_v = c->prefetch[1];
  const int64_t x0 = c->x0;
  const int64_t split = c->split;
  const int64_t x1 = c->x1;
  const int64_t y0 = c->y0;
  const int64_t y1 = c->y1;
  const int64_t z = c->z;
  const ik_f32 k0 = ik_set_f32(0.16f);
  const ik_f32 k1 = ik_set_f32(0.323f);
  const ik_f32 k2 = ik_set_f32(0.037f);
  const ik_f32 k3 = ik_set_f32(0.08f);
  const ik_f32 k4 = ik_set_f32(0.583f);
  for (int64_t y = y0; y < y1; y += 1) {
    int64_t from = split;
    {
      int64_t x = split;
      for (; x + 8 <= x1; x += 8) {
        const float *u_m1_at = &u_m1[x];
        const float *u_at = &u[x];
        const float *u_p1_at = &u_p1[x];
        const float *u_p2_at = &u_p2[x];
        const float *v_m1_at = &v_m1[x];
        const float *v_at = &v[x];
        const float *v_p1_at = &v_p1[x];
        const float *v_p2_at = &v_p2[x];
        float *out_u_new_at = &out_u_new[x];
        float *out_u_new_p1_at = &out_u_new_p1[x];
        float *out_v_new_at = &out_v_new[x];
        float *out_v_new_p1_at = &out_v_new_p1[x];
        const float *prefetch_u_at = &prefetch_u[x];
        const float *prefetch_v_at = &prefetch_v[x];
        const ik_f32 u_m1_x0 = ik_ld_f32(&u_m1_at[0]);
        ik_prefetch(&prefetch_u_at[0]);
        const ik_f32 t1 = ik_fma_f32(k0, u_m1_x0, k2);
        const ik_f32 v_m1_x0 = ik_ld_f32(&v_m1_at[0]);
        const ik_f32 t6 = ik_mul_f32(k3, v_m1_x0);
        const ik_f32 u_x0 = ik_ld_f32(&u_at[0]);
        const ik_f32 v_x0 = ik_ld_f32(&v_at[0]);
        const ik_f32 t0 = ik_mul_f32(u_x0, v_x0);
        const ik_f32 t12 = ik_fma_f32(k0, u_x0, k2);
        const ik_f32 r_z0_x0 = ik_mul_f32(t0, v_x0);
        const ik_f32 t17 = ik_mul_f32(k3, v_x0);
        const ik_f32 u_xm8 = ik_ld_f32(&u_at[-8]);
        const ik_f32 u_xm1 = ik_shift_f32(u_xm8, u_x0, 7);
        const ik_f32 t2 = ik_fma_f32(k0, u_xm1, t1);
        const ik_f32 t3 = ik_fma_f32(k1, u_x0, t2);
        const ik_f32 t4 = ik_sub_f32(t3, r_z0_x0);
        const ik_f32 u_x8 = ik_ld_f32(&u_at[8]);
        const ik_f32 u_x1 = ik_shift_f32(u_x0, u_x8, 1);
        const ik_f32 t5 = ik_fma_f32(k0, u_x1, t4);
        const ik_f32 v_xm8 = ik_ld_f32(&v_at[-8]);
        const ik_f32 v_xm1 = ik_shift_f32(v_xm8, v_x0, 7);
        const ik_f32 t7 = ik_fma_f32(k3, v_xm1, t6);
        const ik_f32 t8 = ik_fma_f32(k4, v_x0, t7);
        const ik_f32 t9 = ik_add_f32(t8, r_z0_x0);
        const ik_f32 v_x8 = ik_ld_f32(&v_at[8]);
        const ik_f32 v_x1 = ik_shift_f32(v_x0, v_x8, 1);
        const ik_f32 t10 = ik_fma_f32(k3, v_x1, t9);
        const ik_f32 u_p1_x0 = ik_ld_f32(&u_p1_at[0]);
        const ik_f32 u_new_z0_x0 = ik_fma_f32(k0, u_p1_x0, t5);
        const ik_f32 v_p1_x0 = ik_ld_f32(&v_p1_at[0]);
        ik_prefetch(&prefetch_v_at[0]);
        const ik_f32 t11 = ik_mul_f32(u_p1_x0, v_p1_x0);
        ik_st_f32(&out_u_new_at[0], u_new_z0_x0);
        const ik_f32 r_z1_x0 = ik_mul_f32(t11, v_p1_x0);
        const ik_f32 v_new_z0_x0 = ik_fma_f32(k3, v_p1_x0, t10);
        const ik_f32 u_p1_xm8 = ik_ld_f32(&u_p1_at[-8]);
        const ik_f32 u_p1_xm1 = ik_shift_f32(u_p1_xm8, u_p1_x0, 7);
        const ik_f32 t13 = ik_fma_f32(k0, u_p1_xm1, t12);
        ik_st_f32(&out_v_new_at[0], v_new_z0_x0);
        const ik_f32 t14 = ik_fma_f32(k1, u_p1_x0, t13);
        const ik_f32 t15 = ik_sub_f32(t14, r_z1_x0);
        const ik_f32 u_p1_x8 = ik_ld_f32(&u_p1_at[8]);
        const ik_f32 u_p1_x1 = ik_shift_f32(u_p1_x0, u_p1_x8, 1);
        const ik_f32 t16 = ik_fma_f32(k0, u_p1_x1, t15);
        const ik_f32 v_p1_xm8 = ik_ld_f32(&v_p1_at[-8]);
        const ik_f32 v_p1_xm1 = ik_shift_f32(v_p1_xm8, v_p1_x0, 7);
        const ik_f32 t18 = ik_fma_f32(k3, v_p1_xm1, t17);
        const ik_f32 t19 = ik_fma_f32(k4, v_p1_x0, t18);
        const ik_f32 t20 = ik_add_f32(t19, r_z1_x0);
        const ik_f32 v_p1_x8 = ik_ld_f32(&v_p1_at[8]);
        const ik_f32 v_p1_x1 = ik_shift_f32(v_p1_x0, v_p1_x8, 1);
        const ik_f32 t21 = ik_fma_f32(k3, v_p1_x1, t20);
        const ik_f32 u_p2_x0 = ik_ld_f32(&u_p2_at[0]);
        const ik_f32 u_new_z1_x0 = ik_fma_f32(k0, u_p2_x0, t16);
        ik_st_f32(&out_u_new_p1_at[0], u_new_z1_x0);
        const ik_f32 v_p2_x0 = ik_ld_f32(&v_p2_at[0]);
        const ik_f32 v_new_z1_x0 = ik_fma_f32(k3, v_p2_x0, t21);
        ik_st_f32(&out_v_new_p1_at[0], v_new_z1_x0);
      }
      from = x;
    }
    if (x0 < split || from < x1) {
      for (int last = 0; last < 2; last += 1) {
        const int64_t end = last ? x1 : split;
        for (int64_t x = last ? from : x0; x < end; x += 8) {
          const int n = end - x < 8 ? (int)(end - x) : 8;
          const float *u_m1_at = &u_m1[x];
          const float *u_at = &u[x];
          const float *u_p1_at = &u_p1[x];
          const float *u_p2_at = &u_p2[x];
          const float *v_m1_at = &v_m1[x];
          const float *v_at = &v[x];
          const float *v_p1_at = &v_p1[x];
          const float *v_p2_at = &v_p2[x];
          float *out_u_new_at = &out_u_new[x];
          float *out_u_new_p1_at = &out_u_new_p1[x];
          float *out_v_new_at = &out_v_new[x];
          float *out_v_new_p1_at = &out_v_new_p1[x];
          const float *prefetch_u_at = &prefetch_u[x];
          const float *prefetch_v_at = &prefetch_v[x];
          const ik_f32 u_m1_x0 = ik_ld_f32(&u_m1_at[0]);
          ik_prefetch(&prefetch_u_at[0]);
          const ik_f32 t1 = ik_fma_f32(k0, u_m1_x0, k2);
          const ik_f32 v_m1_x0 = ik_ld_f32(&v_m1_at[0]);
          const ik_f32 t6 = ik_mul_f32(k3, v_m1_x0);
          const ik_f32 u_x0 = ik_ld_f32(&u_at[0]);
          const ik_f32 v_x0 = ik_ld_f32(&v_at[0]);
          const ik_f32 t0 = ik_mul_f32(u_x0, v_x0);
          const ik_f32 t12 = ik_fma_f32(k0, u_x0, k2);
          const ik_f32 r_z0_x0 = ik_mul_f32(t0, v_x0);
          const ik_f32 t17 = ik_mul_f32(k3, v_x0);
          const ik_f32 u_xm1 = ik_ld_f32(&u_at[-1]);
          const ik_f32 t2 = ik_fma_f32(k0, u_xm1, t1);
          const ik_f32 t3 = ik_fma_f32(k1, u_x0, t2);
          const ik_f32 t4 = ik_sub_f32(t3, r_z0_x0);
          const ik_f32 u_x1 = ik_ld_f32(&u_at[1]);
          const ik_f32 t5 = ik_fma_f32(k0, u_x1, t4);
          const ik_f32 v_xm1 = ik_ld_f32(&v_at[-1]);
          const ik_f32 t7 = ik_fma_f32(k3, v_xm1, t6);
          const ik_f32 t8 = ik_fma_f32(k4, v_x0, t7);
          const ik_f32 t9 = ik_add_f32(t8, r_z0_x0);
          const ik_f32 v_x1 = ik_ld_f32(&v_at[1]);
          const ik_f32 t10 = ik_fma_f32(k3, v_x1, t9);
          const ik_f32 u_p1_x0 = ik_ld_f32(&u_p1_at[0]);
          const ik_f32 u_new_z0_x0 = ik_fma_f32(k0, u_p1_x0, t5);
          const ik_f32 v_p1_x0 = ik_ld_f32(&v_p1_at[0]);
          ik_prefetch(&prefetch_v_at[0]);
          const ik_f32 t11 = ik_mul_f32(u_p1_x0, v_p1_x0);
          ik_stn_f32(&out_u_new_at[0], u_new_z0_x0, n);
          const ik_f32 r_z1_x0 = ik_mul_f32(t11, v_p1_x0);
          const ik_f32 v_new_z0_x0 = ik_fma_f32(k3, v_p1_x0, t10);
          const ik_f32 u_p1_xm1 = ik_ld_f32(&u_p1_at[-1]);
          const ik_f32 t13 = ik_fma_f32(k0, u_p1_xm1, t12);
          ik_stn_f32(&out_v_new_at[0], v_new_z0_x0, n);
          const ik_f32 t14 = ik_fma_f32(k1, u_p1_x0, t13);
          const ik_f32 t15 = ik_sub_f32(t14, r_z1_x0);
          const ik_f32 u_p1_x1 = ik_ld_f32(&u_p1_at[1]);
          const ik_f32 t16 = ik_fma_f32(k0, u_p1_x1, t15);
          const ik_f32 v_p1_xm1 = ik_ld_f32(&v_p1_at[-1]);
          const ik_f32 t18 = ik_fma_f32(k3, v_p1_xm1, t17);
          const ik_f32 t19 = ik_fma_f32(k4, v_p1_x0, t18);
          const ik_f32 t20 = ik_add_f32(t19, r_z1_x0);
          const ik_f32 v_p1_x1 = ik_ld_f32(&v_p1_at[1]);
          const ik_f32 t21 = ik_fma_f32(k3, v_p1_x1, t20);
          const ik_f32 u_p2_x0 = ik_ld_f32(&u_p2_at[0]);
          const ik_f32 u_new_z1_x0 = ik_fma_f32(k0, u_p2_x0, t16);
          ik_stn_f32(&out_u_new_p1_at[0], u_new_z1_x0, n);
          const ik_f32 v_p2_x0 = ik_ld_f32(&v_p2_at[0]);
          const ik_f32 v_new_z1_x0 = ik_fma_f32(k3, v_p2_x0, t21);
          ik_stn_f32(&out_v_new_p1_at[0], v_new_z1_x0, n);
        }
      }
    }
  }
}

void ikat_p0_k1_one(const ik_kernel_call *c) {
  const float *u_m1 = c->in[0];
  const float *u = c->in[1];
  const float *u_p1 = c->in[2];
  const float *v_m1 = c->in[3];
  const float *v = c->in[4];
  const float *v_p1 = c->in[5];
  float *out_u_new = c->out[0];
  float *out_v_new = c->out[1];
  const float *prefetch_u = c->prefetch[0];
  const float *prefetch_v = c->prefetch[1];
  const int64_t x0 = c->x0;
  const int64_t split = c->split;
  const int64_t x1 = c->x1;
  const int64_t y0 = c->y0;
  const int64_t y1 = c->y1;
  const int64_t z = c->z;
  const ik_f32 k0 = ik_set_f32(0.16f);
  const ik_f32 k1 = ik_set_f32(0.323f);
  const ik_f32 k2 = ik_set_f32(0.037f);
  const ik_f32 k3 = ik_set_f32(0.08f);
  const ik_f32 k4 = ik_set_f32(0.583f);
  for (int64_t y = y0; y < y1; y += 1) {
    int64_t from = split;
    {
      int64_t x = split;
      for (; x + 8 <= x1; x += 8) {
        const float *u_m1_at = &u_m1[x];
        const float *u_at = &u[x];
        const float *u_p1_at = &u_p1[x];
        const float *v_m1_at = &v_m1[x];
        const float *v_at = &v[x];
        const float *v_p1_at = &v_p1[x];
        float *out_u_new_at = &out_u_new[x];
        float *out_v_new_at = &out_v_new[x];
        const float *prefetch_u_at = &prefetch_u[x];
        const float *prefetch_v_at = &prefetch_v[x];
        const ik_f32 u_m1_x0 = ik_ld_f32(&u_m1_at[0]);
        ik_prefetch(&prefetch_u_at[0]);
        const ik_f32 t1 = ik_fma_f32(k0, u_m1_x0, k2);
        const ik_f32 v_m1_x0 = ik_ld_f32(&v_m1_at[0]);
        const ik_f32 t6 = ik_mul_f32(k3, v_m1_x0);
        const ik_f32 u_x0 = ik_ld_f32(&u_at[0]);
        const ik_f32 v_x0 = ik_ld_f32(&v_at[0]);
        const ik_f32 t0 = ik_mul_f32(u_x0, v_x0);
        const ik_f32 r_x0 = ik_mul_f32(t0, v_x0);
        const ik_f32 u_xm8 = ik_ld_f32(&u_at[-8]);
        const ik_f32 u_xm1 = ik_shift_f32(u_xm8, u_x0, 7);
        const ik_f32 t2 = ik_fma_f32(k0, u_xm1, t1);
        const ik_f32 t3 = ik_fma_f32(k1, u_x0, t2);
        const ik_f32 t4 = ik_sub_f32(t3, r_x0);
        const ik_f32 u_x8 = ik_ld_f32(&u_at[8]);
        const ik_f32 u_x1 = ik_shift_f32(u_x0, u_x8, 1);
        const ik_f32 t5 = ik_fma_f32(k0, u_x1, t4);
        ik_prefetch(&prefetch_v_at[0]);
        const ik_f32 v_xm8 = ik_ld_f32(&v_at[-8]);
        const ik_f32 v_xm1 = ik_shift_f32(v_xm8, v_x0, 7);
        const ik_f32 t7 = ik_fma_f32(k3, v_xm1, t6);
        const ik_f32 t8 = ik_fma_f32(k4, v_x0, t7);
        const ik_f32 t9 = ik_add_f32(t8, r_x0);
        const ik_f32 v_x8 = ik_ld_f32(&v_at[8]);
        const ik_f32 v_x1 = ik_shift_f32(v_x0, v_x8, 1);
        const ik_f32 t10 = ik_fma_f32(k3, v_x1, t9);
        const ik_f32 u_p1_x0 = ik_ld_f32(&u_p1_at[0]);
        const ik_f32 u_new_x0 = ik_fma_f32(k0, u_p1_x0, t5);
        ik_st_f32(&out_u_new_at[0], u_new_x0);
        const ik_f32 v_p1_x0 = ik_ld_f32(&v_p1_at[0]);
        const ik_f32 v_new_x0 = ik_fma_f32(k3, v_p1_x0, t10);
        ik_st_f32(&out_v_new_at[0], v_new_x0);
      }
      from = x;
    }
    if (x0 < split || from < x1) {
      for (int last = 0; last < 2; last += 1) {
        const int64_t end = last ? x1 : split;
        for (int64_t x = last ? from : x0; x < end; x += 8) {
          const int n = end - x < 8 ? (int)(end - x) : 8;
          const float *u_m1_at = &u_m1[x];
          const float *u_at = &u[x];
          const float *u_p1_at = &u_p1[x];
          const float *v_m1_at = &v_m1[x];
          const float *v_at = &v[x];
          const float *v_p1_at = &v_p1[x];
          float *out_u_new_at = &out_u_new[x];
          float *out_v_new_at = &out_v_new[x];
          const float *prefetch_u_at = &prefetch_u[x];
          const float *prefetch_v_at = &prefetch_v[x];
          const ik_f32 u_m1_x0 = ik_ld_f32(&u_m1_at[0]);
          ik_prefetch(&prefetch_u_at[0]);
          const ik_f32 t1 = ik_fma_f32(k0, u_m1_x0, k2);
          const ik_f32 v_m1_x0 = ik_ld_f32(&v_m1_at[0]);
          const ik_f32 t6 = ik_mul_f32(k3, v_m1_x0);
          const ik_f32 u_x0 = ik_ld_f32(&u_at[0]);
          const ik_f32 v_x0 = ik_ld_f32(&v_at[0]);
          const ik_f32 t0 = ik_mul_f32(u_x0, v_x0);
          const ik_f32 r_x0 = ik_mul_f32(t0, v_x0);
          const ik_f32 u_xm1 = ik_ld_f32(&u_at[-1]);
          const ik_f32 t2 = ik_fma_f32(k0, u_xm1, t1);
          const ik_f32 t3 = ik_fma_f32(k1, u_x0, t2);
          const ik_f32 t4 = ik_sub_f32(t3, r_x0);
          const ik_f32 u_x1 = ik_ld_f32(&u_at[1]);
          const ik_f32 t5 = ik_fma_f32(k0, u_x1, t4);
          ik_prefetch(&prefetch_v_at[0]);
          const ik_f32 v_xm1 = ik_ld_f32(&v_at[-1]);
          const ik_f32 t7 = ik_fma_f32(k3, v_xm1, t6);
          const ik_f32 t8 = ik_fma_f32(k4, v_x0, t7);
          const ik_f32 t9 = ik_add_f32(t8, r_x0);
          const ik_f32 v_x1 = ik_ld_f32(&v_at[1]);
          const ik_f32 t10 = ik_fma_f32(k3, v_x1, t9);
          const ik_f32 u_p1_x0 = ik_ld_f32(&u_p1_at[0]);
          const ik_f32 u_new_x0 = ik_fma_f32(k0, u_p1_x0, t5);
          ik_stn_f32(&out_u_new_at[0], u_new_x0, n);
          const ik_f32 v_p1_x0 = ik_ld_f32(&v_p1_at[0]);
          const ik_f32 v_new_x0 = ik_fma_f32(k3, v_p1_x0, t10);
          ik_stn_f32(&out_v_new_at[0], v_new_x0, n);
        }
      }
    }
  }
}
/* two-fields
 *
 * program two-fields
 * plan fuse: 2 steps, tile 32 x all, 2 rows x 1 vector of 32 bytes, shifted neighbours
 * made by ikat 0.1.0 */
#define IK_LANES 8
#define IK_VECTOR_BYTES 32
#include "kernel.h"
#include "simd.h"

/* r, u', v': 2 planes x 1 row x 1 vector at a time */
void ikat_p1_k0(const ik_kernel_call *c) {
  const float *u_m1 = c->in[0];
  const float *u = c->in[1];
  const float *u_p1 = c->in[2];
  const float *u_p2 = c->in[3];
  const float *v_m1 = c->in[4];
  const float *v = c->in[5];
  const float *v_p1 = c->in[6];
  const float *v_p2 = c->in[7];
  float *out_u_new = c->out[0];
  float *out_u_new_p1 = c->out[1];
  float *out_v_new = c->out[2];
  float *out_v_new_p1 = c->out[3];
  const float *prefetch_u = c->prefetch[0];
  const float *prefetch_v = c->prefetch[1];
  const int64_t x0 = c->x0;
  const int64_t split = c->split;
  const int64_t x1 = c->x1;
  const int64_t y0 = c->y0;
  const int64_t y1 = c->y1;
  const int64_t z = c->z;
  const ik_f32 k0 = ik_set_f32(0.16f);
  const ik_f32 k1 = ik_set_f32(0.323f);
  const ik_f32 k2 = ik_set_f32(0.037f);
  const ik_f32 k3 = ik_set_f32(0.08f);
  const ik_f32 k4 = ik_set_f32(0.583f);
  for (int64_t y = y0; y < y1; y += 1) {
    int64_t from = split;
    {
      int64_t x = split;
      for (; x + 8 <= x1; x += 8) {
        const float *u_m1_at = &u_m1[x];
        const float *u_at = &u[x];
        const float *u_p1_at = &u_p1[x];
        const float *u_p2_at = &u_p2[x];
        const float *v_m1_at = &v_m1[x];
        const float *v_at = &v[x];
        const float *v_p1_at = &v_p1[x];
        const float *v_p2_at = &v_p2[x];
        float *out_u_new_at = &out_u_new[x];
        float *out_u_new_p1_at = &out_u_new_p1[x];
        float *out_v_new_at = &out_v_new[x];
        float *out_v_new_p1_at = &out_v_new_p1[x];
        const float *prefetch_u_at = &prefetch_u[x];
        const float *prefetch_v_at = &prefetch_v[x];
        const ik_f32 u_m1_x0 = ik_ld_f32(&u_m1_at[0]);
        ik_prefetch(&prefetch_u_at[0]);
        const ik_f32 t1 = ik_fma_f32(k0, u_m1_x0, k2);
        const ik_f32 v_m1_x0 = ik_ld_f32(&v_m1_at[0]);
        const ik_f32 t6 = ik_mul_f32(k3, v_m1_x0);
        const ik_f32 u_x0 = ik_ld_f32(&u_at[0]);
        const ik_f32 v_x0 = ik_ld_f32(&v_at[0]);
        const ik_f32 t0 = ik_mul_f32(u_x0, v_x0);
        const ik_f32 t12 = ik_fma_f32(k0, u_x0, k2);
        const ik_f32 r_z0_x0 = ik_mul_f32(t0, v_x0);
        const ik_f32 t17 = ik_mul_f32(k3, v_x0);
        const ik_f32 u_xm1 = ik_ld_f32(&u_at[-1]);
        const ik_f32 t2 = ik_fma_f32(k0, u_xm1, t1);
        const ik_f32 t3 = ik_fma_f32(k1, u_x0, t2);
        const ik_f32 t4 = ik_sub_f32(t3, r_z0_x0);
        const ik_f32 u_x1 = ik_ld_f32(&u_at[1]);
        const ik_f32 t5 = ik_fma_f32(k0, u_x1, t4);
        const ik_f32 v_xm1 = ik_ld_f32(&v_at[-1]);
        const ik_f32 t7 = ik_fma_f32(k3, v_xm1, t6);
        const ik_f32 t8 = ik_fma_f32(k4, v_x0, t7);
        const ik_f32 t9 = ik_add_f32(t8, r_z0_x0);
        const ik_f32 v_x1 = ik_ld_f32(&v_at[1]);
        const ik_f32 t10 = ik_fma_f32(k3, v_x1, t9);
        const ik_f32 u_p1_x0 = ik_ld_f32(&u_p1_at[0]);
        const ik_f32 u_new_z0_x0 = ik_fma_f32(k0, u_p1_x0, t5);
        const ik_f32 v_p1_x0 = ik_ld_f32(&v_p1_at[0]);
        ik_prefetch(&prefetch_v_at[0]);
        const ik_f32 t11 = ik_mul_f32(u_p1_x0, v_p1_x0);
        ik_st_f32(&out_u_new_at[0], u_new_z0_x0);
        const ik_f32 r_z1_x0 = ik_mul_f32(t11, v_p1_x0);
        const ik_f32 v_new_z0_x0 = ik_fma_f32(k3, v_p1_x0, t10);
        const ik_f32 u_p1_xm1 = ik_ld_f32(&u_p1_at[-1]);
        const ik_f32 t13 = ik_fma_f32(k0, u_p1_xm1, t12);
        ik_st_f32(&out_v_new_at[0], v_new_z0_x0);
        const ik_f32 t14 = ik_fma_f32(k1, u_p1_x0, t13);
        const ik_f32 t15 = ik_sub_f32(t14, r_z1_x0);
        const ik_f32 u_p1_x1 = ik_ld_f32(&u_p1_at[1]);
        const ik_f32 t16 = ik_fma_f32(k0, u_p1_x1, t15);
        const ik_f32 v_p1_xm1 = ik_ld_f32(&v_p1_at[-1]);
        const ik_f32 t18 = ik_fma_f32(k3, v_p1_xm1, t17);
        const ik_f32 t19 = ik_fma_f32(k4, v_p1_x0, t18);
        const ik_f32 t20 = ik_add_f32(t19, r_z1_x0);
        const ik_f32 v_p1_x1 = ik_ld_f32(&v_p1_at[1]);
        const ik_f32 t21 = ik_fma_f32(k3, v_p1_x1, t20);
        const ik_f32 u_p2_x0 = ik_ld_f32(&u_p2_at[0]);
        const ik_f32 u_new_z1_x0 = ik_fma_f32(k0, u_p2_x0, t16);
        ik_st_f32(&out_u_new_p1_at[0], u_new_z1_x0);
        const ik_f32 v_p2_x0 = ik_ld_f32(&v_p2_at[0]);
        const ik_f32 v_new_z1_x0 = ik_fma_f32(k3, v_p2_x0, t21);
        ik_st_f32(&out_v_new_p1_at[0], v_new_z1_x0);
        ik_prefetch_store(&out_u_new_at[176]);
        ik_prefetch_store(&out_u_new_p1_at[176]);
        ik_prefetch_store(&out_v_new_at[176]);
        ik_prefetch_store(&out_v_new_p1_at[176]);
      }
      from = x;
    }
    if (x0 < split || from < x1) {
      for (int last = 0; last < 2; last += 1) {
        const int64_t end = last ? x1 : split;
        for (int64_t x = last ? from : x0; x < end; x += 8) {
          const int n = end - x < 8 ? (int)(end - x) : 8;
          const float *u_m1_at = &u_m1[x];
          const float *u_at = &u[x];
          const float *u_p1_at = &u_p1[x];
          const float *u_p2_at = &u_p2[x];
          const float *v_m1_at = &v_m1[x];
          const float *v_at = &v[x];
          const float *v_p1_at = &v_p1[x];
          const float *v_p2_at = &v_p2[x];
          float *out_u_new_at = &out_u_new[x];
          float *out_u_new_p1_at = &out_u_new_p1[x];
          float *out_v_new_at = &out_v_new[x];
          float *out_v_new_p1_at = &out_v_new_p1[x];
          const float *prefetch_u_at = &prefetch_u[x];
          const float *prefetch_v_at = &prefetch_v[x];
          const ik_f32 u_m1_x0 = ik_ld_f32(&u_m1_at[0]);
          ik_prefetch(&prefetch_u_at[0]);
          const ik_f32 t1 = ik_fma_f32(k0, u_m1_x0, k2);
          const ik_f32 v_m1_x0 = ik_ld_f32(&v_m1_at[0]);
          const ik_f32 t6 = ik_mul_f32(k3, v_m1_x0);
          const ik_f32 u_x0 = ik_ld_f32(&u_at[0]);
          const ik_f32 v_x0 = ik_ld_f32(&v_at[0]);
          const ik_f32 t0 = ik_mul_f32(u_x0, v_x0);
          const ik_f32 t12 = ik_fma_f32(k0, u_x0, k2);
          const ik_f32 r_z0_x0 = ik_mul_f32(t0, v_x0);
          const ik_f32 t17 = ik_mul_f32(k3, v_x0);
          const ik_f32 u_xm1 = ik_ld_f32(&u_at[-1]);
          const ik_f32 t2 = ik_fma_f32(k0, u_xm1, t1);
          const ik_f32 t3 = ik_fma_f32(k1, u_x0, t2);
          const ik_f32 t4 = ik_sub_f32(t3, r_z0_x0);
          const ik_f32 u_x1 = ik_ld_f32(&u_at[1]);
          const ik_f32 t5 = ik_fma_f32(k0, u_x1, t4);
          const ik_f32 v_xm1 = ik_ld_f32(&v_at[-1]);
          const ik_f32 t7 = ik_fma_f32(k3, v_xm1, t6);
          const ik_f32 t8 = ik_fma_f32(k4, v_x0, t7);
          const ik_f32 t9 = ik_add_f32(t8, r_z0_x0);
          const ik_f32 v_x1 = ik_ld_f32(&v_at[1]);
          const ik_f32 t10 = ik_fma_f32(k3, v_x1, t9);
          const ik_f32 u_p1_x0 = ik_ld_f32(&u_p1_at[0]);
          const ik_f32 u_new_z0_x0 = ik_fma_f32(k0, u_p1_x0, t5);
          const ik_f32 v_p1_x0 = ik_ld_f32(&v_p1_at[0]);
          ik_prefetch(&prefetch_v_at[0]);
          const ik_f32 t11 = ik_mul_f32(u_p1_x0, v_p1_x0);
          ik_stn_f32(&out_u_new_at[0], u_new_z0_x0, n);
          const ik_f32 r_z1_x0 = ik_mul_f32(t11, v_p1_x0);
          const ik_f32 v_new_z0_x0 = ik_fma_f32(k3, v_p1_x0, t10);
          const ik_f32 u_p1_xm1 = ik_ld_f32(&u_p1_at[-1]);
          const ik_f32 t13 = ik_fma_f32(k0, u_p1_xm1, t12);
          ik_stn_f32(&out_v_new_at[0], v_new_z0_x0, n);
          const ik_f32 t14 = ik_fma_f32(k1, u_p1_x0, t13);
          const ik_f32 t15 = ik_sub_f32(t14, r_z1_x0);
          const ik_f32 u_p1_x1 = ik_ld_f32(&u_p1_at[1]);
          const ik_f32 t16 = ik_fma_f32(k0, u_p1_x1, t15);
          const ik_f32 v_p1_xm1 = ik_ld_f32(&v_p1_at[-1]);
          const ik_f32 t18 = ik_fma_f32(k3, v_p1_xm1, t17);
          const ik_f32 t19 = ik_fma_f32(k4, v_p1_x0, t18);
          const ik_f32 t20 = ik_add_f32(t19, r_z1_x0);
          const ik_f32 v_p1_x1 = ik_ld_f32(&v_p1_at[1]);
          const ik_f32 t21 = ik_fma_f32(k3, v_p1_x1, t20);
          const ik_f32 u_p2_x0 = ik_ld_f32(&u_p2_at[0]);
          const ik_f32 u_new_z1_x0 = ik_fma_f32(k0, u_p2_x0, t16);
          ik_stn_f32(&out_u_new_p1_at[0], u_new_z1_x0, n);
          const ik_f32 v_p2_x0 = ik_ld_f32(&v_p2_at[0]);
          const ik_f32 v_new_z1_x0 = ik_fma_f32(k3, v_p2_x0, t21);
          ik_stn_f32(&out_v_new_p1_at[0], v_new_z1_x0, n);
          ik_prefetch_store(&out_u_new_at[176]);
          ik_prefetch_store(&out_u_new_p1_at[176]);
          ik_prefetch_store(&out_v_new_at[176]);
          ik_prefetch_store(&out_v_new_p1_at[176]);
        }
      }
    }
  }
}

void ikat_p1_k0_one(const ik_kernel_call *c) {
  const float *u_m1 = c->in[0];
  const float *u = c->in[1];
  const float *u_p1 = c->in[2];
  const float *v_m1 = c->in[3];
  const float *v = c->in[4];
  const float *v_p1 = c->in[5];
  float *out_u_new = c->out[0];
  float *out_v_new = c->out[1];
  const float *prefetch_u = c->prefetch[0];
  const float *prefetch_v = c->prefetch[1];
  const int64_t x0 = c->x0;
  const int64_t split = c->split;
  const int64_t x1 = c->x1;
  const int64_t y0 = c->y0;
  const int64_t y1 = c->y1;
  const int64_t z = c->z;
  const ik_f32 k0 = ik_set_f32(0.16f);
  const ik_f32 k1 = ik_set_f32(0.323f);
  const ik_f32 k2 = ik_set_f32(0.037f);
  const ik_f32 k3 = ik_set_f32(0.08f);
  const ik_f32 k4 = ik_set_f32(0.583f);
  for (int64_t y = y0; y < y1; y += 1) {
    int64_t from = split;
    {
      int64_t x = split;
      for (; x + 8 <= x1; x += 8) {
        const float *u_m1_at = &u_m1[x];
        const float *u_at = &u[x];
        const float *u_p1_at = &u_p1[x];
        const float *v_m1_at = &v_m1[x];
        const float *v_at = &v[x];
        const float *v_p1_at = &v_p1[x];
        float *out_u_new_at = &out_u_new[x];
        float *out_v_new_at = &out_v_new[x];
        const float *prefetch_u_at = &prefetch_u[x];
        const float *prefetch_v_at = &prefetch_v[x];
        const ik_f32 u_m1_x0 = ik_ld_f32(&u_m1_at[0]);
        ik_prefetch(&prefetch_u_at[0]);
        const ik_f32 t1 = ik_fma_f32(k0, u_m1_x0, k2);
        const ik_f32 v_m1_x0 = ik_ld_f32(&v_m1_at[0]);
        const ik_f32 t6 = ik_mul_f32(k3, v_m1_x0);
        const ik_f32 u_x0 = ik_ld_f32(&u_at[0]);
        const ik_f32 v_x0 = ik_ld_f32(&v_at[0]);
        const ik_f32 t0 = ik_mul_f32(u_x0, v_x0);
        const ik_f32 r_x0 = ik_mul_f32(t0, v_x0);
        const ik_f32 u_xm1 = ik_ld_f32(&u_at[-1]);
        const ik_f32 t2 = ik_fma_f32(k0, u_xm1, t1);
        const ik_f32 t3 = ik_fma_f32(k1, u_x0, t2);
        const ik_f32 t4 = ik_sub_f32(t3, r_x0);
        const ik_f32 u_x1 = ik_ld_f32(&u_at[1]);
        const ik_f32 t5 = ik_fma_f32(k0, u_x1, t4);
        ik_prefetch(&prefetch_v_at[0]);
        const ik_f32 v_xm1 = ik_ld_f32(&v_at[-1]);
        const ik_f32 t7 = ik_fma_f32(k3, v_xm1, t6);
        const ik_f32 t8 = ik_fma_f32(k4, v_x0, t7);
        const ik_f32 t9 = ik_add_f32(t8, r_x0);
        const ik_f32 v_x1 = ik_ld_f32(&v_at[1]);
        const ik_f32 t10 = ik_fma_f32(k3, v_x1, t9);
        const ik_f32 u_p1_x0 = ik_ld_f32(&u_p1_at[0]);
        const ik_f32 u_new_x0 = ik_fma_f32(k0, u_p1_x0, t5);
        ik_st_f32(&out_u_new_at[0], u_new_x0);
        const ik_f32 v_p1_x0 = ik_ld_f32(&v_p1_at[0]);
        const ik_f32 v_new_x0 = ik_fma_f32(k3, v_p1_x0, t10);
        ik_st_f32(&out_v_new_at[0], v_new_x0);
        ik_prefetch_store(&out_u_new_at[176]);
        ik_prefetch_store(&out_v_new_at[176]);
      }
      from = x;
    }
    if (x0 < split || from < x1) {
      for (int last = 0; last < 2; last += 1) {
        const int64_t end = last ? x1 : split;
        for (int64_t x = last ? from : x0; x < end; x += 8) {
          const int n = end - x < 8 ? (int)(end - x) : 8;
          const float *u_m1_at = &u_m1[x];
          const float *u_at = &u[x];
          const float *u_p1_at = &u_p1[x];
          const float *v_m1_at = &v_m1[x];
          const float *v_at = &v[x];
          const float *v_p1_at = &v_p1[x];
          float *out_u_new_at = &out_u_new[x];
          float *out_v_new_at = &out_v_new[x];
          const float *prefetch_u_at = &prefetch_u[x];
          const float *prefetch_v_at = &prefetch_v[x];
          const ik_f32 u_m1_x0 = ik_ld_f32(&u_m1_at[0]);
          ik_prefetch(&prefetch_u_at[0]);
          const ik_f32 t1 = ik_fma_f32(k0, u_m1_x0, k2);
          const ik_f32 v_m1_x0 = ik_ld_f32(&v_m1_at[0]);
          const ik_f32 t6 = ik_mul_f32(k3, v_m1_x0);
          const ik_f32 u_x0 = ik_ld_f32(&u_at[0]);
          const ik_f32 v_x0 = ik_ld_f32(&v_at[0]);
          const ik_f32 t0 = ik_mul_f32(u_x0, v_x0);
          const ik_f32 r_x0 = ik_mul_f32(t0, v_x0);
          const ik_f32 u_xm1 = ik_ld_f32(&u_at[-1]);
          const ik_f32 t2 = ik_fma_f32(k0, u_xm1, t1);
          const ik_f32 t3 = ik_fma_f32(k1, u_x0, t2);
          const ik_f32 t4 = ik_sub_f32(t3, r_x0);
          const ik_f32 u_x1 = ik_ld_f32(&u_at[1]);
          const ik_f32 t5 = ik_fma_f32(k0, u_x1, t4);
          ik_prefetch(&prefetch_v_at[0]);
          const ik_f32 v_xm1 = ik_ld_f32(&v_at[-1]);
          const ik_f32 t7 = ik_fma_f32(k3, v_xm1, t6);
          const ik_f32 t8 = ik_fma_f32(k4, v_x0, t7);
          const ik_f32 t9 = ik_add_f32(t8, r_x0);
          const ik_f32 v_x1 = ik_ld_f32(&v_at[1]);
          const ik_f32 t10 = ik_fma_f32(k3, v_x1, t9);
          const ik_f32 u_p1_x0 = ik_ld_f32(&u_p1_at[0]);
          const ik_f32 u_new_x0 = ik_fma_f32(k0, u_p1_x0, t5);
          ik_stn_f32(&out_u_new_at[0], u_new_x0, n);
          const ik_f32 v_p1_x0 = ik_ld_f32(&v_p1_at[0]);
          const ik_f32 v_new_x0 = ik_fma_f32(k3, v_p1_x0, t10);
          ik_stn_f32(&out_v_new_at[0], v_new_x0, n);
          ik_prefetch_store(&out_u_new_at[176]);
          ik_prefetch_store(&out_v_new_at[176]);
        }
      }
    }
  }
}
