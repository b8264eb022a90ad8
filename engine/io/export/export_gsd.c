/* GSD files (HOOMD schema 1.4, file layer 2.1) for OVITO and freud: all frames in one file.
 *
 * Layout: a 256-byte header, chunks of raw data, the list of chunk names, the index. The header's pointers
 * are written at the end. Quaternions are (w,x,y,z). The schema requires a box centred at the origin. If the
 * frame has a cell with an upper triangular matrix, positions are shifted by the middle of the cell.
 * Otherwise the box is large enough for both signs of each coordinate, and positions need no shift. The chunk
 * particles/type_shapes has the shape of each type. All balls share one type; other bodies have a type for
 * each shape and size.
 *
 * If a frame lacks a chunk, readers use the chunk of frame 0 if both frames have equally many particles, else
 * the default. Therefore frames after the first omit chunks that equal those of frame 0, and the first frame
 * omits chunks of defaults. Orientations are those of the principal axes of inertia. Orientations and spins
 * of balls are written only if the caller names these fields. */
#include "io/export/export_gsd_inertia.h"
#include "model/shape/kind.h"
#include "io/trajectory/frame_store.h"
#include "scree/geometry.h"
#include "math/vec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  HEADER = 256, /* size of the file header [bytes] */
  ENTRY = 32,   /* size of an entry of the index [bytes] */
  U8 = 1,       /* this and the following values: type codes of the format */
  U32 = 3,
  U64 = 4,
  I8 = 5,
  I32 = 7,
  F32 = 9,
  MOST_TYPES = 200,   /* maximum number of types; all further types of bodies share the last type */
  TYPE_TEXT = 1 << 15 /* capacity for the JSON text of a type [bytes] */
};

/* Names of chunks; the index of a name is its id. Each frame writes its chunks in this order, because ids
 * must rise within a frame. */
static const char *const names[] = {"configuration/step", "configuration/box", "particles/N",
    "particles/types", "particles/type_shapes", "particles/typeid", "particles/diameter", "particles/mass",
    "particles/moment_inertia", "particles/position", "particles/orientation", "particles/velocity",
    "particles/angmom", "particles/image", "log/time", "log/particles/id", "log/particles/clump",
    "log/particles/spin"};
enum {
  STEP,
  BOX,
  N,
  TYPES,
  TYPE_SHAPES,
  TYPEID,
  DIAMETER,
  MASS,
  MOMENT_INERTIA,
  POSITION,
  ORIENTATION,
  VELOCITY,
  ANGULAR,
  IMAGE,
  TIME,
  ID,
  CLUMP,
  SPIN,
  NAMES, /* ids from here on are columns of scripts and loads, log/particles/NAME */
  ALL_NAMES = NAMES + SCREE_COLUMNS_MOST
};

/* A type of body: its shape with size and pose in the body. */
typedef struct type {
  int shape; /* scree_shape_type of the body, or SC_DRAWN_COMPOUND */
  scree_shape_info info;
  size_t length; /* length of json [bytes] */
  bool too_long; /* true: the shape has no JSON text, or the text does not fit; json becomes "{}" */
  char json[TYPE_TEXT];
} type;
typedef struct types {
  type row[MOST_TYPES];
  int count;
  /* [chunk ids] bytes of the chunk in frame 0, or its default if frame 0 lacks it */
  sc_bytes first[ALL_NAMES];
  int64_t first_count;    /* number of particles in frame 0 */
  sc_gsd_inertia inertia; /* principal axes and moments of inertia of the present frame */
  bool writes_spin;       /* true: the frames have the quantity SPIN */
} types;

/* ---- chunks ---- */

/* Particle quantities with a default. The first frame omits such a quantity if every particle has the
 * default. row: the default of one particle, also for integers, because their default 0 has the same bits as
 * the float 0. */
