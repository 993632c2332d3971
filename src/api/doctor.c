#include "api/doctor.h"
#include "base/json.h"
#include "io/hdf5.h"
#include "target/target.h"

void ik_doctor_write(bool json, ik_buf *out) {
  const char *version = NULL;
  bool        hdf5 = ik_hdf5_available(&version);
  if (!json) {
    ik_buf_printf(out, "  HDF5     %s\n", hdf5 ? version : "none found (apt install libhdf5-dev)");
    return;
  }
  ik_json j = {.out = out};
  ik_json_open(&j, NULL, '{');
  ik_json_str(&j, "hdf5", hdf5 ? version : NULL);
  ik_json_close(&j, '}');
}
