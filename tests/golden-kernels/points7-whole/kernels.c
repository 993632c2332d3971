/* points7-whole
 *
 * program points7-whole
 * plan sweep: 1 step, tile all x 16 x all, 1 row x 2 vectors of 64 bytes, shifted neighbours, in
 * place
 * made by ikat 0.1.0 */
#define IK_LANES 16
#define IK_VECTOR_BYTES 64
#include "kernel.h"
#include "simd.h"

/* u': 1 plane x 1 row x 2 vectors at a time */
void ikat_p0_k0(const ik_kernel_call *c) {
  const float *u_m1 = c->in[0];
  const float *u = c->in[1];
  const float *u_p1 = c->in[2];
  float *out_u_new = c->out[0];
  const float *prefetch_u = c->prefetch[0];
  const int64_t x0 = c->x0;
  const int64_t split = c->split;
  const int64_t x1 = c->x1;
  const int64_t y0 = c->y0;
  const int64_t y1 = c->y1;
  const int64_t z = c->z;
  const ik_f32 k0 = ik_set_f32(0.1f);
  const ik_f32 k1 = ik_set_f32(0.4f);
  for (int64_t y = y0; y < y1; y += 1) {
    int64_t x = split;
    for (; x + 32 <= x1; x += 32) {
      const float *u_m1_at = &u_m1[y * 64 + x];
      const float *u_at = &u[y * 64 + x];
      const float *u_p1_at = &u_p1[y * 64 + x];
      float *out_u_new_at = &out_u_new[y * 64 + x];
      const float *prefetch_u_at = &prefetch_u[y * 64 + x];
      const ik_f32 u_m1_y0_x0 = ik_ld_f32(&u_m1_at[0]);
      ik_prefetch(&prefetch_u_at[0]);
      const ik_f32 t0 = ik_mul_f32(k0, u_m1_y0_x0);
      const ik_f32 u_m1_y0_x16 = ik_ld_f32(&u_m1_at[16]);
      const ik_f32 t6 = ik_mul_f32(k0, u_m1_y0_x16);
      const ik_f32 u_ym1_x0 = ik_ld_f32(&u_at[-64]);
      const ik_f32 t1 = ik_fma_f32(k0, u_ym1_x0, t0);
      const ik_f32 u_ym1_x16 = ik_ld_f32(&u_at[-64 + 16]);
      const ik_f32 t7 = ik_fma_f32(k0, u_ym1_x16, t6);
      const ik_f32 u_y0_xm16 = ik_ldif_f32(x > 0, &u_at[-16], 1.0f);
      const ik_f32 u_y0_x0 = ik_ld_f32(&u_at[0]);
      const ik_f32 u_y0_xm1 = ik_shift_f32(u_y0_xm16, u_y0_x0, 15);
      const ik_f32 t2 = ik_fma_f32(k0, u_y0_xm1, t1);
      const ik_f32 u_y0_x16 = ik_ld_f32(&u_at[16]);
      const ik_f32 u_y0_x15 = ik_shift_f32(u_y0_x0, u_y0_x16, 15);
      const ik_f32 t8 = ik_fma_f32(k0, u_y0_x15, t7);
      const ik_f32 t3 = ik_fma_f32(k1, u_y0_x0, t2);
      const ik_f32 t9 = ik_fma_f32(k1, u_y0_x16, t8);
      ik_prefetch(&prefetch_u_at[16]);
      const ik_f32 u_y0_x1 = ik_shift_f32(u_y0_x0, u_y0_x16, 1);
      const ik_f32 t4 = ik_fma_f32(k0, u_y0_x1, t3);
      const ik_f32 u_y0_x32 = ik_ldif_f32(x < 32, &u_at[32], -0.5f);
      const ik_f32 u_y0_x17 = ik_shift_f32(u_y0_x16, u_y0_x32, 1);
      const ik_f32 t10 = ik_fma_f32(k0, u_y0_x17, t9);
      const ik_f32 u_y1_x0 = ik_ld_f32(&u_at[64]);
      const ik_f32 t5 = ik_fma_f32(k0, u_y1_x0, t4);
      const ik_f32 u_y1_x16 = ik_ld_f32(&u_at[64 + 16]);
      const ik_f32 t11 = ik_fma_f32(k0, u_y1_x16, t10);
      const ik_f32 u_p1_y0_x0 = ik_ld_f32(&u_p1_at[0]);
      const ik_f32 u_new_y0_x0 = ik_fma_f32(k0, u_p1_y0_x0, t5);
      const ik_f32 u_p1_y0_x16 = ik_ld_f32(&u_p1_at[16]);
      const ik_f32 u_new_y0_x16 = ik_fma_f32(k0, u_p1_y0_x16, t11);
      ik_st_f32(&out_u_new_at[0], u_new_y0_x0);
      ik_st_f32(&out_u_new_at[16], u_new_y0_x16);
      ik_prefetch_store(&out_u_new_at[512]);
      ik_prefetch_store(&out_u_new_at[528]);
    }
  }
}

