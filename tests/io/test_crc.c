#include "io/crc.h"
#include "check.h"

CASE(the_published_check_value) {
  CHECK_EQ(ik_crc32("123456789", 9), 0xcbf43926u);
  CHECK_EQ(ik_crc32("", 0), 0);
}