static const struct standard {
  int name, columns;
  float row[4];
} standards[] = {{TYPEID, 1, {0}}, {DIAMETER, 1, {1}}, {MASS, 1, {1}}, {MOMENT_INERTIA, 3, {0}},
    {ORIENTATION, 4, {1, 0, 0, 0}}, {VELOCITY, 3, {0}}, {ANGULAR, 4, {0}}, {IMAGE, 3, {0}}};

/* Returns whether every row of a chunk has the default of its quantity. Text and log quantities have no
 * default. */
static bool is_default(int name, const void *bytes, size_t count) {
  const struct standard *s = standards;
  const struct standard *end = s + sizeof standards / sizeof *standards;
  while (s < end && s->name != name) s++;
  if (s == end) return false;
  const size_t row = (size_t)s->columns * 4;
  for (size_t at = 0; at < count; at += row)
    if (memcmp((const char *)bytes + at, s->row, row)) return false;
  return true;
}

/* Sets *needed to true if the present frame must write a chunk, because a reader would not find the same
 * bytes in frame 0 or in the defaults. In frame 0, stores the bytes for later comparisons. Returns false if
 * out of memory. */
static bool find_needed(sc_export *ex, int name, const void *bytes, size_t count, bool *needed) {
  types *table = ex->own;
  sc_bytes *first = &table->first[name];
  if (!ex->ordinal) {
    *needed = !is_default(name, bytes, count);
    return sc_bytes_add(first, bytes, count);
  }
  const bool alike = first->count == count && table->first_count == ex->drawn.count;
  *needed = name == STEP || !alike || memcmp(first->at, bytes, count) != 0;
  return true;
}

/* Writes a chunk and its entry of the index (ex->list) if the present frame must write it. Returns false if
 * out of memory. */
static bool write_chunk(
    sc_export *ex, int name, int kind, int64_t rows, int columns, const void *bytes, size_t count) {
  bool needed;
  if (!find_needed(ex, name, bytes, count, &needed)) return false;
  if (!needed) return true;
  unsigned char entry[ENTRY] = {0};
  sc_put_u64(entry, (uint64_t)ex->ordinal);
  sc_put_u64(entry + 8, (uint64_t)rows);
  sc_put_u64(entry + 16, sc_out_place(&ex->out));
  sc_put_u32(entry + 24, (uint32_t)columns);
  sc_put_u16(entry + 28, (uint16_t)name);
  entry[30] = (unsigned char)kind;
  sc_out_bytes(&ex->out, bytes, count);
  return sc_bytes_add(&ex->list, entry, ENTRY);
}

/* Writes the values of the drawn bodies, times a factor, as 32-bit floats; infinite values and NaN become 0.
 * values: [frame->bodies x columns]. Returns false if out of memory. */
static bool write_floats(sc_export *ex, int name, const double *values, int columns, double factor) {
  const sc_drawn *d = &ex->drawn;
  ex->scratch.count = 0;
  float *at = (float *)sc_bytes_take(&ex->scratch, (size_t)d->count * (size_t)columns * 4 + 4);
  if (!at) return false;
  for (int64_t i = 0; i < d->count; i++)
    for (int c = 0; c < columns; c++) {
      double v = factor * values[columns * d->row[i] + c];
      *at++ = isfinite(v) ? (float)v : 0;
    }
  return !d->count ||
      write_chunk(ex, name, F32, d->count, columns, ex->scratch.at, (size_t)d->count * (size_t)columns * 4);
}

/* ---- types and their shapes ---- */

/* Rotates v by the unit quaternion q and shifts it by x. */
static void transform_point(const double q[4], const double x[3], const double v[3], double out[3]) {
  double t[3] = {
      2 * (q[2] * v[2] - q[3] * v[1]), 2 * (q[3] * v[0] - q[1] * v[2]), 2 * (q[1] * v[1] - q[2] * v[0])};
  out[0] = x[0] + v[0] + q[0] * t[0] + q[2] * t[2] - q[3] * t[1];
  out[1] = x[1] + v[1] + q[0] * t[1] + q[3] * t[0] - q[1] * t[2];
  out[2] = x[2] + v[2] + q[0] * t[2] + q[1] * t[1] - q[2] * t[0];
}

