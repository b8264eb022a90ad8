/* Binary STL of everything that is not a grain: walls, obstacles, pushers. One file for the first chosen
 * frame, and one more for every later frame in which any of it moved or changed. Planes are drawn as
 * squares that span the box around all grains of the first chosen frame. */
#include "io/export/export.h"

#include <math.h>
#include <string.h>

enum { HEADER = 84, TRIANGLE = 50 };

/* Triangles in the making; the pose takes points of the shape to the world. */
typedef struct mesh {
  sc_bytes *bytes;
  double R[9], origin[3];
  bool failed;
} mesh;

/* The box that planes span. */
typedef struct extent {
  double low[3], high[3];
  int64_t written; /* number of the frame whose files hold */
} extent;

/* ---- poses ---- */

static void matrix(const double q[4], double R[9]) {
  double w = q[0], x = q[1], y = q[2], z = q[3];
  double m[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z),
      1 - 2 * (x * x + z * z), 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x),
      1 - 2 * (x * x + y * y)};
  memcpy(R, m, sizeof m);
}

static void turn(const double R[9], const double v[3], double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
}

/* Pose of a shape: the body's after the shape's own. */
static void place(mesh *m, const scree_frame *frame, int64_t row, const scree_shape_info *s) {
  double B[9], S[9], one[4] = {1, 0, 0, 0};
  matrix(frame->orientation ? frame->orientation + 4 * row : one, B);
  matrix(s->orientation, S);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      m->R[3 * i + k] = B[3 * i] * S[k] + B[3 * i + 1] * S[3 + k] + B[3 * i + 2] * S[6 + k];
  turn(B, s->position, m->origin);
  for (int k = 0; k < 3; k++) m->origin[k] += frame->position[3 * row + k];
}

/* ---- triangles ---- */

static void put_vector(unsigned char *at, const double v[3]) {
  for (int k = 0; k < 3; k++) {
    union {
      float f;
      uint32_t u;
    } b = {.f = (float)v[k]};
    sc_put_u32(at + 4 * k, b.u);
  }
}

/* Corners in the shape's frame, counter-clockwise seen from outside; flat triangles of no area are left
 * out. */
static void triangle(void *to, const double a[3], const double b[3], const double c[3]) {
  mesh *m = to;
  double p[3][3], n[3], u[3], v[3];
  const double *corner[3] = {a, b, c};
  for (int i = 0; i < 3; i++) {
    turn(m->R, corner[i], p[i]);
    for (int k = 0; k < 3; k++) p[i][k] += m->origin[k];
  }
  for (int k = 0; k < 3; k++) {
    u[k] = p[1][k] - p[0][k];
    v[k] = p[2][k] - p[0][k];
  }
  n[0] = u[1] * v[2] - u[2] * v[1];
  n[1] = u[2] * v[0] - u[0] * v[2];
  n[2] = u[0] * v[1] - u[1] * v[0];
  double area = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if (!(area > 0)) return;
  unsigned char *at = sc_bytes_take(m->bytes, TRIANGLE);
  if (!at) {
    m->failed = true;
    return;
  }
  for (int k = 0; k < 3; k++) n[k] /= area;
  put_vector(at, n);
  for (int i = 0; i < 3; i++) put_vector(at + 12 * (i + 1), p[i]);
  sc_put_u16(at + 48, 0);
}

static void quad(mesh *m, const double a[3], const double b[3], const double c[3], const double d[3]) {
  triangle(m, a, b, c);
  triangle(m, a, c, d);
}

