/* Binary STL of walls, obstacles and pushers: all bodies that are neither dynamic nor single balls. One file
 * for the first exported frame, and one for every later frame in which such a body moved or changed. Planes
 * become squares that span the box around all grains of the first exported frame.
 *
 * With the option `grains`, every exported frame also has a file of its grains, i.e. of all other bodies.
 * Round grains have fewer sides in frames with more grains (sc_grain_sides). Balls and capsules with few
 * sides become polyhedra. The exporter writes the file while it computes triangles. At the end it writes the
 * number of triangles into the header. */
#include "io/export/polyhedron.h"
#include "io/export/surface.h"
#include "math/vec.h"

enum {
  HEADER = 84,   /* size of the header of the file [bytes] */
  TRIANGLE = 50, /* size of a triangle in the file [bytes] */
  DODECAHEDRON_SIDES =
      12, /* balls and capsules of at most this number of sides become polyhedra of 60 triangles (3 kB) */
  ICOSPHERE_SIDES = 32 /* balls with more sides, up to this number, become icospheres of 320 triangles */
};

/* Receives triangles in the binary layout of STL: appends them to a file or, if `file` is NULL, to bytes. */
typedef struct stl {
  sc_out *file;
  sc_bytes *bytes;
  uint64_t triangles;
  bool failed; /* out of memory for `bytes` */
} stl;

static void put_stl_vector(unsigned char *at, const double v[3]) {
  for (int k = 0; k < 3; k++) sc_put_f32(at + 4 * k, v[k]);
}

/* Appends a triangle with its normal; skips triangles without area. */
static void put_stl_triangle(void *to, const double corner[3][3]) {
  stl *out = to;
  double u[3], v[3], n[3];
  sc_sub(corner[1], corner[0], u);
  sc_sub(corner[2], corner[0], v);
  sc_cross(u, v, n);
  if (!(sc_normalise(n, n) > 0)) return;
  unsigned char at[TRIANGLE];
  put_stl_vector(at, n);
  for (int i = 0; i < 3; i++) put_stl_vector(at + 12 * (i + 1), corner[i]);
  sc_put_u16(at + 48, 0);
  if (out->file) sc_out_bytes(out->file, at, TRIANGLE);
  else if (!sc_bytes_add(out->bytes, at, TRIANGLE)) out->failed = true;
  out->triangles++;
}

/* Fills the header of a file. title: at most 79 characters. */
static void fill_stl_header(unsigned char header[HEADER], const char *title, uint32_t triangles) {
  memset(header, 0, HEADER);
  strcpy((char *)header, title);
  sc_put_u32(header + 80, triangles);
}

/* ---- the file ---- */

/* Private data of the format: bounding box of the drawn bodies in the first exported frame [m]. */
typedef struct extent {
  double low[3], high[3];
  int64_t written; /* ordinal of the frame whose files show the present walls */
} extent;

/* On the first call, allocates ex->own and stores the box. Returns false if out of memory. */
static bool store_extent(sc_export *ex) {
  if (ex->own) return true;
  extent *box = ex->own = sc_alloc(sizeof *box);
  if (!box) return false;
  memcpy(box->low, ex->drawn.low, sizeof box->low);
  memcpy(box->high, ex->drawn.high, sizeof box->high);
  return true;
}

static void free_stl(sc_export *ex) { sc_free(ex->own); }

/* Adds a line to the list of wall files: at the present time, the file written last applies. */
static scree_status note_time(sc_export *ex, scree_error *error) {
  return sc_vtp_walls_at(ex, ((extent *)ex->own)->written) ? SCREE_OK : sc_export_no_memory(error);
}

/* Returns true if shape s belongs to a wall: the shape's body is not dynamic and is not a single ball. row:
 * row of the body in the frame. */
static bool is_wall_shape(const scree_frame *f, int64_t row, int64_t s) {
  bool alone = (s == 0 || f->shape[s - 1].body != f->id[row]) &&
      (s + 1 == f->shapes || f->shape[s + 1].body != f->id[row]);
  return f->kind[row] != SCREE_DYNAMIC && !(alone && f->shape[s].type == SCREE_SPHERE);
}

static void draw_walls(const sc_export *ex, sc_surface *surface) {
  const scree_frame *f = ex->frame;
  int64_t row = 0;
  for (int64_t s = 0; s < f->shapes; s++) {
    while (f->id[row] != f->shape[s].body) row++;
    if (is_wall_shape(f, row, s)) sc_surface_draw(surface, f, row, f->shape + s);
  }
}

/* ---- grains ---- */

static int64_t count_grain_shapes(const scree_frame *f) {
  int64_t grains = 0, row = 0;
  for (int64_t s = 0; s < f->shapes; s++) {
    while (f->id[row] != f->shape[s].body) row++;
    grains += !is_wall_shape(f, row, s);
  }
  return grains;
}

/* Draws a ball or a capsule as a polyhedron. A capsule's axis is z. Vertices above and below the capsule's
 * middle move away from it by half its length. */
