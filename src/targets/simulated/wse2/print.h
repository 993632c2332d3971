/* print.h: mappings and programs of elements as text, for --dump. */
#pragma once
#include "targets/simulated/wse2/map.h"

/* Where things are, and what each statement sends and does. */
void ik_wse2_map_print(const ik_wse2_mapping *m, ik_buf *out);
/* An instruction a line; [a..b] are words of the element's memory. */
void ik_wse2_program_print(const ik_wse2_program *p, ik_buf *out);
