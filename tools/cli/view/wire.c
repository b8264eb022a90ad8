/* A frame in the form that is sent: a head of 80 bytes, then columns. A column has a head of 40 bytes and
 * its numbers, padded to a multiple of 8 bytes.  The roster (bodies with their sizes and shapes) changes
 * seldom. The receiver names the roster that it has and gets the roster only if it differs. A body that is
 * one ball about its own position has no row in the table of shapes. */
#include "view/wire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "columns are written as they lie in memory");

enum { U8 = 1, U32 = 2, I32 = 3, F32 = 4, F64 = 5 };
static const size_t width_of[] = {0, 1, 4, 4, 4, 8};

typedef struct column_head {
  char name[16];
  uint8_t type, components, packed, zero;
  uint32_t rows;
  uint64_t bytes;
  double quantum;
} column_head;
_Static_assert(sizeof(column_head) == 40, "as documented");

typedef struct frame_head {
  char mark[4];
  uint32_t version;
  double time;
  int64_t step, number;
  uint64_t roster;
  double origin[3];
  uint32_t bodies, shapes, contacts, columns;
} frame_head;
_Static_assert(sizeof(frame_head) == 80, "as documented");

/* Appends the head of a column and its zeroed numbers; returns the numbers, NULL if out of memory. */
static void *begin_column(view_bytes *out, const char *name, int type, int components, size_t rows) {
  column_head head = {.type = (uint8_t)type, .components = (uint8_t)components, .rows = (uint32_t)rows};
  head.bytes = width_of[type] * (size_t)components * rows;
  memcpy(head.name, name, strlen(name));
  view_bytes_add(out, &head, sizeof head);
  return view_bytes_take(out, (head.bytes + 7) / 8 * 8);
}

static void put_doubles(view_bytes *out, const char *name, int components, size_t rows, const double *from) {
  float *to = begin_column(out, name, F32, components, rows);
  for (size_t i = 0; to && i < rows * (size_t)components; i++) to[i] = (float)from[i];
}

/* ---- geometries ---- */

static uint64_t mix_hash(uint64_t hash, const void *from, size_t count) {
  const unsigned char *at = from;
  for (; count >= 8; at += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, at, 8);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  for (; count; at++, count--) hash = (hash ^ *at) * 0x100000001B3u;
  return hash;
}

static uint64_t print_of(const scree_geometry *geometry) {
  const double(*point)[3];
  const int32_t(*triangle)[3];
  size_t points = (size_t)scree_geometry_points(geometry, &point);
  size_t triangles = (size_t)scree_geometry_triangles(geometry, &triangle);
  return mix_hash(mix_hash(1, point, points * sizeof *point), triangle, triangles * sizeof *triangle);
}

/* Appends a triangle of a shape: three points. */
static void add_triangle(void *to, const double a[3], const double b[3], const double c[3]) {
  view_bytes_add(to, a, 3 * sizeof *a), view_bytes_add(to, b, 3 * sizeof *b);
  view_bytes_add(to, c, 3 * sizeof *c);
}

/* Returns the surface of a shape as a mesh. NULL if it has none, or if out of memory, which sets *failed. */
static scree_geometry *surface_of(const scree_shape_info *shape, int *failed) {
  view_bytes points = {0}, corners = {0};
  scree_error error = {SCREE_OK, ""};
  scree_shape_triangles(shape, add_triangle, &points);
  int32_t count = (int32_t)(points.count / (3 * sizeof(double)));
  int32_t *corner = view_bytes_take(&corners, (size_t)count * sizeof *corner);
  for (int32_t i = 0; corner && i < count; i++) corner[i] = i;
  scree_mesh_def def = {.points = (const double(*)[3])(void *)points.at,
      .points_count = count,
      .triangles = (const int32_t(*)[3])corner,
      .triangles_count = count / 3};
  scree_geometry *made = corner && !points.failed && count ? scree_geometry_mesh(&def, &error) : NULL;
  if (points.failed || corners.failed || error.status == SCREE_E_MEMORY) *failed = 1;
  view_bytes_free(&points), view_bytes_free(&corners);
  return made;
}

