/* Fills a region with grains on a lattice, in one pass.
 *
 * The seed and the index of a lattice point determine the random numbers of the grain at this point. They
 * depend neither on other grains nor on the number of ranks. A size distribution gets the number of the grain
 * in this fill instead, because its sizes for consecutive numbers follow the distribution closely. All ranks
 * run the same pass. Each rank stores only its own grains. */
#include "world/bodies/weigh.h"
#include "world/bodies/rows.h"
#include "world/bodies/fill.h"
#include "world/world.h"
#include "math/vec.h"

#include <stdio.h>

scree_shape_def *sc_fill_alloc_shapes(const scree_fill_def *def, scree_error *error) {
  const size_t count = def->clump ? (size_t)def->clump->shapes_count : 1;
  scree_shape_def *room = sc_alloc(count * sizeof *room);
  if (!room) sc_fail(error, SCREE_E_MEMORY, "no memory to make grains");
  return room;
}

void sc_fill_grain(const scree_fill_def *def, double radius, scree_shape_def *room, scree_body_def *body) {
  body->group = def->group;
  if (def->clump) return scree_clump_scale(def->clump, sc_fill_scale(def, radius), room, body);
  *room = sc_fill_shape(def, radius);
  body->shapes = room, body->shapes_count = 1;
}

/* Sets the radius in the definition to the radius of its clump template if the definition has no radius. If
 * the template contains hulls, its grains have only one size, so any other radius is an error. */
static scree_status set_clump_radius(scree_fill_def *def, const char *what, scree_error *error) {
  const scree_clump *clump = def->clump;
  const double own = clump->diameter / 2;
  if (def->shape) return sc_fail(error, SCREE_E_ARGUMENT, "%s.shape: template is given too", what);
  if (!(def->radius > 0)) def->radius = own;
  const bool same = def->radius == own && !(def->radius_max > own);
  for (int i = 0; i < clump->shapes_count; i++)
    if (clump->shapes[i].geometry && !same)
      return sc_fail(error, SCREE_E_ARGUMENT, "%s.%s: a template with hulls has one size", what,
          def->sizes ? "sizes" : "radius");
  return SCREE_OK;
}

scree_status sc_fill_check_grains(scree_fill_def *def, const char *what, scree_error *error) {
  const struct {
    const scree_region *region;
    const char *key;
  } regions[] = {{def->region, "region"}, {def->keep_out, "keep_out"}};
  scree_status status = scree_param_check_all(
      scree_fill_grain_params, scree_fill_grain_params_count, def, what, error);
  for (int i = 0; i < 2 && status == SCREE_OK; i++) {
    char path[32];
    snprintf(path, sizeof path, "%s.%s", what, regions[i].key);
    if (regions[i].region) status = scree_region_check(regions[i].region, path, error);
  }
  if (status != SCREE_OK) return status;
  if (def->sizes && def->shape)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "%s.sizes are of balls or of a template, not of another shape: template = { shapes = { ... } }",
        what);
  if (def->sizes) {
    scree_sizes_range(def->sizes, &def->radius, &def->radius_max);
    def->radius /= 2, def->radius_max /= 2;
  }
  if (def->clump && set_clump_radius(def, what, error) != SCREE_OK) return SCREE_E_ARGUMENT;
  for (int k = 0; k < 3; k++)
    if (!isfinite(def->velocity_jitter[k]))
      return sc_fail(error, SCREE_E_ARGUMENT, "%s.velocity_jitter must be finite", what);
  if (!(def->radius > 0) || isinf(def->radius))
    return sc_fail(
        error, SCREE_E_ARGUMENT, "%s.radius must be finite and greater than 0, not %g", what, def->radius);
  if (def->radius_max != 0 && !(def->radius_max >= def->radius))
    return sc_fail(error, SCREE_E_ARGUMENT, "%s.radius_max must not be less than radius", what);
  return SCREE_OK;
}