/* Appends a text to a type's JSON. If it does not fit, the whole JSON is dropped. */
static void append_text(type *t, const char *text) {
  if (t->length + strlen(text) + 1 >= TYPE_TEXT) t->too_long = true;
  else t->length += (size_t)snprintf(t->json + t->length, TYPE_TEXT - t->length, "%s", text);
}

/* Appends a point of the shape, in the frame of the body, as "[x, y, z]". */
static void add_point(type *t, double x, double y, double z) {
  char a[32], b[32], c[32], point[112];
  double p[3];
  transform_point(t->info.orientation, t->info.position, (const double[3]){x, y, z}, p);
  sc_number_text(p[0], 9, a);
  sc_number_text(p[1], 9, b);
  sc_number_text(p[2], 9, c);
  snprintf(point, sizeof point, "%s[%s, %s, %s]", t->json[t->length - 1] == '[' ? "" : ", ", a, b, c);
  append_text(t, point);
}

static void put_corner(void *to, const double point[3], uint32_t name) {
  (void)name;
  type *t = to;
  if (!t->too_long) add_point(t, point[0], point[1], point[2]);
}

static void add_triangles(type *t) {
  const int32_t(*triangle)[3];
  int64_t triangles = scree_geometry_triangles(t->info.geometry, &triangle);
  append_text(t, "], \"indices\": [");
  for (int64_t i = 0; i < triangles && !t->too_long; i++) {
    char text[64];
    snprintf(
        text, sizeof text, "%s[%d, %d, %d]", i ? ", " : "", triangle[i][0], triangle[i][1], triangle[i][2]);
    append_text(t, text);
  }
}

static void describe_quadric(type *t, const sc_shape *shape) {
  char a[32], b[32], c[32], text[160];
  sc_number_text(shape->extent[0], 9, a);
  sc_number_text(shape->extent[1], 9, b);
  sc_number_text(shape->extent[2], 9, c);
  snprintf(text, sizeof text, "{\"type\": \"Ellipsoid\", \"a\": %s, \"b\": %s, \"c\": %s}", a, b, c);
  append_text(t, text);
}

/* Writes a polyhedron with its rounding radius, or a mesh with its triangles, as JSON. */
static void describe_corners(type *t, const sc_shape *shape) {
  const sc_shape_kind *kind = sc_kind_of(shape);
  char radius[32], text[160];
  double size;
  sc_number_text(kind->core ? kind->core(shape, &size) : 0, 9, radius);
  if (t->shape == SCREE_MESH) snprintf(text, sizeof text, "{\"type\": \"Mesh\", \"vertices\": [");
  else
    snprintf(text, sizeof text, "{\"type\": \"ConvexPolyhedron\", \"rounding_radius\": %s, \"vertices\": [",
        radius);
  append_text(t, text);
  kind->corners(shape, &(sc_point_sink){put_corner, t});
  if (t->shape == SCREE_MESH) add_triangles(t);
  append_text(t, "]}");
}

static void describe_type(type *t) {
  sc_shape shape;
  bool known = t->shape != SC_DRAWN_COMPOUND && sc_shape_of_info(&t->info, &shape);
  if (known && sc_kind_of(&shape)->quadric) describe_quadric(t, &shape);
  else if (known && sc_kind_of(&shape)->corners) describe_corners(t, &shape);
  else t->too_long = true;
  if (t->too_long) strcpy(t->json, "{}");
}

/* Sets out to shape s with its pose relative to the principal axes of its body. axes: rotation from the
 * principal axes to the body's axes (w,x,y,z). */