static int32_t put_on_shelf(view_shelf *shelf, const scree_geometry *geometry, uint64_t print) {
  if (shelf->count == shelf->room) {
    void *more = realloc(shelf->entry, (size_t)(2 * shelf->room + 8) * sizeof *shelf->entry);
    if (!more) return shelf->failed = 1, -1;
    shelf->entry = more, shelf->room = 2 * shelf->room + 8;
  }
  scree_geometry_retain(geometry);
  shelf->entry[shelf->count] = (struct view_shelf_entry){geometry, print};
  return shelf->count++;
}

static int32_t find_print(const view_shelf *shelf, uint64_t print) {
  for (int32_t i = shelf->count - 1; i >= 0; i--)
    if (shelf->entry[i].print == print) return i;
  return -1;
}

/* Returns the number of a geometry, added if it is new; -1 for NULL and if out of memory. Equal points and
 * triangles are one geometry, even from another reader. */
static int32_t shelf_number(view_shelf *shelf, const scree_geometry *geometry) {
  if (!geometry) return -1;
  for (int32_t i = shelf->count - 1; i >= 0; i--)
    if (shelf->entry[i].geometry == geometry) return i;
  uint64_t print = print_of(geometry);
  int32_t number = find_print(shelf, print);
  return number < 0 ? put_on_shelf(shelf, geometry, print) : number;
}

static uint64_t print_of_shape(const scree_shape_info *s) {
  const double number[] = {
      s->type, s->radius, s->length, s->size[0], s->size[1], s->size[2], s->own[0], s->own[1]};
  return mix_hash(2, number, sizeof number);
}

/* Returns the number of a shape's geometry. Kinds that the page cannot draw get a mesh for each size. */
static int32_t shelf_shape(view_shelf *shelf, const scree_shape_info *shape) {
  if (shape->geometry) return shelf_number(shelf, shape->geometry);
  if (shape->type <= SCREE_MESH) return -1;
  uint64_t print = print_of_shape(shape);
  int32_t number = find_print(shelf, print);
  if (number >= 0) return number;
  scree_geometry *surface = surface_of(shape, &shelf->failed);
  if (!surface) return -1;
  number = put_on_shelf(shelf, surface, print);
  scree_geometry_release(surface);
  return number;
}

void view_shelf_free(view_shelf *shelf) {
  for (int32_t i = 0; i < shelf->count; i++) scree_geometry_release(shelf->entry[i].geometry);
  free(shelf->entry);
  *shelf = (view_shelf){0};
}

void view_wire_geometry(view_bytes *out, const scree_geometry *geometry) {
  const double(*point)[3];
  const int32_t(*triangle)[3];
  size_t points = (size_t)scree_geometry_points(geometry, &point);
  size_t triangles = (size_t)scree_geometry_triangles(geometry, &triangle);
  frame_head head = {.mark = "SCVG", .version = 1, .columns = 2};
  view_bytes_add(out, &head, sizeof head);
  put_doubles(out, "points", 3, points, (const double *)point);
  int32_t *to = begin_column(out, "triangles", I32, 3, triangles);
  if (to && triangles) memcpy(to, triangle, triangles * sizeof *triangle);
}

/* ---- the roster ---- */

static int is_ball(const scree_frame *f, int64_t row, const scree_shape_info *s, int alone) {
  return alone && s->type == SCREE_SPHERE && s->radius == f->radius[row] && !s->position[0] &&
      !s->position[1] && !s->position[2];
}

/* Returns whether shape k is the only shape of its body. */
static int is_only_shape(const scree_frame *f, int64_t k) {
  return (k == 0 || f->shape[k - 1].body != f->shape[k].body) &&
      (k + 1 == f->shapes || f->shape[k + 1].body != f->shape[k].body);
}

int view_wire_has_shapes(const scree_frame *f) {
  int64_t row = 0;
  for (int64_t k = 0; k < f->shapes; k++) {
    while (row < f->bodies && f->id[row] != f->shape[k].body) row++;
    if (row == f->bodies || !is_ball(f, row, f->shape + k, is_only_shape(f, k))) return 1;
  }
  return 0;
}

/* Computes the row of each shape's body; -1 for balls. Returns the number of other shapes. */
static size_t sort_shapes(const scree_frame *f, int64_t *row_of, uint8_t *ball) {
  size_t others = 0;
  int64_t row = 0;
  for (int64_t k = 0; k < f->shapes; k++) {
    while (row < f->bodies && f->id[row] != f->shape[k].body) row++;
    if (row == f->bodies) break;
    int round = is_ball(f, row, f->shape + k, is_only_shape(f, k));
    ball[row] = (uint8_t)round;
    row_of[k] = round ? -1 : row;
    others += !round;
  }
  return others;
}

