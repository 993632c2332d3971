#include "io/xdmf.h"

static void put_escaped(ik_buf *b, const char *s) {
  for (; *s; s++) switch (*s) {
    case '&': ik_buf_puts(b, "&amp;"); break;
    case '<': ik_buf_puts(b, "&lt;"); break;
    case '>': ik_buf_puts(b, "&gt;"); break;
    case '"': ik_buf_puts(b, "&quot;"); break;
    default: ik_buf_putc(b, *s);
    }
}

/* Always three axes, slowest first: ParaView would turn a 2DCoRectMesh into the y-z plane, while an
 * extent of 1 along z leaves it in x-y. */
static void put_extents(ik_buf *b, const ik_xdmf_grid *g) {
  for (int i = 2; i >= 0; i--)
    ik_buf_printf(b, i ? "%lld " : "%lld", i < g->ndim ? (long long)g->n[i] : 1);
}

static void put_axes(ik_buf *b, const ik_xdmf_grid *g, const double *v, double beyond) {
  ik_buf_puts(b, "        <DataItem Dimensions=\"3\" NumberType=\"Float\" Precision=\"8\" "
                 "Format=\"XML\">");
  for (int i = 2; i >= 0; i--) {
    ik_buf_double(b, i < g->ndim ? v[i] : beyond);
    if (i) ik_buf_putc(b, ' ');
  }
  ik_buf_puts(b, "</DataItem>\n");
}

static void put_geometry(ik_buf *b, const ik_xdmf_grid *g) {
  ik_buf_puts(b, "      <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"");
  put_extents(b, g);
  ik_buf_puts(b, "\"/>\n      <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n");
  put_axes(b, g, g->origin, 0);
  put_axes(b, g, g->spacing, g->spacing[0]);
  ik_buf_puts(b, "      </Geometry>\n");
}

static void put_field(ik_buf *b, const ik_xdmf_grid *g, const char *h5, const ik_xdmf_field *f) {
  ik_buf_puts(b, "      <Attribute Name=\"");
  put_escaped(b, f->name);
  ik_buf_puts(b, "\" AttributeType=\"Scalar\" Center=\"Node\">\n        <DataItem Dimensions=\"");
  put_extents(b, g);
  ik_buf_printf(b, "\" NumberType=\"%s\" Precision=\"%d\" Format=\"HDF\">",
                f->dtype == IK_DT_I32 ? "Int" : "Float", f->dtype == IK_DT_F64 ? 8 : 4);
  put_escaped(b, h5);
  ik_buf_puts(b, ":/");
  put_escaped(b, f->name);
  ik_buf_puts(b, "</DataItem>\n      </Attribute>\n");
}

void ik_xdmf_begin(ik_buf *b, bool series) {
  ik_buf_puts(b, "<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n  <Domain>\n");
  if (series)
    ik_buf_puts(b, "    <Grid Name=\"series\" GridType=\"Collection\" "
                   "CollectionType=\"Temporal\">\n");
}

void ik_xdmf_add(ik_buf *b, const ik_xdmf_moment *m, const ik_xdmf_grid *grid,
                 const ik_xdmf_field *field, int nfield) {
  ik_buf_puts(b, "    <Grid Name=\"grid\" GridType=\"Uniform\">\n      <Time Value=\"");
  ik_buf_double(b, m->time);
  ik_buf_puts(b, "\"/>\n");
  put_geometry(b, grid);
  for (int i = 0; i < nfield; i++) put_field(b, grid, m->h5, &field[i]);
  ik_buf_puts(b, "    </Grid>\n");
}

void ik_xdmf_end(ik_buf *b, bool series) {
  if (series) ik_buf_puts(b, "    </Grid>\n");
  ik_buf_puts(b, "  </Domain>\n</Xdmf>\n");
}