static void draw_polyhedron(sc_surface *surface, const sc_polyhedron *ball, const scree_shape_info *shape) {
  double vertex[SC_POLYHEDRON_VERTICES][3];
  const double half = shape->type == SCREE_CAPSULE ? shape->length / 2 : 0;
  for (int i = 0; i < ball->vertices; i++) {
    double v[3];
    for (int k = 0; k < 3; k++) v[k] = shape->radius * ball->vertex[i][k];
    v[2] += v[2] > 0 ? half : v[2] < 0 ? -half : 0;
    sc_mat_vec(surface->R, v, vertex[i]);
    sc_add(vertex[i], surface->origin, vertex[i]);
  }
  for (int i = 0; i < ball->faces; i++) {
    double corner[3][3];
    for (int k = 0; k < 3; k++) memcpy(corner[k], vertex[ball->face[i][k]], sizeof corner[k]);
    surface->put(surface->to, (const double(*)[3])corner);
  }
}

/* Draws the shapes of all grains. Balls and capsules with few sides become polyhedra. */
static void draw_grains(const scree_frame *f, sc_surface *surface) {
  sc_polyhedron ball;
  const bool coarse = surface->sides <= DODECAHEDRON_SIDES;
  if (coarse) sc_polyhedron_dodecahedron(&ball);
  else sc_polyhedron_icosphere(&ball, 2);
  int64_t row = 0;
  for (int64_t s = 0; s < f->shapes; s++) {
    while (f->id[row] != f->shape[s].body) row++;
    if (is_wall_shape(f, row, s)) continue;
    const int type = f->shape[s].type;
    if ((type == SCREE_SPHERE && surface->sides <= ICOSPHERE_SIDES) || (type == SCREE_CAPSULE && coarse)) {
      sc_surface_place(surface, f, row, f->shape + s);
      draw_polyhedron(surface, &ball, f->shape + s);
    } else sc_surface_draw(surface, f, row, f->shape + s);
  }
}

static scree_status write_grains(sc_export *ex, scree_error *error) {
  unsigned char header[HEADER];
  sc_out file;
  scree_status status = sc_export_open_numbered(ex, &file, "_grains", ".stl", false, error);
  if (status) return status;
  stl out = {.file = &file};
  sc_surface surface = {.put = put_stl_triangle, .to = &out};
  surface.sides = sc_grain_sides(ex->def, count_grain_shapes(ex->frame));
  fill_stl_header(header, "scree: grains [m]", 0);
  sc_out_bytes(&file, header, HEADER);
  draw_grains(ex->frame, &surface);
  if (out.triangles > UINT32_MAX) {
    sc_out_abandon(&file);
    return sc_fail(error, SCREE_E_ARGUMENT,
        "export: the grains of step %lld have %llu triangles, an stl file at most %lu; choose bodies by ids",
        (long long)ex->frame->step, (unsigned long long)out.triangles, (unsigned long)UINT32_MAX);
  }
  fill_stl_header(header, "scree: grains [m]", (uint32_t)out.triangles);
  sc_out_patch(&file, 0, header, HEADER);
  return sc_out_close(&file, error);
}

/* ---- the frame ---- */

static scree_status write_walls(sc_export *ex, scree_error *error) {
  if (!store_extent(ex)) return sc_export_no_memory(error);
  ex->scratch.count = 0;
  if (!sc_bytes_take(&ex->scratch, HEADER)) return sc_export_no_memory(error);
  stl out = {.bytes = &ex->scratch};
  sc_surface surface = {.put = put_stl_triangle, .to = &out, .sides = (int)ex->def->detail};
  memcpy(surface.low, ((extent *)ex->own)->low, sizeof surface.low);
  memcpy(surface.high, ((extent *)ex->own)->high, sizeof surface.high);
  draw_walls(ex, &surface);
  if (out.failed) return sc_export_no_memory(error);
  fill_stl_header(ex->scratch.at, "scree: walls and obstacles [m]", (uint32_t)out.triangles);
  /* nothing moved: the last file still applies */
  if (ex->ordinal && ex->last.count == ex->scratch.count &&
      !memcmp(ex->last.at, ex->scratch.at, ex->last.count))
    return note_time(ex, error);
  ex->last.count = 0;
  if (!sc_bytes_add(&ex->last, ex->scratch.at, ex->scratch.count)) return sc_export_no_memory(error);
  sc_out file;
  scree_status status = sc_export_open_numbered(ex, &file, "", ".stl", false, error);
  if (status) return status;
  sc_out_bytes(&file, ex->scratch.at, ex->scratch.count);
  status = sc_out_close(&file, error);
  if (!status)
    status = sc_vtp_walls(
        ex, ex->last.at + HEADER + 12, TRIANGLE, (int64_t)(ex->last.count - HEADER) / TRIANGLE, error);
  ((extent *)ex->own)->written = ex->ordinal;
  return status ? status : note_time(ex, error);
}

static scree_status write_stl_frame(sc_export *ex, scree_error *error) {
  scree_status status = write_walls(ex, error);
  return status || !ex->def->grains ? status : write_grains(ex, error);
}

const sc_exporter sc_export_stl = {.name = "stl",
    .points = true,
    .triangles = true,
    .frame = write_stl_frame,
    .end = sc_vtp_walls_end,
    .forget = free_stl};
