/* isa.h: what the processor of this machine can do, as far as generated code depends on it.
 *
 * The width of the vectors stands for the instruction set:
 *   64  x86-64 with AVX-512 F, DQ, BW and VL      16  aarch64 (NEON); x86-64 with AVX and FMA
 *   32  x86-64 with AVX2 and FMA                   8  plain C: everything else
 * A machine that can do one can do all below it.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { IK_ISA_WIDTHS = 4 };

typedef struct ik_isa {
  const char *name;         /* "avx512", "avx2", "fma", "neon", "plain": of vector_bytes; static */
  int         vector_bytes; /* the widest */
  const char *cpu;          /* "ARM Neoverse N1"; NULL or "": not known; static */
  int         cores, cpus;  /* that this process may use; cpus: siblings counted each */
  int64_t l1, l2, l3; /* bytes of data cache for one core: its part of a shared one; l3 may be 0 */
} ik_isa;

/* Asks the processor and the system. */
ik_isa ik_isa_local(void);

/* The widths that can be used here, the widest first; returns how many. */
int ik_isa_widths(int width[IK_ISA_WIDTHS]);

/* What the compiler must be told for vectors of that width on this architecture, NULL at the end;
 * static.  An unknown width gives the flags of plain C. */
const char *const *ik_isa_flags(int vector_bytes);
