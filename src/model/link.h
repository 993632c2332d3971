/* link.h: what stands around the work on a device: copies over the link to the host, and launches.
 *
 * The fields go in once, results come out once, and each launch costs a fixed time.  Launches are
 * put into a queue: while one kernel runs the next is launched, so that a launch shows only where
 * the kernel is shorter; a program that waits for each kernel pays for every launch.
 *
 * Odd input: amounts and times that are not above zero (NaN included) cost nothing; a link without
 * a bandwidth never delivers (INFINITY), unless there is nothing to copy.
 */
#pragma once

typedef enum ik_link_reading {
  IK_LINK_QUEUED, /* launches hide behind kernels */
  IK_LINK_WAITED, /* each launch waits for the kernel before it */
} ik_link_reading;

typedef struct ik_link {
  double bandwidth; /* B/s, one way at a time */
  double latency;   /* s, of each of the two copies */
  double launch;    /* s, of one launch */
} ik_link;

typedef struct ik_link_work {
  double          bytes_in, bytes_out; /* B, over the whole run */
  double          launches;            /* over the whole run */
  double          kernel;              /* s, of one launch's work */
  ik_link_reading reading;
} ik_link_work;

typedef struct ik_link_time {
  double in, out;   /* s, the copies */
  double launching; /* s, in which the device waits for launches */
  double kernels;   /* s, in which it works */
  double total;     /* s */
  double overhead;  /* share of the total that is not work; 0 for no time at all */
} ik_link_time;

ik_link_time ik_link_of(const ik_link *l, const ik_link_work *w);

/* Launches after which the device, with its copies, is no slower than a host that takes
 * `host` seconds for the work of one launch; INFINITY if never, 0 if copies and launches cost
 * nothing. */
double ik_link_break_even(const ik_link *l, const ik_link_work *w, double host);
