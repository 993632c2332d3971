/* machine.h: machines as lists of figures, each with the place it comes from.
 *
 * A machine is a file machines/NAME.ikm, which the library carries inside itself, or `local`, which
 * is read from the operating system.  One figure a line; `#` starts a comment:
 *
 *   title            = "NVIDIA A100-80GB PCIe"
 *   memory.bandwidth = 1.935 TB/s   source S "vendor"   # whole device
 *
 * Nothing here says what a figure means: that is for whoever looks it up.  docs/machines.md has the
 * names in use.
 */
#pragma once
#include "base/arena.h"
#include "base/diag.h"
#include "base/json.h"

typedef struct ik_figure {
  const char *key;
  const char *value;            /* as people read it: digits, or the text between the quotes */
  bool        numeric;          /* `number` holds the value */
  double      number;           /* in `unit` */
  const char *unit;             /* "" if there is none */
  char        label;            /* what kind of source, one of IK_LABELS; 0 if none is given */
  const char *source, *comment; /* may be NULL */
  ik_span     span;             /* of the key */
} ik_figure;

/* Published in a paper, from another public Source, Derived, Calibrated, Assumed, Measured. */
#define IK_LABELS "PSDCAM"

typedef struct ik_machine {
  const char      *name;
  const ik_figure *figure;
  int              n;
  bool            *read; /* [n] figures that somebody looked up; NULL: nobody keeps count */
} ik_machine;

/* ---- reading (read.c) ---- */

/* All mistakes of a file are reported, up to the limit of `d`: E002, E003, E004, E005,
 * E011, E013.
 * `src` must outlive the machine. */
ik_status ik_machine_read(const char *name, const ik_source *src, ik_arena *a, ik_diag *d,
                          ik_machine **out);

/* ---- finding (find.c) ---- */

/* The names of all machines, "local" first; static. */
const char *const *ik_machine_names(int *n);
/* E082 if there is none of that name, with the nearest.  "local@FILE" is this machine with what
 * `ikat machine probe` kept in a file, if that fits; W006 if not. */
ik_status ik_machine_find(const char *name, ik_arena *a, ik_diag *d, ik_machine **out);

/* The lines of a machine file that are constants of a model (model.*), or all others. */
void ik_machine_lines(const char *text, bool model, ik_buf *out);

const ik_figure *ik_machine_get(const ik_machine *m, const char *key); /* NULL if there is none */
const char *ik_machine_text(const ik_machine *m, const char *key);     /* NULL: none, or a number */
/* The figure in `unit`, from which it may differ by a prefix: 1.935 TB/s is 1935 GB/s is
 * 1.935e12 B/s, 48 KiB is 49152 B.  False if there is none or its unit is another. */
bool ik_machine_number(const ik_machine *m, const char *key, const char *unit, double *out);
/* The same of a figure at hand, which is not counted as looked up. */
bool ik_figure_number(const ik_figure *f, const char *unit, double *out);

/* The same machine, which keeps count of the figures that are looked up. */
ik_machine *ik_machine_watch(const ik_machine *m, ik_arena *a);

/* ---- another one (vary.c) ---- */

/* The machine with some figures multiplied: "bandwidth=x2,gpu.shared=x0.5".  A name means all
 * numeric figures that end with it.  E081 if that cannot be read, E082 if there is no such figure.
 */
ik_status ik_machine_vary(const ik_machine *m, const char *changes, ik_arena *a, ik_diag *d,
                          ik_machine **out);
/* E082 if one of the changes is of figures that nobody has looked up in a machine that was watched;
 * with the nearest that somebody has, and a list of these. */
ik_status ik_machine_check_read(const ik_machine *m, const char *changes, ik_arena *a, ik_diag *d);

/* ---- this machine (local.c) ---- */

/* What the operating system tells; what it does not tell is left out.  `root` is put before /proc
 * and /sys: "" for the machine itself. */
ik_machine *ik_machine_local(const char *root, ik_arena *a);

/* "ARM Neoverse N1"; "" if the system does not tell.  Static, read once. */
const char *ik_machine_processor(void);

/* ---- showing (print.c) ---- */

void ik_machine_print(const ik_machine *m, ik_buf *out);
void ik_machine_json(const ik_machine *m, ik_json *j);
