#include "io/xdmf.h"
#include "scratch.h"

static void check_text(const ik_xdmf_grid *g, const ik_xdmf_field *f, int nf, const char *want) {
  ik_diag d = {0};
  ik_buf  b = {0};
  CHECK_EQ(ik_xdmf_write(scratch("u.xmf"), "u.h5", g, f, nf, &d), IK_OK);
  CHECK_EQ(ik_file_read(scratch("u.xmf"), 1 << 16, IK_NOSPAN, &b, &d), IK_OK);
  CHECK_STR(ik_buf_text(&b), want);
  ik_buf_free(&b);
  CHECK_EQ(scratch_scan(true), 1);
}

CASE(a_grid_of_three_axes) {
  ik_xdmf_grid  g = {3, {4, 3, 2}, {1, 2, 3}, {0.1, 0.2, 0.5}, 1.5};
  ik_xdmf_field f[] = {{"u", IK_DT_F64}, {"mask<\"&>", IK_DT_I32}};
  check_text(&g, f, 2,
             "<?xml version=\"1.0\"?>\n"
             "<Xdmf Version=\"2.0\">\n"
             "  <Domain>\n"
             "    <Grid Name=\"grid\" GridType=\"Uniform\">\n"
             "      <Time Value=\"1.5\"/>\n"
             "      <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"2 3 4\"/>\n"
             "      <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n"
             "        <DataItem Dimensions=\"3\" NumberType=\"Float\" Precision=\"8\" "
             "Format=\"XML\">3 2 1</DataItem>\n"
             "        <DataItem Dimensions=\"3\" NumberType=\"Float\" Precision=\"8\" "
             "Format=\"XML\">0.5 0.2 0.1</DataItem>\n"
             "      </Geometry>\n"
             "      <Attribute Name=\"u\" AttributeType=\"Scalar\" Center=\"Node\">\n"
             "        <DataItem Dimensions=\"2 3 4\" NumberType=\"Float\" Precision=\"8\" "
             "Format=\"HDF\">u.h5:/u</DataItem>\n"
             "      </Attribute>\n"
             "      <Attribute Name=\"mask&lt;&quot;&amp;&gt;\" AttributeType=\"Scalar\" "
             "Center=\"Node\">\n"
             "        <DataItem Dimensions=\"2 3 4\" NumberType=\"Int\" Precision=\"4\" "
             "Format=\"HDF\">u.h5:/mask&lt;&quot;&amp;&gt;</DataItem>\n"
             "      </Attribute>\n"
             "    </Grid>\n"
             "  </Domain>\n"
             "</Xdmf>\n");
}

CASE(grids_of_one_and_two_axes_lie_in_the_plane) {
  static const char *const want[][3] = {
      {"3DCoRectMesh\" Dimensions=\"1 1 4\"", ">0 0 1<", ">0.1 0.1 0.1<"},
      {"3DCoRectMesh\" Dimensions=\"1 3 4\"", ">0 2 1<", ">0.1 0.2 0.1<"}};
  for (int ndim = 1; ndim <= 2; ndim++) {
    ik_diag       d = {0};
    ik_buf        b = {0};
    ik_xdmf_grid  g = {ndim, {4, 3}, {1, 2}, {0.1, 0.2}, 0};
    ik_xdmf_field f = {"u", IK_DT_BF16};
    CHECK_EQ(ik_xdmf_write(scratch("u.xmf"), "u.h5", &g, &f, 1, &d), IK_OK);
    CHECK_EQ(ik_file_read(scratch("u.xmf"), 1 << 16, IK_NOSPAN, &b, &d), IK_OK);
    for (int i = 0; i < 3; i++) CHECK(strstr(ik_buf_text(&b), want[ndim - 1][i]));
    CHECK(strstr(ik_buf_text(&b), "Precision=\"4\" Format=\"HDF\""));
    ik_buf_free(&b);
  }
  CHECK_EQ(scratch_scan(true), 1);
}

CASE(places_and_memory_that_fail) {
  ik_diag       d = {0};
  ik_xdmf_grid  g = {1, {4}, {0}, {1}, 0};
  ik_xdmf_field f = {"u", IK_DT_F16};
  CHECK_EQ(ik_xdmf_write("/dev/full", "u.h5", &g, &f, 1, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "No space");
  for (int n = 0;; n++) {
    ik_mem_fail_after(n);
    ik_status s = ik_xdmf_write(scratch("u.xmf"), "u.h5", &g, &f, 1, &d);
    ik_mem_fail_after(-1);
    if (!s) break;
    EXPECT_ERROR(&d, IK_E072, "memory");
    CHECK_EQ(scratch_scan(false), 0);
  }
  CHECK_EQ(scratch_scan(true), 1);
}
