/* hdiff-ahead
 *
 * program hdiff-ahead
 * plan sweep: 1 step, tile all x 16 x all, 1 row x 1 vector of 64 bytes, streaming stores
 * made by ikat 0.1.0 */
#define IK_LANES 16
#define IK_VECTOR_BYTES 64
#include "kernel.h"
#include "simd.h"

/* lap: 1 plane x 1 row x 1 vector at a time */
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
  for (int64_t y = y0; y < y1; y += 1) {
    int64_t from = split;
    {
      int64_t x = split;
      for (; x + 16 <= x1; x += 16) {
        const float *in_at = &in[y * 80 + x];
        const ik_f32 in_y0_x0 = ik_ld_f32(&in_at[0]);
        const ik_f32 t0 = ik_mul_f32(k0, in_y0_x0);
        const ik_f32 in_y0_x1 = ik_ld_f32(&in_at[1]);
        const ik_f32 in_y0_xm1 = ik_ld_f32(&in_at[-1]);
        const ik_f32 t1 = ik_add_f32(in_y0_x1, in_y0_xm1);
        const ik_f32 in_y1_x0 = ik_ld_f32(&in_at[80]);
        const ik_f32 t2 = ik_add_f32(t1, in_y1_x0);
        const ik_f32 in_ym1_x0 = ik_ld_f32(&in_at[-80]);
        const ik_f32 t3 = ik_add_f32(t2, in_ym1_x0);
        const ik_f32 lap_y0_x0 = ik_sub_f32(t0, t3);
        ik_st_f32(&out_lap[(y & 3) * 96 + x], lap_y0_x0);
      }
      from = x;
    }
    if (x0 < split || from < x1) {
      for (int last = 0; last < 2; last += 1) {
        const int64_t end = last ? x1 : split;
        for (int64_t x = last ? from : x0; x < end; x += 16) {
          const int n = end - x < 16 ? (int)(end - x) : 16;
          const float *in_at = &in[y * 80 + x];
          const ik_f32 in_y0_x0 = ik_ld_f32(&in_at[0]);
          const ik_f32 t0 = ik_mul_f32(k0, in_y0_x0);
          const ik_f32 in_y0_x1 = ik_ld_f32(&in_at[1]);
          const ik_f32 in_y0_xm1 = ik_ld_f32(&in_at[-1]);
          const ik_f32 t1 = ik_add_f32(in_y0_x1, in_y0_xm1);
          const ik_f32 in_y1_x0 = ik_ld_f32(&in_at[80]);
          const ik_f32 t2 = ik_add_f32(t1, in_y1_x0);
          const ik_f32 in_ym1_x0 = ik_ld_f32(&in_at[-80]);
          const ik_f32 t3 = ik_add_f32(t2, in_ym1_x0);
          const ik_f32 lap_y0_x0 = ik_sub_f32(t0, t3);
          ik_stn_f32(&out_lap[(y & 3) * 96 + x], lap_y0_x0, n);
        }
      }
    }
  }
}

void ikat_p0_k0_one(const ik_kernel_call *c) {
  ikat_p0_k0(c);
}

