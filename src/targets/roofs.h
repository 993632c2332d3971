/* roofs.h: the roofs of the machine that an engine runs on, for runtime/forecast.h. */
#pragma once
#include "targets/target.h"

/* The type whose peak counts: of the first field that a step changes, or of the first one. */
ik_type ik_roofs_type(const ik_ir *ir);

/* Of so many threads of this CPU: as `ikat machine probe` measured them (`m`; NULL: it did not), or
 * as the constants of the model have them, for vectors of so many bytes. */
ik_roofs ik_roofs_cpu(const ik_ir *ir, const ik_machine *m, const ik_pipeline_machine *fit,
                      int threads, int vector_bytes, ik_arena *a);
/* Of a machine that is not here: what its description tells. */
ik_roofs ik_roofs_machine(const ik_ir *ir, const ik_machine *m);

/* What forecasts rest on, for ik_engine.basis; static. */
const char *ik_roofs_basis(bool measured);
