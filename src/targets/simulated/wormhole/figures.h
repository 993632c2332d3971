/* figures.h: what is known of a Wormhole die, as the simulation uses it.  Every figure comes, with
 * its source, from machines/wormhole-n150d.ikm; rates and cycles are rounded to whole numbers. */
#pragma once
#include "machine/machine.h"
#include <stdint.h>

typedef struct ik_wormhole_figures {
  const ik_machine *machine;
  double            clock;     /* Hz */
  int               cores[2];  /* that programs use, along axes 0 and 1 */
  int64_t           sram;      /* bytes of a core */
  int64_t           reserve;   /* of them for stack, program and firmware */
  int               pack;      /* bytes a cycle, of packers and unpackers */
  int               copy;      /* bytes a cycle, into Dst */
  int               fpu;       /* elements a cycle */
  int               dst;       /* tiles of 16 bits in Dst */
  int               store;     /* cycles for a 32-bit word that a baby core writes */
  int               sync;      /* cycles between operations on tiles that are not a stream */
  int               flit;      /* bytes of a header, and the least that is sent */
  int               enter;     /* cycles from a core to its router, or back */
  int               hop;       /* cycles from router to router */
  int               write;     /* bytes a cycle, core to core */
  int               multicast; /* bytes a cycle */
  int               dram_read, dram_write; /* bytes a cycle */
  int               relay;                 /* cycles of software at a hop of a reduction */
  int               fold;                  /* operations that make a number of a tile */
  int               result;                /* cycles of software until the number is sent out */
  double            host;                  /* whole time over that of the device */
} ik_wormhole_figures;

/* From a machine of the kind "tiles"; from that file if it is NULL or of another kind.  E082 if a
 * figure is missing, or a rate is below 1. */
ik_status ik_wormhole_figures_of(const ik_machine *m, ik_arena *a, ik_diag *d,
                                 ik_wormhole_figures *out);
