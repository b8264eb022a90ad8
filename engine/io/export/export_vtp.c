/* VTK XML polygonal data for ParaView: one .vtp per frame with zlib-packed arrays in base64, and a .pvd that
 * lists the files with their times. Contacts become lines between the centres of the two bodies, in separate
 * files.
 *
 * An array is a header of 64-bit words (number of blocks, block size, size of a partial last block, packed
 * sizes) in base64, followed by all blocks in base64. Each block is a zlib stream. Arrays in an appended
 * section would be smaller, but VTK 9.1 with expat 2.5 of Debian's security updates cannot read them.
 * Quaternions are (w,x,y,z), VTK's order. */
#include "io/export/export.h"

#include <stdio.h>
#include <string.h>
#include "io/container/container.h"
#include "math/vec.h"

enum { BLOCK = 1 << 18 }; /* size of an uncompressed block [bytes] */

typedef enum word { FLOAT32, INT32, INT64 } word;
static const char *const word_names[] = {"Float32", "Int32", "Int64"};
static const size_t word_sizes[] = {4, 4, 8};

/* The XML elements of the arrays of one file. */
typedef struct sheet {
  sc_bytes xml;
  bool failed;
} sheet;

static void put_xml(sheet *s, const char *text) {
  if (!sc_bytes_add(&s->xml, text, strlen(text))) s->failed = true;
}

/* Appends `count` bytes to out, coded in base64. Returns false if out of memory. */
static bool add_base64(sc_bytes *out, const unsigned char *from, size_t count) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned char *to = sc_bytes_take(out, (count + 2) / 3 * 4);
  for (size_t i = 0; to && i < count; i += 3, to += 4) {
    const unsigned b = i + 1 < count ? from[i + 1] : 0, c = i + 2 < count ? from[i + 2] : 0;
    const unsigned three = (unsigned)from[i] << 16 | b << 8 | c;
    for (int k = 0; k < 4; k++) to[k] = (unsigned char)digit[three >> (18 - 6 * k) & 63];
    if (i + 1 >= count) to[2] = '=';
    if (i + 2 >= count) to[3] = '=';
  }
  return to || !count;
}

/* Compresses `total` bytes block by block and appends the zlib streams to `packed`. Appends to `head` the
 * number of blocks, the block size, the size of a partial last block, and the packed size of each block, as
 * 64-bit words. Returns false if out of memory. */
static bool pack_blocks(
    const unsigned char *bytes, size_t total, size_t blocks, sc_bytes *head, sc_bytes *packed) {
  unsigned char *at = sc_bytes_take(head, 8 * (3 + blocks));
  if (!at) return false;
  sc_put_u64(at, blocks);
  sc_put_u64(at + 8, BLOCK);
  sc_put_u64(at + 16, total % BLOCK);
  for (size_t b = 0; b < blocks; b++) {
    const size_t part = b + 1 < blocks || total % BLOCK == 0 ? BLOCK : total % BLOCK, before = packed->count;
    if (!sc_deflate(packed, bytes + b * BLOCK, part, 1)) return false;
    sc_put_u64(at + 24 + 8 * b, packed->count - before);
  }
  return true;
}

/* Adds an array of rows x components values of the type `kind`. bytes: the values, little-endian. */
static void add_data_array(
    sheet *s, const char *name, word kind, int components, const void *bytes, int64_t rows) {
  char line[256];
  snprintf(line, sizeof line,
      "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">", word_names[kind],
      name, components);
  put_xml(s, line);
  sc_bytes head = {0}, packed = {0};
  const size_t total = (size_t)rows * (size_t)components * word_sizes[kind],
               blocks = (total + BLOCK - 1) / BLOCK;
  if (!pack_blocks(bytes, total, blocks, &head, &packed) || !add_base64(&s->xml, head.at, head.count) ||
      !add_base64(&s->xml, packed.at, packed.count))
    s->failed = true;
  sc_bytes_free(&head);
  sc_bytes_free(&packed);
  put_xml(s, "</DataArray>\n");
}

/* ---- gathering ---- */

/* Adds an array with the values of the drawn bodies as 32-bit floats. values:
 * [frame->bodies x components]. */
static void add_doubles(sheet *s, sc_export *ex, const char *name, const double *values, int components) {
  const unsigned char *at = sc_export_floats(ex, values, components);
  s->failed |= !at;
  if (at) add_data_array(s, name, FLOAT32, components, at, ex->drawn.count);
}

/* Quantities that are whole numbers. ID to TYPE belong to drawn bodies, BODY1 and BODY2 to contacts. The
 * others follow from the row number alone. */