void ikat_p0_k0_one(const ik_kernel_call *c) {
  ikat_p0_k0(c);
}

/* u': 1 plane x 1 row x 1 vector at a time */
void ikat_p0_k1(const ik_kernel_call *c) {
  const float *u_m1 = c->in[0];
  const float *u = c->in[1];
  const float *u_p1 = c->in[2];
  float *out_u_new = c->out[0];
  const int64_t x0 = c->x0;
  const int64_t split = c->split;
  const int64_t x1 = c->x1;
  const int64_t y0 = c->y0;
  const int64_t y1 = c->y1;
  const int64_t z = c->z;
  const ik_f32 k0 = ik_set_f32(0.1f);
  const ik_f32 k1 = ik_set_f32(0.4f);
  for (int64_t y = y0; y < y1; y += 1) {
    int64_t from = split;
    {
      int64_t x = split;
      for (; x + 16 <= x1; x += 16) {
        const float *u_m1_at = &u_m1[y * 96 + x];
        const float *u_at = &u[y * 96 + x];
        const float *u_p1_at = &u_p1[y * 96 + x];
        float *out_u_new_at = &out_u_new[y * 64 + x];
        const ik_f32 u_m1_y0_x0 = ik_ld_f32(&u_m1_at[0]);
        const ik_f32 t0 = ik_mul_f32(k0, u_m1_y0_x0);
        const ik_f32 u_ym1_x0 = ik_ld_f32(&u_at[-96]);
        const ik_f32 t1 = ik_fma_f32(k0, u_ym1_x0, t0);
        const ik_f32 u_y0_xm16 = ik_ld_f32(&u_at[-16]);
        const ik_f32 u_y0_x0 = ik_ld_f32(&u_at[0]);
        const ik_f32 u_y0_xm1 = ik_shift_f32(u_y0_xm16, u_y0_x0, 15);
        const ik_f32 t2 = ik_fma_f32(k0, u_y0_xm1, t1);
        const ik_f32 t3 = ik_fma_f32(k1, u_y0_x0, t2);
        const ik_f32 u_y0_x16 = ik_ld_f32(&u_at[16]);
        const ik_f32 u_y0_x1 = ik_shift_f32(u_y0_x0, u_y0_x16, 1);
        const ik_f32 t4 = ik_fma_f32(k0, u_y0_x1, t3);
        const ik_f32 u_y1_x0 = ik_ld_f32(&u_at[96]);
        const ik_f32 t5 = ik_fma_f32(k0, u_y1_x0, t4);
        const ik_f32 u_p1_y0_x0 = ik_ld_f32(&u_p1_at[0]);
        const ik_f32 u_new_y0_x0 = ik_fma_f32(k0, u_p1_y0_x0, t5);
        ik_st_f32(&out_u_new_at[0], u_new_y0_x0);
        ik_prefetch_store(&out_u_new_at[512]);
      }
      from = x;
    }
    if (x0 < split || from < x1) {
      for (int last = 0; last < 2; last += 1) {
        const int64_t end = last ? x1 : split;
        for (int64_t x = last ? from : x0; x < end; x += 16) {
          const int n = end - x < 16 ? (int)(end - x) : 16;
          const float *u_m1_at = &u_m1[y * 96 + x];
          const float *u_at = &u[y * 96 + x];
          const float *u_p1_at = &u_p1[y * 96 + x];
          float *out_u_new_at = &out_u_new[y * 64 + x];
          const ik_f32 u_m1_y0_x0 = ik_ld_f32(&u_m1_at[0]);
          const ik_f32 t0 = ik_mul_f32(k0, u_m1_y0_x0);
          const ik_f32 u_ym1_x0 = ik_ld_f32(&u_at[-96]);
          const ik_f32 t1 = ik_fma_f32(k0, u_ym1_x0, t0);
          const ik_f32 u_y0_xm1 = ik_ld_f32(&u_at[-1]);
          const ik_f32 t2 = ik_fma_f32(k0, u_y0_xm1, t1);
          const ik_f32 u_y0_x0 = ik_ld_f32(&u_at[0]);
          const ik_f32 t3 = ik_fma_f32(k1, u_y0_x0, t2);
          const ik_f32 u_y0_x1 = ik_ld_f32(&u_at[1]);
          const ik_f32 t4 = ik_fma_f32(k0, u_y0_x1, t3);
          const ik_f32 u_y1_x0 = ik_ld_f32(&u_at[96]);
          const ik_f32 t5 = ik_fma_f32(k0, u_y1_x0, t4);
          const ik_f32 u_p1_y0_x0 = ik_ld_f32(&u_p1_at[0]);
          const ik_f32 u_new_y0_x0 = ik_fma_f32(k0, u_p1_y0_x0, t5);
          ik_stn_f32(&out_u_new_at[0], u_new_y0_x0, n);
          ik_prefetch_store(&out_u_new_at[512]);
        }
      }
    }
  }
}

void ikat_p0_k1_one(const ik_kernel_call *c) {
  ikat_p0_k1(c);
}
