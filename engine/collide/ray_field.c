/* Many shapes under many rays: a tree of boxes, halves by the middle along the longest axis. */
#include <math.h>
#include <string.h>
#include "collide/collide.h"
#include "collide/rays.h"
#include "math/vec.h"

enum { LEAF = 2 };

typedef struct maker {
  const sc_placed *placed;
  int32_t *item;
  int axis;
} maker;

static double middle(const void *context, int32_t item) {
  const maker *m = context;
  return m->placed[item].position[m->axis];
}

static void box_of(const maker *m, const int32_t *item, int32_t count, sc_ray_node *node) {
  for (int k = 0; k < 3; k++) node->min[k] = INFINITY, node->max[k] = -INFINITY;
  for (int32_t i = 0; i < count; i++) {
    const sc_placed *p = m->placed + item[i];
    for (int k = 0; k < 3; k++) {
      node->min[k] = fmin(node->min[k], p->position[k] - p->shape->bound);
      node->max[k] = fmax(node->max[k], p->position[k] + p->shape->bound);
    }
  }
}

static void grow(sc_ray_field *f) {
  maker m = {f->placed, f->item, 0};
  int32_t nodes = 1;
  f->node[0] = (sc_ray_node){.left = -1, .first = 0, .count = f->bounded};
  for (int32_t k = 0; k < nodes; k++) {
    sc_ray_node *node = f->node + k;
    int32_t half = node->count / 2;
    double d[3];
    box_of(&m, f->item + node->first, node->count, node);
    if (node->count <= LEAF) continue;
    sc_sub(node->max, node->min, d);
    m.axis = d[0] >= d[1] && d[0] >= d[2] ? 0 : d[1] >= d[2] ? 1 : 2;
    sc_select_rank(f->item + node->first, node->count, half, middle, &m);
    node->left = nodes;
    f->node[nodes++] = (sc_ray_node){.left = -1, .first = node->first, .count = half};
    f->node[nodes++] = (sc_ray_node){.left = -1, .first = node->first + half, .count = node->count - half};
  }
}

bool sc_ray_field_make(const sc_bodies *bodies, const sc_shapes *shapes, uint32_t avoids, int32_t body,
    bool tree, sc_arena *arena, sc_ray_field *f) {
  size_t count = (size_t)shapes->count;
  *f = (sc_ray_field){.ball = SC_TAKE(arena, sc_shape, count + 1),
      .placed = SC_TAKE(arena, sc_placed, count + 1),
      .item = SC_TAKE(arena, int32_t, count + 1),
      .node = tree ? SC_TAKE(arena, sc_ray_node, 2 * count + 2) : NULL};
  if (!f->ball || !f->placed || !f->item || (tree && !f->node)) return false;
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
  if (tree) grow(f);
  return true;
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

/* Whether a ray meets the ball about a shape, roughly. */
static bool near_enough(const sc_ray *ray, const sc_placed *placed) {
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
    if (near_enough(ray, f->placed + f->item[k])) try_shape(f, f->item[k], ray, best);
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
