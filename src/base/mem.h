/* mem.h: every allocation of the library goes through here, so that tests can count them and make
 * the n-th one fail. */
#pragma once
#include <stddef.h>
#include <stdint.h>

void *ik_malloc(size_t bytes);               /* NULL when out of memory */
void *ik_calloc(size_t count, size_t bytes); /* zeroed; NULL on overflow or out of memory */
void *ik_realloc(void *p, size_t bytes);     /* NULL leaves `p` as it was */
void  ik_free(void *p);

/* How often one of these has said no to this thread.  A text that was put together while the number
 * grew may lack something, whoever ran out of memory and went on: api/ hands out none such. */
long ik_mem_refused(void);
void ik_mem_refuse(void); /* somebody else did: the C library */

/* For tests: blocks alive now; and a countdown after which one allocation fails (-1: never). */
long ik_mem_live(void);
void ik_mem_fail_after(long countdown);
