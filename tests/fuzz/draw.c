/* Fuzzing pictures: bytes become shapes of all sizes at all distances, a camera and a box, and are drawn
 * with light and shadow. Nothing may crash or write beyond its memory; what is refused is refused with a
 * text. Corpus in corpus/draw, replayed by unit/draw/fuzz_replay.c in every build. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scree/draw.h"
#include "scree/geometry.h"

enum { DRAW_SHAPES = 16, DRAW_RECORD = 16 };

/* A number of any size from two bytes: (-1 .. 1) times a power of ten between 1e-12 and 1e12, or 0,
 * infinity, NaN. */
static double draw_number(const uint8_t *at) {
  if (at[1] == 255) return INFINITY;
  if (at[1] == 254) return NAN;
  double value = (at[0] - 127.5) / 127.5;
  for (int e = at[1] % 25 - 12; e; e += e < 0 ? 1 : -1) value *= e < 0 ? 0.1 : 10;
  return at[0] == 0 && at[1] >= 128 ? 0 : value;
}

/* A cube as a hull (mesh 0) or as a mesh. */
static const scree_geometry *draw_cube(int mesh) {
  static const scree_geometry *made[2];
  static const double corner[8][3] = {
      {-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}};
  static const int32_t triangle[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  const scree_mesh_def def = {
      .points = corner, .points_count = 8, .triangles = triangle, .triangles_count = 12, .closed = true};
  scree_error error;
  if (!made[mesh])
    made[mesh] = mesh ? scree_geometry_mesh(&def, &error) : scree_geometry_hull(corner, 8, &error);
  if (!made[mesh]) abort();
  return made[mesh];
}

static scree_drawn draw_shape(const uint8_t *at) {
  scree_drawn d = {.type = at[0] % SCREE_SHAPE_TYPES,
      .orientation = {1 + at[9], at[10], at[11], at[12]},
      .normal = {at[9] - 128.0, at[10] - 128.0, at[11] - 127.5},
      .own = {1 + at[14] / 64.0, 1 + at[15] / 64.0},
      .color = {at[13], at[14], at[15]},
      .opacity = at[15] % 4 ? 1 : 0.5};
  double square = 0;
  for (int k = 0; k < 3; k++) d.position[k] = draw_number(at + 1 + 2 * k);
  for (int k = 0; k < 4; k++) square += d.orientation[k] * d.orientation[k];
  for (int k = 0; k < 4; k++) d.orientation[k] /= sqrt(square);
  d.radius = fabs(draw_number(at + 7));
  d.length = d.radius * (1 + at[13] / 32.0);
  for (int k = 0; k < 3; k++) d.size[k] = d.radius * (1 + at[9 + k] / 32.0);
  if (d.type == SCREE_HULL || d.type == SCREE_MESH) d.geometry = draw_cube(d.type == SCREE_MESH);
  return d;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static scree_drawer *drawer;
  if (!drawer && !(drawer = scree_drawer_create(1))) abort();
  if (size < DRAW_RECORD) return 0;
  scree_drawn shape[DRAW_SHAPES];
  unsigned char marked[DRAW_SHAPES];
  double hidden[DRAW_SHAPES], low[3] = {-1, -1, -1}, high[3] = {1, 1, 1}, up[3] = {0, 0, 1};
  int count = 0;
  for (size_t at = DRAW_RECORD; at + DRAW_RECORD <= size && count < DRAW_SHAPES; at += DRAW_RECORD)
    marked[count] = count % 2, shape[count++] = draw_shape(data + at);
  scree_draw_def def = scree_draw_defaults();
  def.samples = 1, def.sky = data[0] % 4, def.shadow = data[0] >> 2 & 1;
  /* the box of all shapes as pictures have it, or one of its own */
  for (int k = 0; k < 3; k++)
    low[k] = -fabs(draw_number(data + 4 + 2 * k)), high[k] = -low[k] * (1 + data[11] / 64.0);
  for (int i = 0; i < count && data[0] & 8; i++) {
    double a[3], b[3];
    scree_drawn_box(shape + i, a, b);
    for (int k = 0; k < 3 && isfinite(a[0]) && isfinite(b[0]); k++)
      low[k] = fmin(low[k], a[k]), high[k] = fmax(high[k], b[k]);
  }
  def.camera = scree_camera_fit(
      low, high, up, data[1] * 1.4, data[2] / 2.9 - 40, data[3] % 3 ? 30 : 0, 1, 1.5);
  if (data[0] & 16) memcpy(def.low, low, sizeof low), memcpy(def.high, high, sizeof high);
  scree_image image;
  scree_error error;
  if (scree_image_create(48, 32, &image, &error)) abort();
  if (scree_draw(drawer, &def, shape, count, &image, &error) && !*error.text) abort();
  if (data[0] & 32) scree_draw_hidden(drawer, &def, shape, marked, count, hidden, &error);
  scree_image_free(&image);
  return 0;
}
