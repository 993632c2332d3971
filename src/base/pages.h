/* pages.h: zeroed memory for big arrays.
 *
 * Arrays of some megabytes are made of 2 MiB pages where the system has them: a pass over such an
 * array takes fewer misses in the translation of addresses.  They are counted, and made to fail by
 * tests, like every other block (base/mem.h).
 */
#pragma once
#include <stddef.h>

enum { IK_PAGES_ALIGN = 64, IK_PAGES_BEYOND = 256 };

/* `bytes` zeroed bytes at a multiple of IK_PAGES_ALIGN, with IK_PAGES_BEYOND readable bytes before
 * and behind them, so that whole vectors may be loaded across the ends.  Pages that nobody has
 * written take no memory: where a big array lies is decided by the thread that writes it first.
 * NULL when out of memory. */
void *ik_pages_alloc(size_t bytes);
/* The same for what one thread comes back to all the time: from a quarter of a megabyte on in huge
 * pages, though that may take more memory than is used. */
void *ik_pages_alloc_busy(size_t bytes);
void  ik_pages_free(void *p);