static uint64_t roster_of(const scree_frame *f, view_shelf *shelf) {
  size_t n = (size_t)f->bodies;
  uint64_t hash = mix_hash(n + 1, f->id, n * sizeof *f->id);
  hash = mix_hash(hash, f->group, n * sizeof *f->group);
  hash = mix_hash(hash, f->kind, n);
  hash = mix_hash(hash, f->radius, n * sizeof *f->radius);
  for (int64_t k = 0; k < f->shapes; k++) {
    const scree_shape_info *s = f->shape + k;
    int64_t word[3] = {s->type, s->material, shelf_shape(shelf, s)};
    hash = mix_hash(hash, word, sizeof word);
    hash = mix_hash(hash, &s->radius, sizeof s->radius);
    hash = mix_hash(hash, &s->length, sizeof s->length);
    hash = mix_hash(hash, s->size, sizeof s->size);
    hash = mix_hash(hash, s->own, sizeof s->own);
    hash = mix_hash(hash, s->position, sizeof s->position);
    hash = mix_hash(hash, s->orientation, sizeof s->orientation);
  }
  return hash ? hash : 1;
}

static int put_bodies(view_bytes *out, const scree_frame *f, const uint8_t *ball) {
  size_t n = (size_t)f->bodies;
  uint32_t *id = begin_column(out, "id", U32, 2, n);
  for (size_t i = 0; id && i < n; i++)
    id[2 * i] = (uint32_t)f->id[i], id[2 * i + 1] = (uint32_t)(f->id[i] >> 32);
  double *group = begin_column(out, "group", F64, 1, n);
  for (size_t i = 0; group && i < n; i++) group[i] = (double)f->group[i];
  void *kind = begin_column(out, "kind", U8, 1, n), *balls = NULL;
  if (kind && n) memcpy(kind, f->kind, n);
  if ((balls = begin_column(out, "ball", U8, 1, n)) && n) memcpy(balls, ball, n);
  put_doubles(out, "radius", 1, n, f->radius);
  put_doubles(out, "mass", 1, n, f->mass);
  return 6;
}

enum { DIMENSIONS = 5 };
/* Appends the measures of shapes: radius, length, three sizes, normal, position, orientation. */
static void put_measures(view_bytes *out, const scree_frame *f, const int64_t *row_of, size_t rows) {
  const struct {
    const char *name;
    int components;
    size_t offset;
  } part[] = {{"shape.radius", 1, offsetof(scree_shape_info, radius)},
      {"shape.length", 1, offsetof(scree_shape_info, length)},
      {"shape.size", 3, offsetof(scree_shape_info, size)},
      {"shape.normal", 3, offsetof(scree_shape_info, normal)},
      {"shape.position", 3, offsetof(scree_shape_info, position)},
      {"shape.turn", 4, offsetof(scree_shape_info, orientation)}};
  for (size_t p = 0; p < sizeof part / sizeof *part; p++) {
    float *to = begin_column(out, part[p].name, F32, part[p].components, rows);
    for (int64_t k = 0; to && k < f->shapes; k++) {
      const double *from = (const double *)((const char *)(f->shape + k) + part[p].offset);
      for (int c = 0; row_of[k] >= 0 && c < part[p].components; c++) *to++ = (float)from[c];
    }
  }
}

static int put_shapes(
    view_bytes *out, const scree_frame *f, view_shelf *shelf, const int64_t *row_of, size_t rows) {
  int32_t *body = begin_column(out, "shape.body", I32, 1, rows);
  for (int64_t k = 0; body && k < f->shapes; k++)
    if (row_of[k] >= 0) *body++ = (int32_t)row_of[k];
  int32_t *type = begin_column(out, "shape.type", I32, 1, rows);
  for (int64_t k = 0; type && k < f->shapes; k++)
    if (row_of[k] >= 0) *type++ = f->shape[k].type;
  int32_t *form = begin_column(out, "shape.geometry", I32, 1, rows);
  for (int64_t k = 0; form && k < f->shapes; k++)
    if (row_of[k] >= 0) *form++ = shelf_shape(shelf, f->shape + k);
  put_measures(out, f, row_of, rows);
  return 9;
}

