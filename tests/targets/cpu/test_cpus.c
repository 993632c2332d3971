/* In which order processors are used, on machines that are not here. */
#define _GNU_SOURCE /* cpu_set_t */
#include "targets/cpu/cpus.h"
#include "check.h"

/* "0 2 4 6 | 1 3 5 7": the processors of threads, and where the next node begins. */
static void write_order(const ik_cpus *c, int n, char *out, size_t size) {
  size_t at = 0;
  for (int i = 0; i < n; i++) {
    const char *between = !i ? "" : c->node[i] == c->node[i - 1] ? " " : " | ";
    at += (size_t)snprintf(out + at, size - at, "%s%d", between, c->cpu[i]);
  }
}

static void check_order(int line, const ik_cpus *all, int threads, const char *expected) {
  ik_cpus c = *all;
  char    order[512] = "";
  if (threads) ik_cpus_spread(&c, threads);
  write_order(&c, threads ? threads : c.n, order, sizeof order);
  if (strcmp(order, expected))
    check_fail(__FILE__, line, "%d threads: %s, not %s", threads, order, expected);
}
#define CHECK_ORDER(all, threads, expected) check_order(__LINE__, all, threads, expected)

/* Two sockets of four cores with two processors each, the way Linux numbers them. */
static void two_sockets(bool alternate, ik_cpus *out) {
  ik_cpus_place p[16];
  for (int i = 0; i < 16; i++) p[i] = (ik_cpus_place){i, i % 8, alternate ? i % 2 : i % 8 / 4};
  ik_cpus_arrange(p, 16, out);
}

CASE(sockets_follow_each_other) {
  ik_cpus all;
  two_sockets(false, &all);
  CHECK(all.n == 16 && all.cores == 8 && all.nodes == 2);
  CHECK_ORDER(&all, 0, "0 1 2 3 | 4 5 6 7 | 8 9 10 11 | 12 13 14 15");
  CHECK_ORDER(&all, 8, "0 1 2 3 | 4 5 6 7");
}

CASE(cores_that_are_numbered_over_sockets_are_sorted) {
  ik_cpus all;
  two_sockets(true, &all);
  CHECK_ORDER(&all, 0, "0 2 4 6 | 1 3 5 7 | 8 10 12 14 | 9 11 13 15");
  CHECK_ORDER(&all, 8, "0 2 4 6 | 1 3 5 7");
  CHECK_ORDER(&all, 4, "0 2 | 1 3");
}

CASE(few_threads_are_on_all_nodes) {
  ik_cpus all;
  two_sockets(false, &all);
  CHECK_ORDER(&all, 1, "0");
  CHECK_ORDER(&all, 2, "0 | 4");
  CHECK_ORDER(&all, 3, "0 1 | 4");
  CHECK_ORDER(&all, 5, "0 1 2 | 4 5");
}

/* All cores first, and still neighbours on the same node. */
CASE(second_processors_are_on_all_nodes) {
  ik_cpus all;
  two_sockets(false, &all);
  CHECK_ORDER(&all, 9, "0 1 2 3 8 | 4 5 6 7");
  CHECK_ORDER(&all, 12, "0 1 2 3 8 9 | 4 5 6 7 12 13");
  CHECK_ORDER(&all, 16, "0 1 2 3 8 9 10 11 | 4 5 6 7 12 13 14 15");
}

/* Two sockets with two clusters of two cores each: two threads are on different sockets. */
CASE(clusters_are_nodes) {
  ik_cpus_place p[8];
  ik_cpus       all;
  for (int i = 0; i < 8; i++) p[i] = (ik_cpus_place){i, i, i / 2};
  ik_cpus_arrange(p, 8, &all);
  CHECK_EQ(all.nodes, 4);
  CHECK_ORDER(&all, 2, "0 | 4");
  CHECK_ORDER(&all, 3, "0 | 2 | 4");
  CHECK_ORDER(&all, 4, "0 | 2 | 4 | 6");
  CHECK_ORDER(&all, 6, "0 1 | 2 | 4 5 | 6");
  CHECK_ORDER(&all, 8, "0 1 | 2 3 | 4 5 | 6 7");
}

/* As hwloc lists them: processors of a core together, cores of a socket. */
CASE(processors_of_a_core_may_follow_each_other) {
  ik_cpus_place p[16];
  ik_cpus       all;
  for (int i = 0; i < 16; i++) p[i] = (ik_cpus_place){i / 2 + i % 2 * 8, i / 2, i / 8 * 8};
  ik_cpus_arrange(p, 16, &all);
  CHECK_EQ(all.nodes, 2);
  CHECK_ORDER(&all, 0, "0 1 2 3 | 4 5 6 7 | 8 9 10 11 | 12 13 14 15");
}

/* A process may have a core of one node and five of the other. */
CASE(a_narrow_node_has_no_more_threads_than_cores) {
  ik_cpus_place p[8] = {{3, 3, 0}, {4, 4, 1}, {5, 5, 1}, {6, 6, 1}, {7, 7, 1}, {8, 8, 1}};
  ik_cpus       all;
  p[6] = (ik_cpus_place){11, 3, 0}, p[7] = (ik_cpus_place){12, 4, 1};
  ik_cpus_arrange(p, 8, &all);
  CHECK_EQ(all.cores, 6);
  CHECK_ORDER(&all, 0, "3 | 4 5 6 7 8 | 11 | 12");
  CHECK_ORDER(&all, 4, "3 | 4 5 6");
  CHECK_ORDER(&all, 6, "3 | 4 5 6 7 8");
  CHECK_ORDER(&all, 7, "3 11 | 4 5 6 7 8");
  CHECK_ORDER(&all, 8, "3 11 | 4 5 6 7 8 12");
}

CASE(on_one_node_nothing_changes) {
  ik_cpus_place p[6];
  ik_cpus       all;
  for (int i = 0; i < 6; i++) p[i] = (ik_cpus_place){i, i % 3, 0};
  ik_cpus_arrange(p, 6, &all);
  CHECK_EQ(all.nodes, 1);
  CHECK_ORDER(&all, 2, "0 1");
  CHECK_ORDER(&all, 4, "0 1 2 3");
  CHECK_ORDER(&all, 6, "0 1 2 3 4 5");
}

/* All of a large machine, each processor once, whatever the number of threads. */
CASE(every_number_of_threads_has_processors_of_its_own) {
  enum { CORES = 48, NODES = 8 };
  ik_cpus_place p[2 * CORES];
  ik_cpus       all;
  for (int i = 0; i < 2 * CORES; i++) p[i] = (ik_cpus_place){i, i % CORES, i % NODES};
  ik_cpus_arrange(p, 2 * CORES, &all);
  for (int n = 1; n <= 2 * CORES; n++) {
    ik_cpus c = all;
    bool    used[2 * CORES] = {0};
    int     on[NODES] = {0};
    ik_cpus_spread(&c, n);
    for (int i = 0; i < n; i++) {
      CHECK(!used[c.cpu[i]]);
      used[c.cpu[i]] = true, on[c.node[i]]++;
      CHECK(!i || c.node[i] >= c.node[i - 1]);
      CHECK(n > CORES || c.cpu[i] < CORES);
    }
    for (int k = 0; k < NODES; k++) CHECK(on[k] == n / NODES || on[k] == (n + NODES - 1) / NODES);
  }
}

CASE(this_machine_has_a_node) {
  ik_cpus c;
  ik_cpus_order(&c);
  CHECK(c.nodes >= 1 && c.nodes <= c.n);
  for (int i = 0; c.known && i < c.n; i++) CHECK(c.node[i] < c.nodes);
}
