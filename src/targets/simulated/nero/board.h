/* board.h: the figures of a board that the simulation needs, from machines/nero-*.ikm. */
#pragma once
#include "machine/machine.h"

typedef enum ik_nero_resource {
  IK_NERO_BRAM, /* blocks of 36 Kbit */
  IK_NERO_URAM, /* blocks of 288 Kbit */
  IK_NERO_DSP,
  IK_NERO_LUT,
  IK_NERO_FF,
  IK_NERO_RESOURCES
} ik_nero_resource;

typedef struct ik_nero_area {
  double of[IK_NERO_RESOURCES];
} ik_nero_area;

typedef struct ik_nero_board {
  const ik_machine *machine;
  const char       *title;
  double            clock;         /* Hz */
  double            port_bits;     /* that an element reads in a cycle */
  double            elements;      /* at most */
  double            channel;       /* B/s that all ports share; 0: each has a channel of its own */
  double            sweep_channel; /* the same for kernels with sweeps */
  double            link;          /* B/s to the host */
  double            memory;        /* bytes that fields can have ... */
  double            stacks, stacks_used; /* ... in all stacks; 0: there are none */
  double            start;               /* cycles before a window without sweeps */
  double            sweep_stall;         /* cycles lost for each cell of a sweep */
  double            sweep_latency;       /* cycles from a level to the next, of the same cell */
  double            power, sweep_power;  /* W of an element, port included; 0: not known */
  double            fill;                /* share of the block RAM that can be used */
  ik_nero_area      has, base;           /* the device; what is there without any element */
  double            dsp_mul, dsp_div;    /* of an operation of 32 bits */
  double            lut_op, ff_op;
  double            lut_control, ff_control; /* of a statement in a sweep */
} ik_nero_board;

/* E082 if the machine lacks a figure. */
ik_status ik_nero_board_of(const ik_machine *m, ik_diag *d, ik_nero_board *out);
/* The constants that were calibrated or assumed, a line each: "window.start = 803 cycles,
 * calibrated: ..." */
void ik_nero_board_constants(const ik_nero_board *b, ik_buf *out);

const char *ik_nero_resource_name(ik_nero_resource r); /* "BRAM" */
