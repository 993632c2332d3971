/* memory.h: is there room?  Asked before anything is allocated. */
#pragma once
#include "ir/layout.h"

/* The memory that an engine has besides the host's. */
typedef struct ik_device {
  const char *name;  /* "the GPU" */
  int64_t     bytes; /* that it takes there, fields included; 0: it has none */
  int64_t     free;  /* that are there for it */
} ik_device;

/* Bytes that this process may still take: what the machine has free, and what its control group and
 * the limit on its address space allow.  INT64_MAX if the system does not say. */
int64_t ik_memory_free(void);
/* What is left of `free` bytes to a group that has `used` of `most`; below 0: it is not told. */
int64_t ik_memory_within(int64_t free, int64_t most, int64_t used);

/* E072 with a table of what needs how much and the largest grid that fits.  `l`: of the fields;
 * NULL: cells lie one after the other.  `engine`: bytes that it takes besides them.  `limit` 0:
 * what is free. */
ik_status ik_memory_plan(const ik_ir *ir, const ik_layout *l, int64_t engine, int64_t limit,
                         ik_diag *d);
/* So of the memory of a device: fields, and what else the engine has there. */
ik_status ik_memory_plan_device(const ik_ir *ir, const ik_layout *l, const ik_device *x,
                                ik_diag *d);
/* Bytes of fields, receivers and engine together. */
int64_t ik_memory_need(const ik_ir *ir, const ik_layout *l, int64_t engine);

/* "1.5 GiB" */
void ik_memory_text(int64_t bytes, ik_buf *out);
