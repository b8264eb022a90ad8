/* Rays against all shapes of a world: a tree of bounding boxes, divided at the median along the longest
 * axis. */
#include <math.h>
#include <string.h>
#include "collide/collide.h"
#include "collide/list.h"
#include "collide/rays/rays.h"
#include "math/vec.h"

enum { LEAF = 2 };

typedef struct maker {
  const sc_placed *placed;
  int32_t *item;
  int axis;
} maker;

static double centre_along(const void *context, int32_t item) {
  const maker *m = context;
  return m->placed[item].position[m->axis];
}

static void compute_box(const maker *m, const int32_t *item, int32_t count, sc_ray_node *node) {
  for (int k = 0; k < 3; k++) node->min[k] = INFINITY, node->max[k] = -INFINITY;
  for (int32_t i = 0; i < count; i++) {
    const sc_placed *p = m->placed + item[i];
    for (int k = 0; k < 3; k++) {
      node->min[k] = fmin(node->min[k], p->position[k] - p->shape->bound);
      node->max[k] = fmax(node->max[k], p->position[k] + p->shape->bound);
    }
  }
}

static void build_tree(sc_ray_field *f) {
  maker m = {f->placed, f->item, 0};
  int32_t nodes = 1;
  f->node[0] = (sc_ray_node){.left = -1, .first = 0, .count = f->bounded};
  for (int32_t k = 0; k < nodes; k++) {
    sc_ray_node *node = f->node + k;
    int32_t half = node->count / 2;
    double d[3];
    compute_box(&m, f->item + node->first, node->count, node);
    if (node->count <= LEAF) continue;
    sc_sub(node->max, node->min, d);
    m.axis = d[0] >= d[1] && d[0] >= d[2] ? 0 : d[1] >= d[2] ? 1 : 2;
    sc_select_rank(f->item + node->first, node->count, half, centre_along, &m);
    node->left = nodes;
    f->node[nodes++] = (sc_ray_node){.left = -1, .first = node->first, .count = half};
    f->node[nodes++] = (sc_ray_node){.left = -1, .first = node->first + half, .count = node->count - half};
  }
}

/* Computes the images of a shape that reach into the cell: first[k] .. first[k] + n[k] - 1 along edge k.
 * Returns their number, 0 if it is too large. */
static int64_t images_of(
    const sc_cell *cell, const sc_placed *p, double wrapped[3], int32_t first[3], int32_t n[3]) {
  const double most = 1000;
  double width[3];
  sc_cell_widths(cell, width);
  for (int k = 0; k < 3; k++)
    if (cell->periodic[k] && !(p->shape->bound < most * width[k])) return 0;
  sc_cell_wrap(cell, p->position, wrapped);
  sc_images_about(cell, wrapped, p->shape->bound, first, n);
  return (int64_t)n[0] * n[1] * n[2];
}

static void add_images(const sc_cell *cell, const sc_placed *p, sc_placed *to) {
  double wrapped[3], shift[3];
  int32_t first[3], n[3];
  const int64_t count = images_of(cell, p, wrapped, first, n);
  for (int64_t i = 0; i < count; i++) {
    const sc_image image = {{first[0] + (int32_t)(i % n[0]), first[1] + (int32_t)(i / n[0] % n[1]),
        first[2] + (int32_t)(i / n[0] / n[1])}};
    to[i] = *p;
    sc_cell_shift(cell, &image, shift);
    sc_add(wrapped, shift, to[i].position);
  }
}

/* Replaces bounded shapes by their images. Returns false if out of memory. */
static bool fill_cell(const sc_cell *cell, sc_arena *arena, sc_ray_field *f) {
  const sc_ray_field old = *f;
  double wrapped[3];
  int32_t first[3], n[3];
  int64_t total = 0;
  for (int32_t i = 0; i < old.bounded; i++) {
    const int64_t more = images_of(cell, old.placed + old.item[i], wrapped, first, n);
    total += more;
    if (!more || total > INT32_MAX / 8) return false;
  }
  f->bounded = (int32_t)total;
  f->placed = SC_TAKE(arena, sc_placed, total + old.planes + 1);
  f->item = SC_TAKE(arena, int32_t, total + old.planes + 1);
  if (!f->placed || !f->item) return false;
  sc_placed *to = f->placed;
  for (int32_t i = 0; i < old.bounded; i++) {
    const sc_placed *p = old.placed + old.item[i];
    add_images(cell, p, to);
    to += images_of(cell, p, wrapped, first, n);
  }
  for (int32_t i = 0; i < old.planes; i++) *to++ = old.placed[old.item[old.bounded + i]];
  for (int32_t i = 0; i < f->bounded + f->planes; i++) f->item[i] = i;
  return true;
}

