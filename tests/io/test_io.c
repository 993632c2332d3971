#include "io/io.h"
#include "io/hdf5.h"
#include "io/npy.h"
#include "io/segy.h"
#include "scratch.h"

CASE(formats_by_extension) {
  CHECK_EQ(ik_io_format_of("a.npy"), IK_IO_NPY);
  CHECK_EQ(ik_io_format_of("out.d/a.b.NPY"), IK_IO_NPY);
  CHECK_EQ(ik_io_format_of("a.raw"), IK_IO_RAW);
  CHECK_EQ(ik_io_format_of("a.bin"), IK_IO_RAW);
  CHECK_EQ(ik_io_format_of("a.h5"), IK_IO_HDF5);
  CHECK_EQ(ik_io_format_of("a.hdf5"), IK_IO_HDF5);
  CHECK_EQ(ik_io_format_of("a.segy"), IK_IO_SEGY);
  CHECK_EQ(ik_io_format_of("a.sgy"), IK_IO_SEGY);
  CHECK_EQ(ik_io_format_of("a.png"), IK_IO_PNG);
  CHECK_EQ(ik_io_format_of("a.npz"), IK_IO_NPZ);
  CHECK_EQ(ik_io_format_of("a.txt"), IK_IO_TEXT);
  CHECK_EQ(ik_io_format_of("a.dat"), IK_IO_TEXT);
  CHECK_EQ(ik_io_format_of("a.csv"), IK_IO_TEXT);
  CHECK_EQ(ik_io_format_of("a.gif"), IK_IO_GIF);
  CHECK_EQ(ik_io_format_of("a.tex"), IK_IO_UNKNOWN);
  CHECK_EQ(ik_io_format_of("npy"), IK_IO_UNKNOWN);
  CHECK_EQ(ik_io_format_of("dir.npy/a"), IK_IO_UNKNOWN);
  CHECK_EQ(ik_io_format_of(""), IK_IO_UNKNOWN);
}

static void check_read(const char *path, const char *dataset, const ik_raw_form *raw) {
  ik_diag  d = {0};
  ik_array a;
  CHECK_EQ(ik_io_read_array(path, dataset, raw, IK_NOSPAN, &a, &d), IK_OK);
  CHECK(a.data && a.n[0] == 2 && a.n[1] == 1 && ik_array_get(&a, 1) == 2.5);
  ik_array_free(&a), ik_diag_free(&d);
}

CASE(reads_every_format) {
  ik_diag        d = {0};
  float          v[] = {1, 2.5f};
  ik_array       a = {IK_DT_F32, 1, {2, 1, 1, 1}, .data = v};
  ik_raw_form    form = {IK_DT_F32, 1, {2}};
  ik_segy_point  p = {0};
  ik_hdf5_item   item = {"u", &a};
  ik_segy_gather g = {
      .ntrace = 1, .nsample = 2, .dt_s = 1e-3, .data = v, .receiver = &p, .source = &p};
  CHECK_EQ(ik_npy_write(scratch("a.npy"), &a, IK_NOSPAN, &d), IK_OK);
  CHECK_EQ(ik_raw_write(scratch("a.bin"), &a, IK_NOSPAN, &d), IK_OK);
  CHECK_EQ(ik_segy_write(scratch("a.sgy"), &g, IK_NOSPAN, &d), IK_OK);
  check_read(scratch("a.npy"), NULL, NULL);
  check_read(scratch("a.bin"), NULL, &form);
  check_read(scratch("a.sgy"), NULL, NULL);
  if (ik_hdf5_available(NULL)) {
    CHECK_EQ(ik_hdf5_write(scratch("a.h5"), &item, 1, NULL, 0, IK_NOSPAN, &d), IK_OK);
    check_read(scratch("a.h5"), "u", NULL);
  }
  scratch_scan(true);
}

CASE(what_cannot_be_read) {
  ik_diag   d = {0};
  ik_array  a;
  ik_source src = {"p.ik", "u = file", 8};
  ik_span   at = {&src, 4, 4};
  CHECK_EQ(ik_io_read_array("a.tex", NULL, NULL, at, &a, &d), IK_ERR_SOURCE);
  CHECK(d.msg[0].span.off == 4);
  EXPECT_ERROR(&d, IK_E065, ".npy .npz .raw .bin .h5 .hdf5 .segy .sgy .txt .dat .csv");
  CHECK_EQ(ik_io_read_array("a.raw", NULL, NULL, at, &a, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E065, "type must be given");
  CHECK_EQ(ik_io_read_array("a.png", NULL, NULL, at, &a, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E065, "not read");
  CHECK_EQ(ik_io_read_array(scratch("none.npy"), NULL, NULL, at, &a, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E062, "No such file");
  CHECK(!a.data);
}