/* lap, out: 1 plane x 1 row x 1 vector at a time */
void ikat_p0_k1(const ik_kernel_call *c) {
  const float *in = c->in[0];
  const float *lap = c->in[1];
  float *out_lap = c->out[0];
  float *out_out = c->out[1];
  const float *remainder_out = c->remainder[1];
  const int64_t x0 = c->x0;
  const int64_t split = c->split;
  const int64_t x1 = c->x1;
  const int64_t y0 = c->y0;
  const int64_t y1 = c->y1;
  const int64_t z = c->z;
  const int64_t w0 = c->w0;
  const int64_t w1 = c->w1;
  const int stream = c->stream;
  const ik_f32 k0 = ik_set_f32(4.0f);
  const ik_f32 k1 = ik_set_f32(0.025f);
  for (int64_t y = y0; y < y1; y += 1) {
    int64_t from = split;
    for (int last = 0; last < 2; last += 1) {
      const int64_t end = last ? w1 : split;
      const int stream_rest = stream;
      for (int64_t x = last ? from : w0; x < end; x += 16) {
        const int skip = x < x0 ? (x0 - x < 16 ? (int)(x0 - x) : 16) : 0;
        const int n = x1 - x < 16 ? (int)(x1 - x) : 16;
        const float *in_at = &in[y * 80 + x];
        float *out_out_at = &out_out[y * 80 + x];
        const ik_f32 lap_y0_x1 = ik_ld_f32(&lap[(y & 3) * 96 + (x + 1)]);
        ik_prefetch_near(&in_at[1200]);
        const ik_f32 lap_y0_x0 = ik_ld_f32(&lap[(y & 3) * 96 + x]);
        const ik_f32 t4 = ik_sub_f32(lap_y0_x1, lap_y0_x0);
        const ik_f32 lap_y0_xm1 = ik_ld_f32(&lap[(y & 3) * 96 + (x - 1)]);
        const ik_f32 t5 = ik_sub_f32(lap_y0_x0, lap_y0_xm1);
        const ik_f32 t6 = ik_sub_f32(t4, t5);
        const ik_f32 lap_ym1_x0 = ik_ld_f32(&lap[((y - 1) & 3) * 96 + x]);
        const ik_f32 t9 = ik_sub_f32(lap_y0_x0, lap_ym1_x0);
        const ik_f32 in_y1_x0 = ik_ld_f32(&in_at[80]);
        const ik_f32 t0 = ik_mul_f32(k0, in_y1_x0);
        const ik_f32 in_y1_x1 = ik_ld_f32(&in_at[80 + 1]);
        const ik_f32 in_y1_xm1 = ik_ld_f32(&in_at[80 - 1]);
        const ik_f32 t1 = ik_add_f32(in_y1_x1, in_y1_xm1);
        const ik_f32 in_y2_x0 = ik_ld_f32(&in_at[2 * 80]);
        const ik_f32 t2 = ik_add_f32(t1, in_y2_x0);
        const ik_f32 in_y0_x0 = ik_ld_f32(&in_at[0]);
        const ik_f32 t3 = ik_add_f32(t2, in_y0_x0);
        const ik_f32 lap_y1_x0 = ik_sub_f32(t0, t3);
        const ik_f32 t7 = ik_sub_f32(lap_y1_x0, lap_y0_x0);
        const ik_f32 t8 = ik_add_f32(t6, t7);
        const ik_f32 t10 = ik_sub_f32(t8, t9);
        const ik_f32 t11 = ik_mul_f32(k1, t10);
        const ik_f32 out_y0_x0 = ik_sub_f32(in_y0_x0, t11);
        ik_st_f32(&out_lap[((y + 1) & 3) * 96 + x], lap_y1_x0);
        ik_ntm_f32(&out_out_at[0], out_y0_x0, skip, n, stream_rest,
            remainder_out ? &remainder_out[y * 4 + (last ? -12 : 0)] : 0);
        if (remainder_out == 0) {
          ik_prefetch_store(&out_out_at[560]);
        }
      }
      if (last == 0) {
        int64_t x = split;
        for (; x + 16 <= x1; x += 16) {
          const float *in_at = &in[y * 80 + x];
          float *out_out_at = &out_out[y * 80 + x];
          const ik_f32 lap_y0_x1 = ik_ld_f32(&lap[(y & 3) * 96 + (x + 1)]);
          ik_prefetch_near(&in_at[1200]);
          const ik_f32 lap_y0_x0 = ik_ld_f32(&lap[(y & 3) * 96 + x]);
          const ik_f32 t4 = ik_sub_f32(lap_y0_x1, lap_y0_x0);
          const ik_f32 lap_y0_xm1 = ik_ld_f32(&lap[(y & 3) * 96 + (x - 1)]);
          const ik_f32 t5 = ik_sub_f32(lap_y0_x0, lap_y0_xm1);
          const ik_f32 t6 = ik_sub_f32(t4, t5);
          const ik_f32 lap_ym1_x0 = ik_ld_f32(&lap[((y - 1) & 3) * 96 + x]);
          const ik_f32 t9 = ik_sub_f32(lap_y0_x0, lap_ym1_x0);
          const ik_f32 in_y1_x0 = ik_ld_f32(&in_at[80]);
          const ik_f32 t0 = ik_mul_f32(k0, in_y1_x0);
          const ik_f32 in_y1_x1 = ik_ld_f32(&in_at[80 + 1]);
          const ik_f32 in_y1_xm1 = ik_ld_f32(&in_at[80 - 1]);
          const ik_f32 t1 = ik_add_f32(in_y1_x1, in_y1_xm1);
          const ik_f32 in_y2_x0 = ik_ld_f32(&in_at[2 * 80]);
          const ik_f32 t2 = ik_add_f32(t1, in_y2_x0);
          const ik_f32 in_y0_x0 = ik_ld_f32(&in_at[0]);
          const ik_f32 t3 = ik_add_f32(t2, in_y0_x0);
          const ik_f32 lap_y1_x0 = ik_sub_f32(t0, t3);
          const ik_f32 t7 = ik_sub_f32(lap_y1_x0, lap_y0_x0);
          const ik_f32 t8 = ik_add_f32(t6, t7);
          const ik_f32 t10 = ik_sub_f32(t8, t9);
          const ik_f32 t11 = ik_mul_f32(k1, t10);
          const ik_f32 out_y0_x0 = ik_sub_f32(in_y0_x0, t11);
          ik_st_f32(&out_lap[((y + 1) & 3) * 96 + x], lap_y1_x0);
          if (stream) {
            ik_nt_f32(&out_out_at[0], out_y0_x0);
          } else {
            ik_st_f32(&out_out_at[0], out_y0_x0);
          }
          if (stream == 0) {
            ik_prefetch_store(&out_out_at[560]);
          }
        }
        from = x;
      }
    }
  }
}

void ikat_p0_k1_one(const ik_kernel_call *c) {
  ikat_p0_k1(c);
}