static scree_status check_fill(const scree_fill_def *def, scree_error *error) {
  for (int k = 0; k < 3; k++) {
    if (!isfinite(def->min[k]) || !isfinite(def->max[k]))
      return sc_fail(error, SCREE_E_ARGUMENT, "fill.region must be finite");
    if (def->min[k] > def->max[k])
      return sc_fail(error, SCREE_E_ARGUMENT, "fill.region: min[%d] is greater than max[%d]", k + 1, k + 1);
  }
  scree_status status = scree_param_check_all(scree_fill_params, scree_fill_params_count, def, "fill", error);
  if (status != SCREE_OK) return status;
  double nearest = def->spacing * (def->lattice == 2 ? sqrt(0.75) : 1);
  const double most = 2 * sc_fill_max_radius(def);
  if ((def->sizes || def->clump) && nearest < most * (1 - 1e-12))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "fill.spacing: centres %g m apart leave no room for the largest grains of %g m", nearest, most);
  double cells = 1;
  for (int k = 0; k < 3; k++) cells *= (def->max[k] - def->min[k]) / def->spacing + 1;
  if (cells > 1e9)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "fill: %.3g lattice places are more than 1e9; check spacing against the region", cells);
  return SCREE_OK;
}

/* Returns the number of lattice points along one axis, with spacing `step`. The points are centred in [min,
 * max], and spheres of radius r around them lie inside. Returns 0 if no sphere fits. *first: coordinate of
 * the first point [m]. */
static int64_t count_places(double min, double max, double r, double step, double *first) {
  double room = max - min - 2 * r;
  if (room < -1e-9 * r) return 0;
  int64_t count = (int64_t)floor(fmax(room, 0) / step + 1e-9) + 1;
  *first = (min + max) / 2 - (double)(count - 1) * step / 2;
  return count;
}

/* A lattice: simple cubic, hexagonal close-packed (rows along x, layers along z), or body-centred cubic (one
 * more point at the centre of each cell). */
typedef struct {
  double first[3], step[3];
  int64_t count[3];
} lattice;

static lattice make_lattice(const scree_fill_def *def) {
  lattice l;
  double a = def->spacing, r = sc_fill_max_radius(def);
  double hexagonal[3] = {a, a * sqrt(0.75), a * sqrt(2.0 / 3.0)}, shift[3] = {0, 0, 0};
  for (int k = 0; k < 3; k++) l.step[k] = def->lattice == 1 ? hexagonal[k] : a;
  if (def->lattice == 1) shift[0] = a / 2, shift[1] = a * sqrt(1.0 / 12.0);
  if (def->lattice == 2) shift[0] = shift[1] = shift[2] = a / 2;
  for (int k = 0; k < 3; k++)
    l.count[k] = count_places(def->min[k], def->max[k] - shift[k], r, l.step[k], &l.first[k]);
  return l;
}

static void lattice_point(
    const scree_fill_def *def, const lattice *l, int64_t i, int64_t j, int64_t k, int centre, double p[3]) {
  p[0] = l->first[0] + (double)i * l->step[0];
  p[1] = l->first[1] + (double)j * l->step[1];
  p[2] = l->first[2] + (double)k * l->step[2];
  if (def->lattice == 1) {
    p[0] += def->spacing / 2 * (double)((j + k) % 2);
    p[1] += def->spacing * sqrt(1.0 / 12.0) * (double)(k % 2);
  }
  for (int c = 0; c < 3 && centre; c++) p[c] += def->spacing / 2;
}

/* Adds one grain or clump at a lattice point. rng: generator seeded for this lattice point. stream: size
 * distribution. index: number of the grain in this fill. room: scratch for the shapes of the grain. */
static scree_status plant_grain(scree_world *world, const scree_fill_def *def, sc_rng *rng,
    scree_sizes_stream *stream, int64_t index, const double point[3], scree_shape_def *room,
    scree_error *error) {
  double radius = def->radius;
  if (def->sizes) radius = scree_sizes_draw(def->sizes, stream, index) / 2;
  else if (def->radius_max > def->radius) radius += (def->radius_max - def->radius) * sc_rng_unit(rng);
  scree_body_def body = scree_body_defaults();
  sc_fill_grain(def, radius, room, &body);
  for (int k = 0; k < 3; k++) {
    body.position[k] = point[k] + (def->jitter > 0 ? sc_fill_within(rng, def->jitter * def->spacing) : 0);
    body.velocity[k] = def->velocity[k] +
        (def->velocity_jitter[k] != 0 ? sc_fill_within(rng, def->velocity_jitter[k]) : 0);
  }
  if (def->shape || def->clump) sc_fill_turn(rng, body.orientation);
  return scree_world_add(world, &body, error) ? SCREE_OK : SCREE_E_ARGUMENT;
}

/* Allocates memory for the bodies and shapes that this rank adds. Does nothing if a region limits the
 * lattice, because their number is then unknown. Returns false without memory or if there are too many
 * bodies. */