bool sc_ray_field_make(const sc_bodies *bodies, const sc_shapes *shapes, uint32_t avoids, int32_t body,
    bool tree, sc_arena *arena, sc_ray_field *f) {
  size_t count = (size_t)shapes->count;
  *f = (sc_ray_field){.ball = SC_TAKE(arena, sc_shape, count + 1),
      .placed = SC_TAKE(arena, sc_placed, count + 1),
      .item = SC_TAKE(arena, int32_t, count + 1)};
  if (!f->ball || !f->placed || !f->item) return false;
  for (int32_t row = 0; row < shapes->count; row++) {
    const sc_shape *form = f->ball + row;
    int32_t of = shapes->row[row].body;
    sc_shapes_get(shapes, row, f->ball + row);
    if (of == body || (form->layers & avoids)) continue;
    sc_place(form, bodies->position[of], bodies->orientation[of], f->placed + row);
    f->placed[row].row = row;
    if (isfinite(form->bound)) f->item[f->bounded++] = row;
    else f->item[shapes->count - ++f->planes] = row;
  }
  memmove(f->item + f->bounded, f->item + (shapes->count - f->planes), (size_t)f->planes * sizeof *f->item);
  if (bodies->cell && !fill_cell(bodies->cell, arena, f)) return false;
  if (!tree) return true;
  f->node = SC_TAKE(arena, sc_ray_node, 2 * (size_t)f->bounded + 2);
  if (f->node) build_tree(f);
  return f->node != NULL;
}

static void try_shape(const sc_ray_field *f, int32_t row, const sc_ray *ray, sc_ray_hit *best) {
  sc_ray_hit hit;
  sc_ray shorter = *ray;
  shorter.reach = fmin(ray->reach, best->distance);
  if (!sc_ray_shape(&shorter, f->placed + row, &hit)) return;
  if (hit.distance > best->distance || (hit.distance == best->distance && row > best->row)) return;
  *best = hit;
  best->row = row;
}

/* Returns true if a ray hits the bounding sphere of a shape, up to rounding. */
static bool is_near_enough(const sc_ray *ray, const sc_placed *placed) {
  double off[3], bound = placed->shape->bound * (1 + 1e-9);
  sc_sub(placed->position, ray->from, off);
  double along = sc_dot(off, ray->d), rest = sc_dot(off, off) - bound * bound;
  return rest <= 0 || (along >= 0 && rest <= along * along * (1 + 1e-9));
}

void sc_ray_cast(const sc_ray_field *f, const sc_ray *ray, sc_ray_hit *best) {
  int32_t stack[96], depth = 0;
  const double inverse[3] = {1 / ray->d[0], 1 / ray->d[1], 1 / ray->d[2]};
  *best = (sc_ray_hit){.distance = INFINITY, .row = INT32_MAX, .triangle = -1};
  for (int32_t p = 0; p < f->planes; p++) try_shape(f, f->item[f->bounded + p], ray, best);
  for (int32_t k = 0; k < f->bounded && !f->node; k++)
    if (is_near_enough(ray, f->placed + f->item[k])) try_shape(f, f->item[k], ray, best);
  if (f->bounded && f->node) stack[depth++] = 0;
  while (depth) {
    const sc_ray_node *node = f->node + stack[--depth];
    double most = best->distance < ray->reach ? best->distance : ray->reach;
    if (!(sc_ray_enter(ray->from, inverse, node->min, node->max, most) < INFINITY)) continue;
    if (node->left < 0) {
      for (int32_t k = 0; k < node->count; k++) try_shape(f, f->item[node->first + k], ray, best);
      continue;
    }
    stack[depth++] = node->left;
    stack[depth++] = node->left + 1;
  }
}