static void turn_shape(const double axes[4], const scree_shape_info *s, scree_shape_info *out) {
  const double back[4] = {axes[0], -axes[1], -axes[2], -axes[3]};
  *out = *s;
  if (axes[0] == 1) return;
  sc_quat_rotate(back, s->position, out->position);
  sc_quat_mul(back, s->orientation, out->orientation);
}

/* Returns the index of the type of drawn body i. Adds the type if it is new. Type 0 is the ball. If the table
 * is full, returns the last type. */
static int find_type(types *table, const sc_drawn *d, int64_t i) {
  const scree_shape_info *s = d->shape[i];
  scree_shape_info turned;
  int shape = d->type[i];
  if (!s || shape == SCREE_SPHERE) return 0;
  turn_shape(table->inertia.axes + 4 * d->row[i], s, &turned);
  s = &turned;
  for (int k = 1; k < table->count; k++) {
    const type *t = &table->row[k];
    if (t->shape == shape &&
        (shape == SC_DRAWN_COMPOUND || (sc_shape_same(&t->info, s) && t->info.geometry == s->geometry)))
      return k;
  }
  if (table->count == MOST_TYPES) return MOST_TYPES - 1;
  type *t = &table->row[table->count];
  t->shape = shape;
  t->info = *s;
  describe_type(t);
  return table->count++;
}

/* Writes the labels of all types, or their JSON texts if `json`, as one array. Texts are padded with zeros to
 * equal width. */
static bool write_texts(sc_export *ex, int name, const types *table, bool json) {
  char label[64];
  size_t width = 1;
  for (int pass = 0; pass < 2; pass++) {
    ex->scratch.count = 0;
    unsigned char *at = pass ? sc_bytes_take(&ex->scratch, width * (size_t)table->count) : NULL;
    if (pass && !at) return false;
    if (pass) memset(at, 0, width * (size_t)table->count);
    for (int k = 0; k < table->count; k++) {
      if (!json) snprintf(label, sizeof label, k ? "%s%d" : "%s", sc_drawn_name(table->row[k].shape), k);
      const char *text = json ? table->row[k].json : label;
      if (!pass && strlen(text) + 1 > width) width = strlen(text) + 1;
      if (pass) memcpy(at + width * (size_t)k, text, strlen(text));
    }
  }
  return write_chunk(ex, name, I8, table->count, (int)width, ex->scratch.at, width * (size_t)table->count);
}

static bool type_chunks(sc_export *ex) {
  types *table = ex->own;
  const sc_drawn *d = &ex->drawn;
  uint32_t *ids = sc_alloc((size_t)d->count * 4 + 4);
  if (!ids) return false;
  for (int64_t i = 0; i < d->count; i++) ids[i] = (uint32_t)find_type(table, d, i);
  bool ok = write_texts(ex, TYPES, table, false) && write_texts(ex, TYPE_SHAPES, table, true) &&
      (!d->count || write_chunk(ex, TYPEID, U32, d->count, 1, ids, (size_t)d->count * 4));
  sc_free(ids);
  return ok;
}

/* ---- the file ---- */

static scree_status begin_gsd(sc_export *ex, scree_error *error) {
  types *table = sc_alloc(sizeof *table);
  if (!table) return sc_export_no_memory(error);
  table->count = 1;
  table->row[0].shape = SCREE_SPHERE;
  strcpy(table->row[0].json, "{\"type\": \"Sphere\", \"diameter\": 1}");
  ex->own = table;
  scree_status status = sc_export_open(ex, &ex->out, ".gsd", false, error);
  static const unsigned char header[HEADER];
  if (!status) sc_out_bytes(&ex->out, header, HEADER);
  return status;
}

static bool ids_chunk(sc_export *ex, int name, const uint64_t *id) {
  const sc_drawn *d = &ex->drawn;
  ex->scratch.count = 0;
  unsigned char *at = sc_bytes_take(&ex->scratch, (size_t)d->count * 8 + 1);
  if (!at) return false;
  for (int64_t i = 0; i < d->count; i++) sc_put_u64(at + 8 * i, id[d->row[i]]);
  return !d->count || write_chunk(ex, name, U64, d->count, 1, at, (size_t)d->count * 8);
}