/* Appends the columns of the roster. Returns their number. */
static int put_roster(view_bytes *out, const scree_frame *f, view_shelf *shelf) {
  int64_t *row_of = malloc(((size_t)f->shapes + 1) * sizeof *row_of);
  uint8_t *ball = calloc((size_t)f->bodies + 1, 1);
  int columns = 0;
  if (!row_of || !ball) out->failed = 1;
  else {
    for (int64_t k = 0; k < f->shapes; k++) row_of[k] = -1;
    size_t rows = sort_shapes(f, row_of, ball);
    columns = put_bodies(out, f, ball) + put_shapes(out, f, shelf, row_of, rows);
  }
  free(row_of), free(ball);
  return columns;
}

/* ---- motion ---- */

/* Appends quanta as differences from the frame before, or from the row before, zigzag coded and in byte
 * planes. */
static void put_quanta(view_wire *wire, view_bytes *out, int which, const char *name, int components,
    size_t rows, const double *from, const double *shift, double quantum) {
  struct view_memory *memory = wire->memory + which;
  size_t count = rows * (size_t)components;
  int same = !wire->fresh && memory->roster == wire->roster && memory->count == count;
  int32_t *now = malloc((count + 1) * sizeof *now);
  size_t head = out->count;
  unsigned char *to = begin_column(out, name, I32, components, rows);
  if (!now) out->failed = 1;
  if (!now || !to) return free(now);
  ((column_head *)(void *)(out->at + head))->packed = same ? 2 : 1;
  ((column_head *)(void *)(out->at + head))->quantum = quantum;
  for (size_t i = 0; i < count; i++) {
    double quanta = nearbyint((from[i] - (shift ? shift[i % 3] : 0)) / quantum);
    now[i] = fabs(quanta) < 1e9 ? (int32_t)quanta : 0;
    int32_t guess = same ? memory->value[i] : i < (size_t)components ? 0 : now[i - (size_t)components];
    uint32_t rest = (uint32_t)now[i] - (uint32_t)guess;
    rest = rest << 1 ^ (rest >> 31 ? 0xFFFFFFFFu : 0);
    for (int b = 0; b < 4; b++) to[(size_t)b * count + i] = (unsigned char)(rest >> 8 * b);
  }
  free(memory->value);
  *memory = (struct view_memory){now, count, wire->roster};
}

static int put_motion(view_wire *wire, view_bytes *out, const scree_frame *f) {
  const struct {
    int field;
    const char *name;
    int components;
    const double *from;
    double quantum;
  } part[] = {{SCREE_FIELD_POSITION, "position", 3, f->position, wire->packing.position},
      {SCREE_FIELD_ORIENTATION, "turn", 4, f->orientation, wire->packing.turn},
      {SCREE_FIELD_VELOCITY, "velocity", 3, f->velocity, wire->packing.speed},
      {SCREE_FIELD_SPIN, "spin", 3, f->spin, wire->packing.spin}};
  size_t n = (size_t)f->bodies;
  int columns = 0;
  for (int p = 0; p < 4; p++) {
    if (!part[p].from || !(wire->fields & part[p].field)) continue;
    const double *shift = p == 0 ? wire->origin : NULL;
    columns++;
    if (part[p].quantum > 0) {
      put_quanta(wire, out, p, part[p].name, part[p].components, n, part[p].from, shift, part[p].quantum);
      continue;
    }
    float *to = begin_column(out, part[p].name, F32, part[p].components, n);
    for (size_t i = 0; to && i < n * (size_t)part[p].components; i++)
      to[i] = (float)(part[p].from[i] - (shift ? shift[i % 3] : 0));
  }
  return columns;
}

/* Appends the orientation of the body of each shape that is not a ball, unless the orientations of all bodies
 * are sent. Returns the number of columns. */
