/* points3
 *
 * program points3
 * plan sweep: 1 step, tile 64, 4 rows x 1 vector of 32 bytes
 * made by ikat 0.1.0 */
#define IK_LANES 8
#define IK_VECTOR_BYTES 32
#include "kernel.h"
#include "simd.h"

/* u': 1 plane x 1 row x 4 vectors at a time */
void ikat_p0_k0(const ik_kernel_call *c) {
  const float *u = c->in[0];
  float *out_u_new = c->out[0];
  const int64_t x0 = c->x0;
  const int64_t split = c->split;
  const int64_t x1 = c->x1;
  const int64_t y0 = c->y0;
  const int64_t y1 = c->y1;
  const int64_t z = c->z;
  const ik_f32 k0 = ik_set_f32(0.25f);
  const ik_f32 k1 = ik_set_f32(0.5f);
  for (int64_t y = y0; y < y1; y += 1) {
    int64_t from = split;
    {
      int64_t x = split;
      for (; x + 32 <= x1; x += 32) {
        const float *u_at = &u[x];
        float *out_u_new_at = &out_u_new[x];
        const ik_f32 u_xm1 = ik_ld_f32(&u_at[-1]);
        const ik_f32 t0 = ik_mul_f32(k0, u_xm1);
        const ik_f32 u_x7 = ik_ld_f32(&u_at[7]);
        const ik_f32 t2 = ik_mul_f32(k0, u_x7);
        const ik_f32 u_x15 = ik_ld_f32(&u_at[15]);
        const ik_f32 t4 = ik_mul_f32(k0, u_x15);
        const ik_f32 u_x23 = ik_ld_f32(&u_at[23]);
        const ik_f32 t6 = ik_mul_f32(k0, u_x23);
        const ik_f32 u_x0 = ik_ld_f32(&u_at[0]);
        const ik_f32 t1 = ik_fma_f32(k1, u_x0, t0);
        const ik_f32 u_x8 = ik_ld_f32(&u_at[8]);
        const ik_f32 t3 = ik_fma_f32(k1, u_x8, t2);
        const ik_f32 u_x16 = ik_ld_f32(&u_at[16]);
        const ik_f32 t5 = ik_fma_f32(k1, u_x16, t4);
        const ik_f32 u_x24 = ik_ld_f32(&u_at[24]);
        const ik_f32 t7 = ik_fma_f32(k1, u_x24, t6);
        const ik_f32 u_x1 = ik_ld_f32(&u_at[1]);
        const ik_f32 u_new_x0 = ik_fma_f32(k0, u_x1, t1);
        const ik_f32 u_x9 = ik_ld_f32(&u_at[9]);
        const ik_f32 u_new_x8 = ik_fma_f32(k0, u_x9, t3);
        const ik_f32 u_x17 = ik_ld_f32(&u_at[17]);
        const ik_f32 u_new_x16 = ik_fma_f32(k0, u_x17, t5);
        const ik_f32 u_x25 = ik_ld_f32(&u_at[25]);
        const ik_f32 u_new_x24 = ik_fma_f32(k0, u_x25, t7);
        ik_st_f32(&out_u_new_at[0], u_new_x0);
        ik_st_f32(&out_u_new_at[8], u_new_x8);
        ik_st_f32(&out_u_new_at[16], u_new_x16);
        ik_st_f32(&out_u_new_at[24], u_new_x24);
      }
      from = x;
    }
    if (x0 < split || from < x1) {
      for (int last = 0; last < 2; last += 1) {
        const int64_t end = last ? x1 : split;
        for (int64_t x = last ? from : x0; x < end; x += 8) {
          const int n = end - x < 8 ? (int)(end - x) : 8;
          const float *u_at = &u[x];
          float *out_u_new_at = &out_u_new[x];
          const ik_f32 u_xm1 = ik_ld_f32(&u_at[-1]);
          const ik_f32 t0 = ik_mul_f32(k0, u_xm1);
          const ik_f32 u_x0 = ik_ld_f32(&u_at[0]);
          const ik_f32 t1 = ik_fma_f32(k1, u_x0, t0);
          const ik_f32 u_x1 = ik_ld_f32(&u_at[1]);
          const ik_f32 u_new_x0 = ik_fma_f32(k0, u_x1, t1);
          ik_stn_f32(&out_u_new_at[0], u_new_x0, n);
        }
      }
    }
  }
}

void ikat_p0_k0_one(const ik_kernel_call *c) {
  ikat_p0_k0(c);
}
