#include "runtime/joules.h"
#include "io/scratch.h"
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* A tree like /sys below a scratch folder. */
static const char *root(void) { return scratch("joules"); }

static void put(const char *path, const char *text) {
  char full[512];
  snprintf(full, sizeof full, "%s%s", root(), path);
  for (char *p = full + 1; (p = strchr(p, '/')); p++) {
    *p = 0;
    mkdir(full, 0777);
    *p = '/';
  }
  FILE *f = fopen(full, "w");
  CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void clear(void) {
  char command[600];
  snprintf(command, sizeof command, "rm -rf '%s'", root());
  CHECK_EQ(system(command), 0);
}

#define ZONE "/sys/class/powercap/intel-rapl:0"

static void put_rapl(const char *package, const char *dram) {
  put("/sys/class/powercap/intel-rapl/enabled", "1\n");
  put(ZONE "/name", "package-0\n");
  put(ZONE "/max_energy_range_uj", "262143000000\n");
  put(ZONE "/energy_uj", package);
  put("/sys/class/powercap/intel-rapl:0:0/name", "core\n"); /* a part of the package */
  put("/sys/class/powercap/intel-rapl:0:0/energy_uj", "77000000\n");
  put("/sys/class/powercap/intel-rapl:0:1/name", "dram\n");
  put("/sys/class/powercap/intel-rapl:0:1/max_energy_range_uj", "65712000000\n");
  put("/sys/class/powercap/intel-rapl:0:1/energy_uj", dram);
  put("/sys/class/powercap/intel-rapl:1/name", "psys\n"); /* the same once more */
  put("/sys/class/powercap/intel-rapl:1/energy_uj", "99000000\n");
}

CASE(packages_and_their_memory_are_added_up) {
  ik_joules   e;
  const char *why;
  clear();
  put_rapl("1000000\n", "500000\n");
  ik_joules_open(&e, root());
  CHECK_EQ(e.n, 2);
  CHECK_STR(e.source, "RAPL");
  ik_joules_begin(&e, 10);
  put_rapl("4000000\n", "1250000\n");
  ik_joules_end(&e, 12);
  CHECK(fabs(ik_joules_used(&e, &why) - 3.75) < 1e-9 && !why);
  ik_joules_begin(&e, 20); /* what was used in between does not count */
  put_rapl("5000000\n", "1250000\n");
  ik_joules_end(&e, 21);
  CHECK(fabs(ik_joules_used(&e, &why) - 4.75) < 1e-9 && e.seconds == 3);
  clear();
}

CASE(a_counter_that_starts_anew_is_followed) {
  ik_joules   e;
  const char *why;
  clear();
  put_rapl("262142000000\n", "65711000000\n");
  ik_joules_open(&e, root());
  ik_joules_begin(&e, 0);
  put_rapl("2000000\n", "3000000\n"); /* 1 + 2 J, 1 + 3 J */
  ik_joules_sample(&e, 60);
  put_rapl("262142000000\n", "65711000000\n");
  ik_joules_sample(&e, 65); /* too soon: not read */
  put_rapl("3000000\n", "3000000\n");
  ik_joules_end(&e, 120);
  CHECK(fabs(ik_joules_used(&e, &why) - 8) < 1e-6);
  clear();
}

CASE(sensors_of_the_processor_are_taken_where_there_is_no_rapl) {
  ik_joules   e;
  const char *why;
  clear();
  put("/sys/class/hwmon/hwmon0/energy1_label", "Ecore000\n"); /* a part of a socket */
  put("/sys/class/hwmon/hwmon0/energy1_input", "5000000\n");
  put("/sys/class/hwmon/hwmon0/energy2_label", "Esocket0\n");
  put("/sys/class/hwmon/hwmon0/energy2_input", "7000000\n");
  put("/sys/class/hwmon/hwmon1/power1_label", "CPU power\n");
  put("/sys/class/hwmon/hwmon1/power1_input", "20000000\n");
  put("/sys/class/hwmon/hwmon2/power1_label", "GPU power\n");
  put("/sys/class/hwmon/hwmon2/power1_input", "90000000\n");
  ik_joules_open(&e, root());
  CHECK_EQ(e.n, 2);
  CHECK_STR(e.source, "hwmon");
  ik_joules_begin(&e, 0);
  put("/sys/class/hwmon/hwmon0/energy2_input", "9000000\n");
  put("/sys/class/hwmon/hwmon1/power1_input", "40000000\n");
  ik_joules_end(&e, 2); /* 2 J and 30 W for 2 s */
  CHECK(fabs(ik_joules_used(&e, &why) - 62) < 1e-9);
  clear();
}

/* RAPL is tried before the sensors. */
CASE(the_reason_is_that_of_the_counter_that_is_tried_first) {
  ik_joules   e;
  const char *why;
  clear();
  put_rapl("nonsense\n", "nonsense\n");
  put("/sys/class/hwmon/hwmon0/energy1_label", "Esocket0\n");
  put("/sys/class/hwmon/hwmon0/energy1_input", "nonsense\n");
  ik_joules_open(&e, root());
  CHECK_EQ(e.n, 0);
  CHECK(isnan(ik_joules_used(&e, &why)) && strstr(why, "/powercap/"));
  CHECK(strstr(why, "No data available"));
  clear();
}

/* The memory's counter alone would be taken for the processor's. */
CASE(what_some_counters_tell_is_not_the_sum) {
  ik_joules   e;
  const char *why;
  clear();
  put_rapl("", "500000\n");
  ik_joules_open(&e, root());
  CHECK(e.n == 0 && !e.source);
  CHECK(isnan(ik_joules_used(&e, &why)) && strstr(why, ZONE "/energy_uj: No data available"));
  clear();
}

CASE(what_cannot_be_read_is_said_with_its_reason) {
  ik_joules   e;
  const char *why;
  clear();
  put("/sys/class/nothing", "");
  ik_joules_open(&e, root());
  ik_joules_begin(&e, 0), ik_joules_end(&e, 5);
  CHECK(isnan(ik_joules_used(&e, &why)) && strstr(why, "neither RAPL"));
  put_rapl("1\n", "1\n");
  ik_joules_open(&e, root());
  ik_joules_begin(&e, 0), ik_joules_end(&e, 0.001);
  CHECK(isnan(ik_joules_used(&e, &why)) && strstr(why, "too short"));
  put(ZONE "/energy_uj", "nonsense\n");
  ik_joules_begin(&e, 1), ik_joules_end(&e, 5);
  CHECK(isnan(ik_joules_used(&e, &why)) && strstr(why, "energy_uj"));
  clear();
  if (geteuid() == 0) return; /* root reads everything */
  put_rapl("1\n", "1\n");
  char path[512];
  snprintf(path, sizeof path, "%s" ZONE "/energy_uj", root());
  chmod(path, 0);
  snprintf(path, sizeof path, "%s/sys/class/powercap/intel-rapl:0:1/energy_uj", root());
  chmod(path, 0);
  ik_joules_open(&e, root());
  CHECK(isnan(ik_joules_used(&e, &why)) && strstr(why, "readable by root alone"));
  clear();
}