static int put_turns(const view_wire *wire, view_bytes *out, const scree_frame *f) {
  if (wire->fields & SCREE_FIELD_ORIENTATION || !f->orientation || wire->packing.turn > 0) return 0;
  int64_t row = 0, shapes = 0;
  size_t head = out->count;
  float *to = begin_column(out, "shape.now", F32, 4, (size_t)f->shapes);
  for (int64_t k = 0; to && k < f->shapes; k++) {
    while (row < f->bodies && f->id[row] != f->shape[k].body) row++;
    if (row == f->bodies) break;
    if (is_ball(f, row, f->shape + k, is_only_shape(f, k))) continue;
    for (int c = 0; c < 4; c++) to[4 * shapes + c] = (float)f->orientation[4 * row + c];
    shapes++;
  }
  if (!to) return 0;
  column_head *column = (column_head *)(void *)(out->at + head);
  column->rows = (uint32_t)shapes, column->bytes = (uint64_t)(4 * shapes) * sizeof *to;
  out->count = head + sizeof *column + column->bytes;
  return 1;
}

/* ---- contacts ---- */

/* Appends contacts with their mean force over a step [N]: impulse over the step, or the compatible force. */
static int put_contacts(const view_wire *wire, view_bytes *out, const scree_frame *f) {
  size_t n = (size_t)f->contacts;
  if (!n || !(wire->fields & SCREE_FIELD_CONTACTS)) return 0;
  double dt = f->step > 0 && f->time > 0 ? f->time / (double)f->step : 1;
  int32_t *pair = begin_column(out, "contact.bodies", I32, 2, n);
  for (size_t i = 0; pair && i < n; i++) {
    pair[2 * i] = (int32_t)scree_frame_row(f, f->contact[i].body1);
    pair[2 * i + 1] = (int32_t)scree_frame_row(f, f->contact[i].body2);
  }
  float *point = begin_column(out, "contact.point", F32, 3, n);
  for (size_t i = 0; point && i < 3 * n; i++)
    point[i] = (float)(f->contact[i / 3].point[i % 3] - wire->origin[i % 3]);
  float *force = begin_column(out, "contact.force", F32, 3, n);
  for (size_t i = 0; force && i < 3 * n; i++)
    force[i] = (float)(f->forces ? f->contact[i / 3].force[i % 3] : f->contact[i / 3].impulse[i % 3] / dt);
  float *gap = begin_column(out, "contact.gap", F32, 1, n);
  for (size_t i = 0; gap && i < n; i++) gap[i] = (float)f->contact[i].gap;
  return 4;
}

static int put_cell(view_bytes *out, const scree_frame *f) {
  if (!f->has_cell) return 0;
  double *matrix = begin_column(out, "cell.matrix", F64, 9, 1);
  if (matrix) memcpy(matrix, f->cell.matrix, sizeof f->cell.matrix);
  double *origin = begin_column(out, "cell.origin", F64, 3, 1);
  if (origin) memcpy(origin, f->cell.origin, sizeof f->cell.origin);
  double *gradient = begin_column(out, "cell.gradient", F64, 9, 1);
  if (gradient) memcpy(gradient, f->cell.gradient, sizeof f->cell.gradient);
  unsigned char *periodic = begin_column(out, "cell.periodic", U8, 3, 1);
  for (int k = 0; periodic && k < 3; k++) periodic[k] = f->cell.periodic[k] != 0;
  return 4;
}

void view_wire_frame(view_wire *wire, const scree_frame *f, int64_t number, view_bytes *out) {
  size_t at = out->count;
  wire->shelf->failed = 0;
  uint64_t roster = roster_of(f, wire->shelf);
  int known = roster == wire->roster && !wire->fresh;
  wire->roster = roster;
  frame_head head = {.mark = "SCVF", .version = 1, .time = f->time, .step = f->step, .number = number};
  head.roster = roster;
  memcpy(head.origin, wire->origin, sizeof head.origin);
  head.bodies = (uint32_t)f->bodies, head.shapes = (uint32_t)f->shapes;
  view_bytes_add(out, &head, sizeof head);
  int columns = known ? 0 : put_roster(out, f, wire->shelf);
  columns += put_motion(wire, out, f) + put_turns(wire, out, f) + put_cell(out, f);
  int contacts = put_contacts(wire, out, f);
  if (wire->shelf->failed) out->failed = 1;
  if (out->failed) return;
  frame_head *written = (frame_head *)(void *)(out->at + at);
  written->columns = (uint32_t)(columns + contacts);
  written->contacts = contacts ? (uint32_t)f->contacts : 0;
}

void view_wire_free(view_wire *wire) {
  for (int i = 0; i < 4; i++) free(wire->memory[i].value);
  memset(wire->memory, 0, sizeof wire->memory);
}