/* A square across the box around all bodies: where the box's middle falls onto the plane. */
static void plane(mesh *m, const extent *d, const double normal[3]) {
  double n[3], side = 0, t[3], o[3], middle[3], depth = 0;
  turn(m->R, normal, n);
  for (int k = 0; k < 3; k++) {
    side = fmax(side, d->high[k] - d->low[k]);
    middle[k] = (d->high[k] + d->low[k]) / 2;
    depth += (middle[k] - m->origin[k]) * n[k];
  }
  if (!(side > 0)) side = 1;
  /* two directions across the normal, starting from the axis farthest from it */
  int least = fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0 : fabs(n[1]) <= fabs(n[2]) ? 1 : 2;
  double e[3] = {least == 0, least == 1, least == 2}, length = 0;
  t[0] = n[1] * e[2] - n[2] * e[1];
  t[1] = n[2] * e[0] - n[0] * e[2];
  t[2] = n[0] * e[1] - n[1] * e[0];
  for (int k = 0; k < 3; k++) length += t[k] * t[k];
  for (int k = 0; k < 3; k++) t[k] /= sqrt(length);
  o[0] = n[1] * t[2] - n[2] * t[1];
  o[1] = n[2] * t[0] - n[0] * t[2];
  o[2] = n[0] * t[1] - n[1] * t[0];
  double p[4][3];
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++)
      p[i][k] = middle[k] - depth * n[k] +
          side * ((i == 1 || i == 2 ? 1 : -1) * t[k] + (i > 1 ? 1 : -1) * o[k]);
  mesh world = {.bytes = m->bytes, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  quad(&world, p[0], p[1], p[2], p[3]);
  m->failed |= world.failed;
}

static void draw(mesh *m, const extent *d, const scree_shape_info *s) {
  if (s->type == SCREE_HALFSPACE) plane(m, d, s->normal);
  else scree_shape_triangles(s, triangle, m);
}

/* ---- the file ---- */

/* Keeps the box of the first frame. */
static bool remember_extent(sc_export *ex) {
  if (ex->own) return true;
  extent *box = ex->own = sc_alloc(sizeof *box);
  if (!box) return false;
  memcpy(box->low, ex->drawn.low, sizeof box->low);
  memcpy(box->high, ex->drawn.high, sizeof box->high);
  return true;
}

static void forget(sc_export *ex) { sc_free(ex->own); }

/* The collection has every time, with the walls as they were last written. */
static scree_status note_time(sc_export *ex, scree_error *error) {
  return sc_vtp_walls_at(ex, ((extent *)ex->own)->written) ? SCREE_OK : sc_export_no_memory(error);
}

static scree_status frame(sc_export *ex, scree_error *error) {
  const scree_frame *f = ex->frame;
  if (!remember_extent(ex)) return sc_export_no_memory(error);
  ex->scratch.count = 0;
  unsigned char *header = sc_bytes_take(&ex->scratch, HEADER);
  if (!header) return sc_export_no_memory(error);
  memset(header, 0, HEADER);
  strcpy((char *)header, "scree: walls and obstacles [m]");
  mesh m = {.bytes = &ex->scratch};
  int64_t row = 0;
  for (int64_t s = 0; s < f->shapes; s++) {
    while (f->id[row] != f->shape[s].body) row++;
    bool alone = (s == 0 || f->shape[s - 1].body != f->id[row]) &&
        (s + 1 == f->shapes || f->shape[s + 1].body != f->id[row]);
    if (f->kind[row] == SCREE_DYNAMIC || (alone && f->shape[s].type == SCREE_SPHERE)) continue;
    place(&m, f, row, f->shape + s);
    draw(&m, ex->own, f->shape + s);
  }
  if (m.failed) return sc_export_no_memory(error);
  sc_put_u32(ex->scratch.at + 80, (uint32_t)((ex->scratch.count - HEADER) / TRIANGLE));
  /* nothing moved: the last file stands */
  if (ex->ordinal && ex->last.count == ex->scratch.count &&
      !memcmp(ex->last.at, ex->scratch.at, ex->last.count))
    return note_time(ex, error);
  ex->last.count = 0;
  if (!sc_bytes_add(&ex->last, ex->scratch.at, ex->scratch.count)) return sc_export_no_memory(error);
  sc_out out;
  scree_status status = sc_export_open_numbered(ex, &out, "", ".stl", false, error);
  if (status) return status;
  sc_out_bytes(&out, ex->scratch.at, ex->scratch.count);
  status = sc_out_close(&out, error);
  if (!status)
    status = sc_vtp_walls(
        ex, ex->last.at + HEADER + 12, TRIANGLE, (int64_t)(ex->last.count - HEADER) / TRIANGLE, error);
  ((extent *)ex->own)->written = ex->ordinal;
  return status ? status : note_time(ex, error);
}

const sc_exporter sc_export_stl = {
    .name = "stl", .points = true, .frame = frame, .end = sc_vtp_walls_end, .forget = forget};
