#include "runtime/forecast.h"
#include "check.h"

CASE(work_takes_as_long_as_the_roof_that_is_lower) {
  ik_roofs r = {.peak = 1000, .nlevel = 2, .level = {{"L1", 50}, {"memory", 10}}, .holds = 1};
  CHECK(ik_roofs_seconds(&r, 2000, 10) == 2 && ik_roofs_seconds(&r, 2000, 30) == 3);
  CHECK(ik_roofs_attainable(&r, 0.5) == 5 && ik_roofs_attainable(&r, 200) == 1000);
  r.holds = 0;
  CHECK(ik_roofs_seconds(&r, 100, 100) == 2 && ik_roofs_attainable(&r, 0.5) == 25);
  r.peak = 0; /* not known */
  CHECK(ik_roofs_seconds(&r, 2000, 100) == 2 && ik_roofs_attainable(&r, 200) == 10000);
  r.nlevel = 0;
  CHECK(ik_roofs_seconds(&r, 2000, 100) == 0 && ik_roofs_attainable(&r, 200) == 0);
  r.peak = 1000;
  CHECK(ik_roofs_seconds(&r, 2000, 100) == 2 && ik_roofs_attainable(&r, 200) == 1000);
}

CASE(parts_of_one_name_grow_and_the_busiest_is_the_limit) {
  ik_forecast one = {.bytes = 8}, all = {.bytes = 1};
  CHECK(!ik_forecast_limit(&one));
  ik_forecast_add(&one, "arithmetic", "compute", 1, 1);
  ik_forecast_add(&one, "memory", "memory", 0.5, 2);
  ik_forecast_add(&one, "arithmetic", "compute", 0.25, 0.5);
  CHECK(one.npart == 2 && one.seconds == 1.75);
  CHECK_STR(ik_forecast_limit(&one)->name, "memory");
  ik_forecast_add(&all, "arithmetic", "compute", 1, 3);
  ik_forecast_join(&all, &one, 2);
  CHECK(all.npart == 2 && all.seconds == 4.5 && all.bytes == 17);
  CHECK(all.part[0].seconds == 3.5 && all.part[0].busy == 6 && all.part[1].busy == 4);
  CHECK_STR(ik_forecast_limit(&all)->name, "arithmetic");
}
