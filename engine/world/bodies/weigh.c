/* Makes shapes from definitions and computes their mass.
 *
 * Shapes of one body may overlap, for example the balls of a clump. The masses of all shapes are added first.
 * If the narrow phase finds overlaps, the mass that was counted several times is then subtracted. */
#include "world/world.h"
#include "world/bodies/weigh.h"
#include "collide/collide.h"
#include "math/vec.h"
#include "model/mass.h"
#include "model/shape/overlap.h"

/* Sets q to the shortest rotation from the local z axis, the outward normal of a half-space, to `normal`. */
static void turn_z_to(const double normal[3], double q[4]) {
  double n[3], candidate[4];
  sc_normalise(normal, n);
  candidate[0] = 1 + n[2];
  candidate[1] = -n[1];
  candidate[2] = n[0];
  candidate[3] = 0;
  if (candidate[0] < 1e-12) sc_set3(1, 0, 0, candidate + 1), candidate[0] = 0;
  sc_quat_normalise(candidate, q);
}

void sc_world_make_shape(const scree_shape_def *def, uint32_t serial, sc_shape *shape) {
  *shape = (sc_shape){.type = def->type,
      .material = def->material,
      .serial = serial,
      .radius = def->radius,
      .half = def->length / 2,
      .geometry = def->geometry,
      .layers = def->layers ? def->layers : 1,
      .avoids = def->avoids};
  sc_scale(0.5, def->size, shape->extent);
  memcpy(shape->own, def->own, sizeof shape->own);
  sc_copy3(def->position, shape->position);
  sc_quat_normalise(def->orientation, shape->orientation);
  if (def->type == SCREE_HALFSPACE) {
    double turn[4] = {1, 0, 0, 0};
    turn_z_to(def->normal, turn);
    sc_quat_mul(shape->orientation, turn, shape->orientation);
  }
  shape->bound = sc_shape_bound(shape);
}

double sc_world_weigh(const scree_world *world, const scree_shape_def *def, double *reach) {
  sc_shape shape;
  sc_mass part = {0};
  sc_world_make_shape(def, 0, &shape);
  *reach = shape.bound + sc_norm(shape.position);
  double density = def->density > 0 ? def->density : world->pairs.material[def->material].density;
  return sc_shape_mass(&shape, density, &part.mass, part.centre, part.inertia) ? part.mass : 0;
}

double sc_world_reach(const sc_shape *shapes, int count) {
  double radius = 0;
  for (int i = 0; i < count; i++) {
    double reach = shapes[i].bound + sc_norm(shapes[i].position);
    if (reach > radius) radius = reach;
  }
  return radius;
}

/* ---- overlapping shapes ---- */

/* Relative overlap below which two shapes count as touching without shared volume. It allows for rounding
 * errors. */
static const double overlap_tolerance = 1e-9;

static bool share_volume(const sc_shape *a, const sc_shape *b) {
  static const double nowhere[3] = {0, 0, 0}, upright[4] = {1, 0, 0, 0};
  sc_placed here, there;
  sc_touch touch[SC_MAX_TOUCHES];
  double apart[3], least = fmin(a->bound, b->bound);
  sc_sub(a->position, b->position, apart);
  if (sc_norm(apart) >= a->bound + b->bound - overlap_tolerance * least) return false;
  if (a->type == SCREE_SPHERE && b->type == SCREE_SPHERE) return true;
  sc_place(a, nowhere, upright, &here);
  sc_place(b, nowhere, upright, &there);
  const int touches = sc_narrow(&here, &there, 0, touch);
  for (int i = 0; i < touches; i++)
    if (touch[i].gap < -overlap_tolerance * least) return true;
  return false;
}

typedef struct sharing {
  sc_matter *part;
  sc_overlap_pair *pair;
  size_t pairs, capacity;
} sharing;

static bool find_pairs(sharing *s, const sc_shape *shapes, int count) {
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++) {
      if (!share_volume(shapes + i, shapes + j)) continue;
      if (!SC_GROW(s->pair, s->capacity, s->pairs + 1)) return false;
      s->pair[s->pairs++] = (sc_overlap_pair){i, j};
    }
  return true;
}

/* Subtracts the mass in overlaps from *sum, so that *sum is the mass of the union of the shapes. */
static scree_status weigh_union(
    const sc_shape *shapes, const double *density, int count, sc_mass *sum, scree_error *error) {
  sharing s = {.part = sc_alloc(((size_t)count + 1) * sizeof *s.part)};
  sc_mass common = {0};
  bool fine = s.part && find_pairs(&s, shapes, count);
  for (int i = 0; fine && i < count; i++) s.part[i] = (sc_matter){shapes + i, density[i]};
  if (fine && s.pairs) fine = sc_overlap_mass(s.part, count, s.pair, (int)s.pairs, &common);
  sc_free(s.part);
  sc_free(s.pair);
  if (!fine) return sc_fail(error, SCREE_E_MEMORY, "no memory for a body");
  if (!(common.mass > 0)) return SCREE_OK;
  common.mass = -common.mass;
  for (int k = 0; k < 6; k++) common.inertia[k] = -common.inertia[k];
  sc_mass_add(sum, &common);
  return SCREE_OK;
}

/* Sets *sum to the sum of mass, centre and inertia of all shapes. Overlaps count several times. */
static scree_status sum_parts(
    const sc_shape *shapes, const double *density, int count, sc_mass *sum, scree_error *error) {
  *sum = (sc_mass){0};
  for (int i = 0; i < count; i++) {
    sc_mass part;
    if (!sc_shape_mass(shapes + i, density[i], &part.mass, part.centre, part.inertia))
      return sc_fail(error, SCREE_E_ARGUMENT, "shape %d of a dynamic body has no volume", i + 1);
    sc_mass_add(sum, &part);
  }
  return SCREE_OK;
}

scree_status sc_world_sum_mass(const scree_world *world, const scree_body_def *def, const sc_shape *shapes,
    sc_mass *sum, scree_error *error) {
  enum { FEW = 8 };
  const int count = def->shapes_count;
  double few[FEW], *density = count > FEW ? sc_alloc((size_t)count * sizeof *density) : few;
  if (!density) return sc_fail(error, SCREE_E_MEMORY, "no memory for a body");
  for (int i = 0; i < count; i++)
    density[i] = def->shapes[i].density > 0 ? def->shapes[i].density
                                            : world->pairs.material[def->shapes[i].material].density;
  const bool told = def->mass > 0 && def->has_centre && sc_any6(def->inertia);
  scree_status status = sum_parts(shapes, density, count, sum, error);
  if (status == SCREE_OK && count > 1 && !told) status = weigh_union(shapes, density, count, sum, error);
  if (density != few) sc_free(density);
  return status;
}

scree_status sc_world_sum_volume(const sc_shape *shapes, int count, double *volume, scree_error *error) {
  double *density = sc_alloc(((size_t)count + 1) * sizeof *density);
  sc_mass sum = {0};
  if (!density) return sc_fail(error, SCREE_E_MEMORY, "no memory for a body");
  for (int i = 0; i < count; i++) density[i] = 1;
  scree_status status = sum_parts(shapes, density, count, &sum, error);
  if (status == SCREE_OK && count > 1) status = weigh_union(shapes, density, count, &sum, error);
  sc_free(density);
  *volume = sum.mass;
  return status;
}
