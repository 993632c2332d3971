/* write.h: fields to files. */
#pragma once
#include "ir/state.h"

typedef struct ik_fields { /* what goes into one file */
  const int *field;
  int        n;
  int        level; /* 0: current values; of one field alone also those before, -1 and so on */
} ik_fields;

/* To .npy or .raw (one field) or .h5 (any).  E064, E065. */
ik_status ik_write_fields(const ik_state *s, const ik_fields *f, const char *path, ik_span at,
                          ik_diag *d);

typedef struct ik_series { /* of files that are written on the way; see ik_write_numbered() */
  int64_t every, count;    /* after how many steps each, and how many there are */
} ik_series;

/* The text that ParaView opens (u.xmf), beside the .h5 file `path` that has been written, or for
 * all files of a series (NULL: it is one file).  `*xmf` becomes its name, and stays empty where no
 * field lives on the whole grid and nothing is written.  E064, E072. */
ik_status ik_write_xdmf(const ik_state *s, const ik_fields *f, const char *path,
                        const ik_series *series, ik_buf *xmf, ik_diag *d);

/* Can a file of this name, and the text beside it, be written?  E064, E065, E069, as far as that
 * can be known before. */
ik_status ik_write_possible(const char *path, ik_span at, ik_diag *d);

/* E064 for a receiver or output of the program that cannot be written, as far as that can be known
 * before the run, or that another one would overwrite. */
ik_status ik_write_check(const ik_ir *ir, const char *directory, ik_diag *d);

/* "u.npy" after 100 steps: "u_000100.npy". */
void ik_write_numbered(const char *path, int64_t step, ik_buf *out);
/* A path of the program, seen from `directory` (NULL: as it is). */
void ik_write_in(const char *directory, const char *path, ik_buf *out);