static bool reserve_fill(scree_world *world, const scree_fill_def *def, const lattice *l) {
  int64_t count = l->count[0] * l->count[1] * l->count[2] * (def->lattice == 2 ? 2 : 1);
  if (def->limit > 0 && def->limit < count) count = def->limit;
  if (def->keep_out || def->region) return true;
  count /= world->ranks->ranks;
  const int64_t shapes = def->clump ? count * def->clump->shapes_count : count;
  return count < INT32_MAX / 2 && shapes < INT32_MAX / 2 &&
      sc_bodies_reserve(&world->bodies, (size_t)count) &&
      sc_shapes_reserve(&world->shapes, (int32_t)shapes, 0);
}

/* Returns the region of the fill, shrunk by the largest radius of a grain. Grains with centres in it lie
 * inside the ball or cylinder of the fill. */
static scree_region inner_region(const scree_fill_def *def) {
  scree_region inner = *def->region;
  double axis[3], r = sc_fill_max_radius(def);
  inner.radius -= r * (1 - 1e-9);
  if (inner.type != SCREE_REGION_CYLINDER) return inner;
  sc_normalise(inner.axis, axis);
  for (int k = 0; k < 3; k++) inner.point[k] += r * (1 - 1e-9) * axis[k];
  inner.length -= 2 * r * (1 - 1e-9);
  return inner;
}

static scree_status set_fill_region(scree_fill_def *def, scree_region *inner, scree_error *error) {
  int type = def->region->type;
  if (def->region->invert || (type != SCREE_REGION_SPHERE && type != SCREE_REGION_CYLINDER))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "fill.region must be a box, a ball or a cylinder, not what lies outside of one");
  scree_region_bounds(def->region, def->min, def->max);
  *inner = inner_region(def);
  return SCREE_OK;
}

/* Adds grains at all lattice points inside the region, in order. Returns the number of grains, or -1 with an
 * error. */
static int64_t plant_all(scree_world *world, const scree_fill_def *def, const scree_region *inner,
    const lattice *l, scree_shape_def *room, scree_error *error) {
  sc_rng rng;
  sc_rng_seed(&rng, def->seed ^ (0x9e3779b97f4a7c15ull * ++world->fills));
  scree_sizes_stream stream = {.seed = sc_rng_next(&rng)};
  const uint64_t seed = sc_rng_next(&rng);
  uint64_t place = 0;
  int64_t added = 0;
  for (int64_t k = 0; k < l->count[2]; k++)
    for (int64_t j = 0; j < l->count[1]; j++)
      for (int64_t i = 0; i < l->count[0]; i++)
        for (int centre = 0; centre <= (def->lattice == 2); centre++, place++) {
          double point[3];
          if (def->limit > 0 && added >= def->limit) return added;
          lattice_point(def, l, i, j, k, centre, point);
          if (def->region && (inner->radius < 0 || !scree_region_contains(inner, point))) continue;
          if (def->keep_out && scree_region_contains(def->keep_out, point)) continue;
          sc_rng_seed_at(&rng, seed, place);
          if (plant_grain(world, def, &rng, &stream, added, point, room, error) != SCREE_OK) return -1;
          added++;
        }
  return added;
}

int64_t scree_world_fill(scree_world *world, const scree_fill_def *given, scree_error *error) {
  SC_DEMAND(world && given, error, -1);
  scree_fill_def taken = *given, *def = &taken;
  scree_region inner;
  if (def->shape && !(def->radius > 0) && !(sc_world_weigh(world, def->shape, &def->radius) > 0))
    return sc_fail(error, SCREE_E_ARGUMENT, "fill.shape has no mass"), -1;
  if (sc_fill_check_grains(def, "fill", error) != SCREE_OK) return -1;
  if (def->region && set_fill_region(def, &inner, error) != SCREE_OK) return -1;
  if (check_fill(def, error) != SCREE_OK) return -1;
  lattice l = make_lattice(def);
  scree_shape_def *room = sc_fill_alloc_shapes(def, error);
  if (!room) return -1;
  const int32_t before = world->bodies.count;
  int64_t added = -1;
  if (!reserve_fill(world, def, &l)) sc_fail(error, SCREE_E_MEMORY, "no memory for the bodies of a fill");
  else added = plant_all(world, def, &inner, &l, room, error);
  while (added < 0 && world->bodies.count > before) sc_world_remove_row(world, world->bodies.count - 1);
  sc_free(room);
  return added;
}
