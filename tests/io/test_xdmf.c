#include "io/xdmf.h"
#include "base/mem.h"
#include "check.h"
#include <string.h>

static ik_buf text_of(const ik_xdmf_moment *m, int nm, const ik_xdmf_grid *g,
                      const ik_xdmf_field *f, int nf) {
  ik_buf b = {0};
  ik_xdmf_begin(&b, nm > 1);
  for (int i = 0; i < nm; i++) ik_xdmf_add(&b, &m[i], g, f, nf);
  ik_xdmf_end(&b, nm > 1);
  return b;
}

CASE(a_grid_of_three_axes) {
  ik_xdmf_grid  g = {3, {4, 3, 2}, {1, 2, 3}, {0.1, 0.2, 0.5}};
  ik_xdmf_field f[] = {{"u", IK_DT_F64}, {"mask<\"&>", IK_DT_I32}};
  ik_buf        b = text_of(&(ik_xdmf_moment){"u.h5", 1.5}, 1, &g, f, 2);
  CHECK_STR(ik_buf_text(&b),
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
  ik_buf_free(&b);
}

CASE(grids_of_one_and_two_axes_lie_in_the_plane) {
  static const char *const want[][3] = {
      {"3DCoRectMesh\" Dimensions=\"1 1 4\"", ">0 0 1<", ">0.1 0.1 0.1<"},
      {"3DCoRectMesh\" Dimensions=\"1 3 4\"", ">0 2 1<", ">0.1 0.2 0.1<"}};
  for (int ndim = 1; ndim <= 2; ndim++) {
    ik_xdmf_grid  g = {ndim, {4, 3}, {1, 2}, {0.1, 0.2}};
    ik_xdmf_field f = {"u", IK_DT_BF16};
    ik_buf        b = text_of(&(ik_xdmf_moment){"u.h5", 0}, 1, &g, &f, 1);
    for (int i = 0; i < 3; i++) CHECK(strstr(ik_buf_text(&b), want[ndim - 1][i]));
    CHECK(strstr(ik_buf_text(&b), "Precision=\"4\" Format=\"HDF\""));
    ik_buf_free(&b);
  }
}

CASE(a_series_is_one_set_of_data_over_time) {
  ik_xdmf_grid   g = {1, {4}, {0}, {1}};
  ik_xdmf_field  f = {"u", IK_DT_F16};
  ik_xdmf_moment m[] = {{"u_000010.h5", 0.5}, {"u_000020.h5", 1}};
  ik_buf         b = text_of(m, 2, &g, &f, 1);
  const char *open = strstr(ik_buf_text(&b), "GridType=\"Collection\" CollectionType=\"Temporal\"");
  const char *one = strstr(ik_buf_text(&b), "<Time Value=\"0.5\"/>");
  const char *two = strstr(ik_buf_text(&b), "<Time Value=\"1\"/>");
  CHECK(open && one && two && open < one && one < two);
  CHECK(one && strstr(one, "u_000010.h5:/u") < two && two && strstr(two, "u_000020.h5:/u"));
  CHECK(two && strstr(two, "    </Grid>\n    </Grid>\n  </Domain>"));
  ik_buf_free(&b);
}

CASE(memory_that_runs_out) {
  ik_xdmf_grid   g = {1, {4}, {0}, {1}};
  ik_xdmf_field  f = {"u", IK_DT_F16};
  ik_xdmf_moment m = {"u.h5", 1};
  ik_mem_fail_after(0);
  ik_buf b = text_of(&m, 1, &g, &f, 1);
  ik_mem_fail_after(-1);
  CHECK(b.failed);
  ik_buf_free(&b);
}
