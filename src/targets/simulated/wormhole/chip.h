/* chip.h: the memories of all cores, and what their operations on tiles do to them.
 *
 * The values of a statement are computed here, core by core and level by level, by the operations
 * of its code.  Nothing is timed: cycles.h does that, with the same operations.
 */
#pragma once
#include "interp/interp.h"
#include "targets/simulated/wormhole/route.h"

typedef struct ik_wormhole_chip {
  const ik_wormhole_map *map;
  ik_interp             *host;    /* makes numbers; borrowed */
  unsigned char        **vector;  /* [values of the program] see ik_wormhole_tile() */
  unsigned char         *spare;   /* a vector of results that wait */
  float                 *reg;     /* [operations][elements] tiles of the core at work */
  float                 *partial; /* [cores][elements] */
  bool                  *used;    /* [values] by the statements at hand */
  ik_wormhole_hop       *hop;     /* [cores - 1] */
} ik_wormhole_chip;

/* Bytes that a chip takes here. */
int64_t ik_wormhole_chip_bytes(const ik_wormhole_map *m);
/* E072 if there is no memory. */
ik_status ik_wormhole_chip_create(const ik_wormhole_map *m, ik_interp *host, ik_diag *d,
                                  ik_wormhole_chip **out);
void      ik_wormhole_chip_destroy(ik_wormhole_chip **c);

/* The tile of a core at a level k of a field at a level in time. */
void *ik_wormhole_tile(const ik_wormhole_chip *c, int field, int level, int core, int64_t k);
/* What the statements of a list read and write, to the cores; what they wrote, back. */
void ik_wormhole_upload(ik_wormhole_chip *c, const ik_state *s, const ik_stmt *first,
                        const ik_stmt *end);
void ik_wormhole_download(const ik_wormhole_chip *c, ik_state *s, const ik_stmt *first,
                          const ik_stmt *end);

/* An assignment, or a reduction, whose result it returns. */
double ik_wormhole_compute(ik_wormhole_chip *c, const ik_wormhole_code *code);

/* ---- the steps of it, for whoever does them in an order of his own ---- */

/* Before anything else: what the core will not write of results that wait is what it was. */
void ik_wormhole_prepare(const ik_wormhole_chip *c, const ik_wormhole_code *code, int core);
/* Numbers into all their elements. */
void ik_wormhole_numbers(const ik_wormhole_chip *c, const ik_wormhole_code *code, float *reg);
/* The rows that a core gets from its neighbour for a SHIFT; zeros at the edge. */
void ik_wormhole_collect(const ik_wormhole_chip *c, const ik_wormhole_code *code, int op, int core,
                         int64_t k, float *rows);
/* One operation of a core at a level; `rows` are those of a SHIFT. */
void ik_wormhole_execute(const ik_wormhole_chip *c, const ik_wormhole_code *code, int op, int core,
                         int64_t k, const float *rows, float *reg);
/* After the last operation: to memory, or into the core's partial result. */
void ik_wormhole_finish(const ik_wormhole_chip *c, const ik_wormhole_code *code, int core,
                        int64_t k, const float *reg, float *partial);
/* After the last level of all cores: results that waited become those of the field. */
void ik_wormhole_settle(const ik_wormhole_chip *c, const ik_wormhole_code *code);
/* A partial result of a core before anything is in it; one more into it; its elements into the
 * first one. */
void ik_wormhole_clear(ik_reduce how, float *partial);
void ik_wormhole_merge(const ik_rule *r, ik_reduce how, float *partial, const float *other);
void ik_wormhole_fold(const ik_rule *r, ik_reduce how, float *partial);
/* Tiles that the longest code makes. */
int ik_wormhole_most_ops(const ik_wormhole_map *m);
/* The neighbour of a core; -1: it is at the edge. */
int ik_wormhole_neighbour(const ik_wormhole_map *m, int core, ik_wormhole_side s);
