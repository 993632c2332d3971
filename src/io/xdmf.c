#include "io/xdmf.h"
#include "io/file.h"

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

static void put_document(ik_buf *b, const char *h5, const ik_xdmf_grid *g,
                         const ik_xdmf_field *field, int nfield) {
  ik_buf_puts(b, "<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n  <Domain>\n"
                 "    <Grid Name=\"grid\" GridType=\"Uniform\">\n      <Time Value=\"");
  ik_buf_double(b, g->time);
  ik_buf_puts(b, "\"/>\n");
  put_geometry(b, g);
  for (int i = 0; i < nfield; i++) put_field(b, g, h5, &field[i]);
  ik_buf_puts(b, "    </Grid>\n  </Domain>\n</Xdmf>\n");
}

ik_status ik_xdmf_write(const char *path, const char *h5, const ik_xdmf_grid *grid,
                        const ik_xdmf_field *field, int nfield, ik_diag *d) {
  ik_buf b = {0};
  put_document(&b, h5, grid, field, nfield);
  ik_status s = b.failed ? ik_file_oom(path, IK_NOSPAN, d) : ik_file_write(path, b.data, b.len, d);
  ik_buf_free(&b);
  return s;
}
