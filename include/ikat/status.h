/* status.h: how a call ended.  Part of <ikat/ikat.h>. */
#pragma once

typedef enum ik_status {
  IK_OK = 0,
  IK_ERR_SOURCE,      /* the program, a parameter or an argument is wrong */
  IK_ERR_UNSUPPORTED, /* a valid program that this target cannot run */
  IK_ERR_RESOURCE,    /* memory, file, device */
  IK_ERR_TOOLCHAIN,   /* a compiler refused generated code: a bug of ikat */
  IK_ERR_NUMERIC,     /* the run blew up, or a result differs from the reference */
  IK_ERR_INTERRUPTED, /* the caller stopped the run */
} ik_status;