typedef enum whole { ID, CLUMP, GROUP, KIND, TYPE, BODY1, BODY2, INDEX, NEXT, PAIR_END, TRIANGLE_END } whole;

static int64_t find_whole(const sc_export *ex, whole what, int64_t i) {
  const scree_frame *f = ex->frame;
  switch (what) {
  case ID: return (int64_t)f->id[ex->drawn.row[i]];
  case CLUMP: return (int64_t)ex->clump[ex->drawn.row[i]];
  case GROUP: return f->group[ex->drawn.row[i]];
  case KIND: return f->kind[ex->drawn.row[i]];
  case TYPE: return ex->drawn.type[i];
  case BODY1: return (int64_t)f->contact[i].body1;
  case BODY2: return (int64_t)f->contact[i].body2;
  case INDEX: return i;
  case NEXT: return i + 1;
  case PAIR_END: return 2 * (i + 1);
  case TRIANGLE_END: break;
  }
  return 3 * (i + 1);
}

static void add_whole(sheet *s, sc_export *ex, const char *name, word kind, whole what, int64_t rows) {
  ex->scratch.count = 0;
  unsigned char *at = sc_bytes_take(&ex->scratch, (size_t)rows * 8 + 1);
  if (!at) {
    s->failed = true;
    return;
  }
  for (int64_t i = 0; i < rows; i++)
    if (kind == INT64) sc_put_u64(at + 8 * i, (uint64_t)find_whole(ex, what, i));
    else sc_put_u32(at + 4 * i, (uint32_t)find_whole(ex, what, i));
  add_data_array(s, name, kind, 1, ex->scratch.at, rows);
}

/* ---- files ---- */