/* Writes the image of each particle: the number of cell edges, along each edge, between its written and its
 * unwrapped position. */
static bool images_chunk(sc_export *ex) {
  const int64_t count = ex->drawn.count;
  const unsigned char *at = sc_export_images(ex);
  return at && (!count || write_chunk(ex, IMAGE, I32, count, 3, at, (size_t)count * 12));
}

/* Shifts wrapped positions so that the middle of the cell is the origin. */
static void centre_positions(sc_export *ex) {
  const double *H = ex->frame->cell.matrix, *o = ex->frame->cell.origin;
  for (int64_t i = 0; i < 3 * ex->frame->bodies && ex->image; i++) {
    const double *row = H + 3 * (i % 3);
    ex->wrapped.position[i] -= o[i % 3] + 0.5 * (row[0] + row[1] + row[2]);
  }
}

/* Returns the bits SCREE_FIELD_... of the quantities that the present frame writes. Rotating a ball does not
 * change its picture, so orientations and spins of balls are written only if the caller names these fields.
 * Frame 0 decides about spins, because readers want log quantities in frame 0 or in no frame. */
static int choose_fields(sc_export *ex) {
  types *table = ex->own;
  const sc_drawn *d = &ex->drawn;
  bool turned = ex->def->fields_named || table->writes_spin;
  for (int64_t i = 0; i < d->count && !turned; i++) turned = d->type[i] != SCREE_SPHERE;
  if (!ex->ordinal) table->writes_spin = turned;
  return ex->fields & ~(turned ? 0 : SCREE_FIELD_ORIENTATION) & ~(table->writes_spin ? 0 : SCREE_FIELD_SPIN);
}

static scree_status write_gsd_frame(sc_export *ex, scree_error *error) {
  const scree_frame *f = ex->frame;
  const int fields = choose_fields(ex);
  const sc_drawn *d = &ex->drawn;
  uint64_t step = (uint64_t)f->step;
  uint32_t count = (uint32_t)d->count;
  float box[6] = {0};
  for (int k = 0; k < 3; k++) box[k] = (float)(2.0001 * fmax(fabs(d->low[k]), fabs(d->high[k])));
  /* HOOMD's tilt factors are elements of the cell matrix H divided by the edge H[4] or H[8] */
  if (sc_export_boxed(f)) {
    const double *H = f->cell.matrix;
    box[0] = (float)H[0], box[1] = (float)H[4], box[2] = (float)H[8];
    box[3] = (float)(H[1] / H[4]), box[4] = (float)(H[2] / H[8]), box[5] = (float)(H[5] / H[8]);
    centre_positions(ex);
  }
  sc_gsd_inertia *rotation = &((types *)ex->own)->inertia;
  if (!ex->ordinal) ((types *)ex->own)->first_count = d->count;
  bool ok = sc_gsd_find_inertia(rotation, f) && write_chunk(ex, STEP, U64, 1, 1, &step, 8) &&
      write_chunk(ex, BOX, F32, 6, 1, box, 24) && write_chunk(ex, N, U32, 1, 1, &count, 4) &&
      type_chunks(ex) && write_floats(ex, DIAMETER, f->radius, 1, 2) && write_floats(ex, MASS, f->mass, 1, 1);
  if (ok && !ex->clump) ok = write_floats(ex, MOMENT_INERTIA, rotation->moment, 3, 1);
  ok = ok && write_floats(ex, POSITION, f->position, 3, 1);
  if (ok && fields & SCREE_FIELD_ORIENTATION) ok = write_floats(ex, ORIENTATION, rotation->orientation, 4, 1);
  if (ok && fields & SCREE_FIELD_VELOCITY) ok = write_floats(ex, VELOCITY, f->velocity, 3, 1);
  if (ok && fields & SCREE_FIELD_SPIN && !ex->clump) ok = write_floats(ex, ANGULAR, rotation->angular, 4, 1);
  if (ok && ex->image && sc_export_boxed(f)) ok = images_chunk(ex);
  ok = ok && write_chunk(ex, TIME, F32 + 1, 1, 1, &f->time, 8) && ids_chunk(ex, ID, f->id);
  if (ok && ex->clump) ok = ids_chunk(ex, CLUMP, ex->clump);
  if (ok && fields & SCREE_FIELD_SPIN) ok = write_floats(ex, SPIN, f->spin, 3, 1);
  const char *name;
  for (int32_t k = 0, components; ok && k < f->columns; k += components) {
    components = sc_export_components(ex, k, &name);
    const double *value = sc_export_column(ex, k, components);
    ok = value && write_floats(ex, NAMES + k, value, components, 1);
  }
  if (!ok) return sc_export_no_memory(error);
  return sc_export_state(ex, error);
}

