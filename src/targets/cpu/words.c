#include "targets/cpu/words.h"
#include "ikat/version.h"

const ik_words ik_cpu_words = {
    .type = {[IK_F64] = "ik_f64",
             [IK_F32] = "ik_f32",
             [IK_F16] = "ik_f16",
             [IK_BF16] = "ik_bf16",
             [IK_I32] = "ik_i32",
             [IK_BOOL] = "ik_bool"},
    .element = {[IK_F64] = "double",
                [IK_F32] = "float",
                [IK_F16] = "uint16_t",
                [IK_BF16] = "uint16_t",
                [IK_I32] = "int32_t",
                [IK_BOOL] = "uint8_t"},
    .suffix = {[IK_F64] = "_f64",
               [IK_F32] = "_f32",
               [IK_F16] = "_f16",
               [IK_BF16] = "_bf16",
               [IK_I32] = "_i32",
               [IK_BOOL] = "_bool"},
    .op =
        {
#define IK_OP(NAME, text, nargs, flops) [IK_OP_##NAME] = ("ik_" text),
#include "ir/ops.h"
#undef IK_OP
        },
    .choose = {[IK_OP_LT] = "ik_select_lt",
               [IK_OP_LE] = "ik_select_le",
               [IK_OP_EQ] = "ik_select_eq",
               [IK_OP_NE] = "ik_select_ne"},
    .runtime = {[IK_OP_EXP] = true,
                [IK_OP_LOG] = true,
                [IK_OP_SIN] = true,
                [IK_OP_COS] = true,
                [IK_OP_TAN] = true,
                [IK_OP_TANH] = true,
                [IK_OP_ATAN] = true,
                [IK_OP_POW] = true,
                [IK_OP_TABLE] = true},
    .set = "ik_set",
    .weight = "ik_weight",
    .index = "ik_index",
    .lane = "IK_AT",
    .noise = "ik_noise_f64",
    .load = {.whole = "ik_ld",
             .part = "ik_ldn",
             .if_inside = "ik_ldif",
             .low = "ik_low",
             .high = "ik_high",
             .shift = "ik_shift"},
    .store = {.whole = "ik_st",
              .part = "ik_stn",
              .streaming = "ik_nt",
              .rest = "ik_ntn",
              .middle = "ik_stm",
              .middle_streaming = "ik_ntm"},
    .prefetch = {.load = "ik_prefetch", .store = "ik_prefetch_store", .near = "ik_prefetch_near"},
    .given = {.x = "x",
              .y = "y",
              .z = "z",
              .step = "c->t",
              .part = "n",
              .skip = "skip",
              .last = "last",
              .stream_rest = "stream_rest",
              .streams = "stream",
              .scalars = "c->scalar",
              .rt = "c->rt",
              .weights = "weights"},
};

ik_tree *ik_cpu_file(const char *title, const ik_ir *ir, const char *plan, int lanes,
                     int vector_bytes, ik_arena *a) {
  ik_tree    *file = ik_tree_block(a);
  const char *head =
      ik_arena_printf(a, "%s\n\nprogram %s\n%smade by ikat %s", title, ir->name, plan, IK_VERSION);
  const char *const line[] = {ik_arena_printf(a, "#define IK_LANES %d", lanes),
                              ik_arena_printf(a, "#define IK_VECTOR_BYTES %d", vector_bytes),
                              "#include \"kernel.h\"", "#include \"simd.h\""};
  ik_tree_add(a, file, ik_tree_comment(a, head));
  for (int i = 0; i < 4; i++) ik_tree_add(a, file, ik_tree_line(a, line[i]));
  return file;
}

void ik_cpu_file_print(const ik_tree *file, ik_buf *out) {
  for (int i = 0; i < file->nchild; i++) ik_tree_print(file->child[i], out);
}
