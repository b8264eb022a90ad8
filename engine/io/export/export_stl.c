/* Binary STL of walls, obstacles and pushers: all bodies that are neither dynamic nor single balls. One file
 * for the first exported frame, and one for every later frame in which such a body moved or changed. Planes
 * become squares that span the box around all grains of the first exported frame. */
#include "io/export/surface.h"
#include "math/vec.h"

enum { HEADER = 84, TRIANGLE = 50 }; /* sizes of the header and of a triangle in the file [bytes] */

/* Receives the triangles of a frame in the binary layout of STL. */
typedef struct stl {
  sc_bytes *bytes;
  bool failed;
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
  unsigned char *at = sc_bytes_take(out->bytes, TRIANGLE);
  if (!at) {
    out->failed = true;
    return;
  }
  put_stl_vector(at, n);
  for (int i = 0; i < 3; i++) put_stl_vector(at + 12 * (i + 1), corner[i]);
  sc_put_u16(at + 48, 0);
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

/* Draws the shapes of walls: bodies that are neither dynamic nor single balls. */
static void draw_walls(const sc_export *ex, sc_surface *surface) {
  const scree_frame *f = ex->frame;
  int64_t row = 0;
  for (int64_t s = 0; s < f->shapes; s++) {
    while (f->id[row] != f->shape[s].body) row++;
    bool alone = (s == 0 || f->shape[s - 1].body != f->id[row]) &&
        (s + 1 == f->shapes || f->shape[s + 1].body != f->id[row]);
    if (f->kind[row] == SCREE_DYNAMIC || (alone && f->shape[s].type == SCREE_SPHERE)) continue;
    sc_surface_draw(surface, f, row, f->shape + s);
  }
}

static scree_status write_stl_frame(sc_export *ex, scree_error *error) {
  if (!store_extent(ex)) return sc_export_no_memory(error);
  ex->scratch.count = 0;
  unsigned char *header = sc_bytes_take(&ex->scratch, HEADER);
  if (!header) return sc_export_no_memory(error);
  memset(header, 0, HEADER);
  strcpy((char *)header, "scree: walls and obstacles [m]");
  stl out = {.bytes = &ex->scratch};
  sc_surface surface = {.put = put_stl_triangle, .to = &out, .sides = (int)ex->def->detail};
  memcpy(surface.low, ((extent *)ex->own)->low, sizeof surface.low);
  memcpy(surface.high, ((extent *)ex->own)->high, sizeof surface.high);
  draw_walls(ex, &surface);
  if (out.failed) return sc_export_no_memory(error);
  sc_put_u32(ex->scratch.at + 80, (uint32_t)((ex->scratch.count - HEADER) / TRIANGLE));
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

const sc_exporter sc_export_stl = {.name = "stl",
    .points = true,
    .triangles = true,
    .frame = write_stl_frame,
    .end = sc_vtp_walls_end,
    .forget = free_stl};