/* Returns whether the file has chunks with a name. Readers expect every name that begins with log/ in frame
 * 0. Therefore end_gsd lists a name without chunks as unused/NAME. */
static bool is_used(const sc_export *ex, int name) {
  const types *table = ex->own;
  return (name != SPIN || table->writes_spin) && (name != CLUMP || ex->clump);
}

static scree_status end_gsd(sc_export *ex, scree_error *error) {
  /* the list has the names, each with a final zero byte, then a zero byte, and zeros up to a multiple of 64
   * bytes */
  unsigned char list[1024 + SCREE_COLUMNS_MOST * (SCREE_COLUMN_TEXT + 16)] = {0}, header[HEADER] = {0};
  size_t used = 0;
  for (int k = 0; k < NAMES; k++)
    used += (size_t)snprintf(
                (char *)list + used, sizeof list - used, "%s%s", is_used(ex, k) ? "" : "unused/", names[k]) +
        1;
  const char *name;
  for (int32_t k = 0, components; k < ex->columns; k += components) {
    components = sc_export_components(ex, k, &name);
    for (int i = 0; i < components; i++)
      used += (size_t)snprintf((char *)list + used, sizeof list - used, "%slog/particles/%s",
                  i ? "unused/" : "", i ? ex->column[k + i].name : name) +
          1;
  }
  size_t blocks = (used + 64) / 64, entries = ex->list.count / ENTRY + 1;
  uint64_t names_at = sc_out_place(&ex->out);
  sc_out_bytes(&ex->out, list, blocks * 64);
  uint64_t index_at = sc_out_place(&ex->out);
  sc_out_bytes(&ex->out, ex->list.at, ex->list.count);
  static const unsigned char none[ENTRY];
  sc_out_bytes(&ex->out, none, ENTRY);
  sc_put_u64(header, 0x65DF65DF65DF65DFull);
  sc_put_u64(header + 8, index_at);
  sc_put_u64(header + 16, entries);
  sc_put_u64(header + 24, names_at);
  sc_put_u64(header + 32, blocks);
  sc_put_u32(header + 40, 1u << 16 | 4);
  sc_put_u32(header + 44, 2u << 16 | 1);
  strcpy((char *)header + 48, "scree");
  strcpy((char *)header + 112, "hoomd");
  sc_out_patch(&ex->out, 0, header, HEADER);
  return sc_export_close(ex, error);
}

static void free_gsd(sc_export *ex) {
  types *table = ex->own;
  for (int k = 0; k < ALL_NAMES && table; k++) sc_bytes_free(&table->first[k]);
  if (table) sc_gsd_free_inertia(&table->inertia);
  sc_free(table);
  ex->own = NULL;
}

const sc_exporter sc_export_gsd = {.name = "gsd",
    .points = true,
    .columns = true,
    .begin = begin_gsd,
    .frame = write_gsd_frame,
    .end = end_gsd,
    .forget = free_gsd};