static scree_status write_sheet(sc_export *ex, const sheet *s, const char *name, int64_t points,
    int64_t verts, int64_t lines, int64_t polys, scree_error *error) {
  sc_out out;
  if (s->failed) return sc_export_no_memory(error);
  scree_status status = sc_export_open_numbered(ex, &out, name, ".vtp", false, error);
  if (status) return status;
  sc_out_text(&out,
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\" "
      "compressor=\"vtkZLibDataCompressor\">\n<PolyData>\n<FieldData><DataArray type=\"Float64\" "
      "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">");
  sc_out_number(&out, "", ex->frame->time, SC_EVERY_BIT);
  sc_out_text(&out, "</DataArray>");
  if (ex->frame->has_cell) {
    sc_out_text(&out,
        "<DataArray type=\"Float64\" Name=\"cell\" NumberOfComponents=\"3\" NumberOfTuples=\"4\" "
        "format=\"ascii\">");
    for (int k = 0; k < 9; k++)
      sc_out_number(&out, k ? " " : "", ex->frame->cell.matrix[3 * (k % 3) + k / 3], SC_EVERY_BIT);
    sc_out_numbers(&out, " ", ex->frame->cell.origin, 3, SC_EVERY_BIT);
    sc_out_text(&out, "</DataArray>");
  }
  sc_out_text(&out,
      "</FieldData>\n<Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"%lld\" "
      "NumberOfLines=\"%lld\" NumberOfStrips=\"0\" NumberOfPolys=\"%lld\">\n",
      (long long)points, (long long)verts, (long long)lines, (long long)polys);
  sc_out_bytes(&out, s->xml.at, s->xml.count);
  sc_out_text(&out, "</Piece>\n</PolyData>\n</VTKFile>\n");
  return sc_out_close(&out, error);
}

/* Adds a line to a collection of files: at the present time, the file with number `ordinal` applies. Returns
 * false if out of memory. */
static bool list_file(sc_export *ex, sc_bytes *collection, const char *name, int64_t ordinal) {
  char time[32], line[512];
  sc_number_text(ex->frame->time, 17, time);
  int count = snprintf(line, sizeof line,
      "<DataSet timestep=\"%s\" group=\"\" part=\"0\" file=\"%.200s%s_%06lld.vtp\"/>\n", time,
      ex->def->basename, name, (long long)ordinal);
  return sc_bytes_add(collection, line, (size_t)count);
}

/* Adds a line to a collection of files: at the present time, the file of the present frame applies. */
static bool list_present_file(sc_export *ex, sc_bytes *collection, const char *name) {
  return list_file(ex, collection, name, ex->ordinal);
}

static scree_status write_collection(
    sc_export *ex, const sc_bytes *collection, const char *ending, scree_error *error) {
  sc_out out;
  scree_status status = sc_export_open(ex, &out, ending, false, error);
  if (status) return status;
  sc_out_text(&out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n");
  sc_out_bytes(&out, collection->at, collection->count);
  sc_out_text(&out, "</Collection>\n</VTKFile>\n");
  return sc_out_close(&out, error);
}

/* Adds the image of each point: the number of cell edges, along each edge, between its written and its
 * unwrapped position. */
static void add_images(sheet *s, sc_export *ex) {
  const unsigned char *at = sc_export_images(ex);
  s->failed |= !at;
  if (at) add_data_array(s, "image", INT32, 3, at, ex->drawn.count);
}

static void fill_bodies(sc_export *ex, sheet *s) {
  const scree_frame *f = ex->frame;
  put_xml(s, "<Points>\n");
  add_doubles(s, ex, "Points", f->position, 3);
  put_xml(s, "</Points>\n<PointData Scalars=\"radius\">\n");
  add_doubles(s, ex, "radius", f->radius, 1);
  add_doubles(s, ex, "mass", f->mass, 1);
  add_whole(s, ex, "id", INT64, ID, ex->drawn.count);
  if (ex->clump) add_whole(s, ex, "clump", INT64, CLUMP, ex->drawn.count);
  add_whole(s, ex, "group", INT64, GROUP, ex->drawn.count);
  add_whole(s, ex, "kind", INT32, KIND, ex->drawn.count);
  add_whole(s, ex, "shape", INT32, TYPE, ex->drawn.count);
  if (ex->image) add_images(s, ex);
  if (ex->fields & SCREE_FIELD_VELOCITY) add_doubles(s, ex, "velocity", f->velocity, 3);
  if (ex->fields & SCREE_FIELD_SPIN) add_doubles(s, ex, "spin", f->spin, 3);
  if (ex->fields & SCREE_FIELD_ORIENTATION) add_doubles(s, ex, "orientation", f->orientation, 4);
  const char *name;
  for (int32_t k = 0, components; k < f->columns; k += components) {
    components = sc_export_components(ex, k, &name);
    const double *value = sc_export_column(ex, k, components);
    s->failed |= !value;
    if (value) add_doubles(s, ex, name, value, components);
  }
  put_xml(s, "</PointData>\n<Verts>\n");
  add_whole(s, ex, "connectivity", INT64, INDEX, ex->drawn.count);
  add_whole(s, ex, "offsets", INT64, NEXT, ex->drawn.count);
  put_xml(s, "</Verts>\n");
}

/* ---- contacts ---- */

/* Quantities of contacts. ENDS to MOMENT are vectors, the others are numbers. */
typedef enum quantity {
  ENDS, /* both ends of the line that shows the contact: two rows per contact */
  IMPULSE,
  NORMAL,
  COMPATIBLE,
  FORCE,
  FRICTION,
  MOMENT,
  GAP,
  IMPULSE_N,
  IMPULSE_T,
  COMPATIBLE_N,
  FORCE_N
} quantity;

static void find_ends(const sc_export *ex, const scree_frame_contact *c, double row[6]) {
  const scree_shown_contact shown = scree_frame_shown_contact(ex->unwrapped, c);
  sc_copy3(shown.end1, row), sc_copy3(shown.end2, row + 3);
}

static void find_quantity(const sc_export *ex, const scree_frame_contact *c, quantity which, double row[6]) {
  const bool sums = which == IMPULSE_N || which == IMPULSE_T;
  const sc_contact_load load = sc_export_contact_load(c, sums || !(ex->frame->dt > 0) ? 1 : ex->frame->dt);
  switch (which) {
  case ENDS: find_ends(ex, c, row); break;
  case IMPULSE: sc_copy3(c->impulse, row); break;
  case NORMAL: sc_copy3(c->normal, row); break;
  case COMPATIBLE: sc_copy3(c->force, row); break;
  case FORCE: sc_copy3(load.force, row); break;
  case FRICTION: sc_copy3(load.friction, row); break;
  case MOMENT: sc_copy3(load.moment, row); break;
  case GAP: row[0] = c->gap; break;
  case IMPULSE_T: row[0] = sc_norm(load.friction); break;
  case COMPATIBLE_N: row[0] = sc_dot(c->force, c->normal); break;
  case IMPULSE_N:
  case FORCE_N: row[0] = load.normal; break;
  }
}

static void add_contact_floats(sheet *s, sc_export *ex, const char *name, quantity which) {
  const int64_t n = ex->frame->contacts;
  const int components = which <= MOMENT ? 3 : 1, rows = which == ENDS ? 2 : 1;
  ex->scratch.count = 0;
  unsigned char *at = sc_bytes_take(&ex->scratch, (size_t)n * 24 + 1);
  if (!at) {
    s->failed = true;
    return;
  }
  for (int64_t i = 0; i < n; i++) {
    double row[6] = {0};
    find_quantity(ex, ex->frame->contact + i, which, row);
    for (int k = 0; k < rows * components; k++, at += 4) sc_put_f32(at, row[k]);
  }
  add_data_array(s, name, FLOAT32, components, ex->scratch.at, rows * n);
}

static scree_status write_contacts(sc_export *ex, scree_error *error) {
  sheet s = {0};
  int64_t n = ex->frame->contacts;
  put_xml(&s, "<Points>\n");
  add_contact_floats(&s, ex, "Points", ENDS);
  put_xml(&s, "</Points>\n<CellData Scalars=\"impulse_n\">\n");
  add_contact_floats(&s, ex, "impulse", IMPULSE);
  add_contact_floats(&s, ex, "normal", NORMAL);
  add_contact_floats(&s, ex, "gap", GAP);
  add_contact_floats(&s, ex, "impulse_n", IMPULSE_N);
  add_contact_floats(&s, ex, "impulse_t", IMPULSE_T);
  if (ex->frame->dt > 0) {
    add_contact_floats(&s, ex, "force", FORCE);
    add_contact_floats(&s, ex, "force_n", FORCE_N);
    add_contact_floats(&s, ex, "friction", FRICTION);
    add_contact_floats(&s, ex, "moment", MOMENT);
  }
  if (ex->frame->forces) {
    add_contact_floats(&s, ex, "compatible", COMPATIBLE);
    add_contact_floats(&s, ex, "compatible_n", COMPATIBLE_N);
  }
  add_whole(&s, ex, "body1", INT64, BODY1, n);
  add_whole(&s, ex, "body2", INT64, BODY2, n);
  put_xml(&s, "</CellData>\n<Lines>\n");
  add_whole(&s, ex, "connectivity", INT64, INDEX, 2 * n);
  add_whole(&s, ex, "offsets", INT64, PAIR_END, n);
  put_xml(&s, "</Lines>\n");
  scree_status status = write_sheet(ex, &s, "_contacts", 2 * n, 0, n, 0, error);
  sc_bytes_free(&s.xml);
  if (!status && !list_present_file(ex, &ex->contact_list, "_contacts")) status = sc_export_no_memory(error);
  return status;
}

/* ---- walls ---- */

scree_status sc_vtp_walls(
    sc_export *ex, const unsigned char *corners, size_t stride, int64_t triangles, scree_error *error) {
  sheet s = {0};
  ex->scratch.count = 0;
  unsigned char *at = sc_bytes_take(&ex->scratch, (size_t)triangles * 36 + 1);
  if (!at) return sc_export_no_memory(error);
  for (int64_t i = 0; i < triangles; i++) memcpy(at + 36 * i, corners + (size_t)i * stride, 36);
  put_xml(&s, "<Points>\n");
  add_data_array(&s, "Points", FLOAT32, 3, at, 3 * triangles);
  put_xml(&s, "</Points>\n<Polys>\n");
  add_whole(&s, ex, "connectivity", INT64, INDEX, 3 * triangles);
  add_whole(&s, ex, "offsets", INT64, TRIANGLE_END, triangles);
  put_xml(&s, "</Polys>\n");
  scree_status status = write_sheet(ex, &s, "_walls", 3 * triangles, 0, 0, triangles, error);
  sc_bytes_free(&s.xml);
  return status;
}

bool sc_vtp_walls_at(sc_export *ex, int64_t ordinal) { return list_file(ex, &ex->list, "_walls", ordinal); }

scree_status sc_vtp_walls_end(sc_export *ex, scree_error *error) {
  return write_collection(ex, &ex->list, "_walls.pvd", error);
}

static scree_status write_vtp_frame(sc_export *ex, scree_error *error) {
  sheet s = {0};
  fill_bodies(ex, &s);
  scree_status status = write_sheet(ex, &s, "", ex->drawn.count, ex->drawn.count, 0, 0, error);
  sc_bytes_free(&s.xml);
  if (!status && !list_present_file(ex, &ex->list, "")) status = sc_export_no_memory(error);
  return status || !ex->def->contacts ? status : write_contacts(ex, error);
}

static scree_status end_vtp(sc_export *ex, scree_error *error) {
  scree_status status = write_collection(ex, &ex->list, ".pvd", error);
  return status || !ex->def->contacts ? status
                                      : write_collection(ex, &ex->contact_list, "_contacts.pvd", error);
}

const sc_exporter sc_export_vtp = {.name = "vtp",
    .points = true,
    .columns = true,
    .contacts = true,
    .frame = write_vtp_frame,
    .end = end_vtp};
