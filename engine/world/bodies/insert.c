/* Inserts grains at random positions without overlap (random sequential addition).
 *
 * For each grain, up to `attempts` positions are drawn uniformly from the region. The grain is added at the
 * first position at which it overlaps no body. The call ends at the first grain without such a position. The
 * next call starts with the size of this grain. If it skipped this grain, it would add small grains before
 * large ones, and the size distribution would change.
 *
 * A grid over the region finds overlaps. Each grid cell lists the obstacles that a grain with its centre in
 * this cell could touch. In a periodic cell, obstacles include images of bodies. Overlap with a ball is
 * tested by the distance of centres, overlap with other bodies by the narrow phase. A grain that is not a
 * ball is tested by its bounding sphere.
 *
 * On several ranks, all ranks draw the same random numbers. Each rank tests the positions of some grains
 * against its own bodies. The ranks combine their results and therefore choose the same positions. */
#include "world/bodies/weigh.h"
#include "world/bodies/rows.h"
#include "world/bodies/fill.h"
#include "world/world.h"

/* An obstacle: a body, or an image of a body, that grains must not overlap. It is a ball or the bounding
 * sphere of another body. */
typedef struct obstacle {
  double centre[3], radius;
  /* row of the body, for the narrow phase; -1: the obstacle is a ball and needs no narrow phase */
  int32_t row;
} obstacle;
typedef struct entry {
  /* obstacle: index in room.obstacle; next: next list entry of this grid cell, -1: none */
  int32_t obstacle, next;
} entry;
typedef struct room {
  double min[3], step[3]; /* corner of the grid and size of its cells [m] */
  double reach;           /* largest bounding radius of a grain [m] */
  int n[3];               /* cells along each axis */
  int32_t *first;         /* [cells] first entry; -1: none */
  size_t first_capacity;
  entry *entry;
  int32_t entries;
  size_t entry_capacity;
  obstacle *obstacle;
  int32_t obstacles;
  size_t obstacle_capacity;
  int32_t *wide; /* [wides] rows of unbounded bodies, such as half-spaces */
  int32_t wides;
  size_t wide_capacity;
} room;

/* Largest number of candidate positions for which the ranks exchange test results at once. */
enum { PLACES = 50000 };

typedef struct insertion {
  scree_world *world;
  const scree_insert_def *def;
  scree_fill_def grains;
  const scree_sizes *sizes;
  scree_sizes_stream stream;
  uint64_t seed;
  room room;
  scree_shape_def *shapes; /* shapes of the present grain */
  /* [judged_end - judged][attempts] 1: the position overlaps a body of some rank. The first index is the
   * number of the grain minus `judged`. */
  double *flag;
  size_t flag_capacity;
  int64_t judged, judged_end;
} insertion;

/* ---- the grid ---- */

static void free_grid(room *r) {
  sc_free(r->first);
  sc_free(r->entry);
  sc_free(r->obstacle);
  sc_free(r->wide);
}

static int cell_along(const room *r, int k, double x) {
  double cell = (x - r->min[k]) / r->step[k];
  return cell < 0 ? 0 : cell < r->n[k] ? (int)cell : r->n[k] - 1;
}

/* Creates empty grid cells about as large as a grain. things: number of obstacles and grains; the grid has
 * not many more cells than this. Returns false without memory. */
static bool make_cells(room *r, const double min[3], const double max[3], double things) {
  double most = ceil(cbrt(things)) + 1;
  size_t cells = 1;
  for (int k = 0; k < 3; k++) {
    r->n[k] = (int)fmax(1, fmin(floor((max[k] - min[k]) / (2 * r->reach)), most));
    r->min[k] = min[k];
    r->step[k] = max[k] > min[k] ? (max[k] - min[k]) / r->n[k] : 1;
    cells *= (size_t)r->n[k];
  }
  if (!SC_GROW(r->first, r->first_capacity, cells)) return false;
  for (size_t i = 0; i < cells; i++) r->first[i] = -1;
  return true;
}

static bool enter_obstacle(room *r, const double centre[3], double radius, int32_t row) {
  int from[3], to[3];
  for (int k = 0; k < 3; k++) {
    double reach = radius + r->reach, end = r->min[k] + r->step[k] * r->n[k];
    if (centre[k] + reach < r->min[k] || centre[k] - reach > end) return true;
    from[k] = cell_along(r, k, centre[k] - reach), to[k] = cell_along(r, k, centre[k] + reach);
  }
  size_t cells = (size_t)(to[0] - from[0] + 1) * (size_t)(to[1] - from[1] + 1) *
      (size_t)(to[2] - from[2] + 1);
  if (!SC_GROW(r->obstacle, r->obstacle_capacity, (size_t)r->obstacles + 1)) return false;
  if (!SC_GROW(r->entry, r->entry_capacity, (size_t)r->entries + cells)) return false;
  r->obstacle[r->obstacles] = (obstacle){{centre[0], centre[1], centre[2]}, radius, row};
  for (int i = from[0]; i <= to[0]; i++)
    for (int j = from[1]; j <= to[1]; j++)
      for (int k = from[2]; k <= to[2]; k++) {
        int32_t *first = r->first + ((size_t)i * (size_t)r->n[1] + (size_t)j) * (size_t)r->n[2] + (size_t)k;
        r->entry[r->entries] = (entry){r->obstacles, *first};
        *first = r->entries++;
      }
  r->obstacles++;
  return true;
}

/* Adds an obstacle to the grid. In a periodic cell adds all its images that reach the grid. row: as in
 * obstacle. Returns false without memory. */
static bool enter_all(room *r, const sc_cell *cell, const double centre[3], double radius, int32_t row) {
  double edges[9] = {0}, at[3];
  if (!cell) return enter_obstacle(r, centre, radius, row);
  for (int k = 0; k < 3; k++) edges[4 * k] = r->step[k] * r->n[k];
  const sc_cell_range range = sc_cell_around(cell, r->min, edges, radius + r->reach);
  const sc_images images = sc_cell_images(cell, &range, centre);
  for (sc_image image = sc_images_begin(&images); sc_images_next(&images, &image);) {
    sc_cell_shift(cell, &image, at);
    sc_add(at, centre, at);
    if (!enter_obstacle(r, at, radius, row)) return false;
  }
  return true;
}

/* Adds all bodies that this rank owns to the grid. Returns false without memory. */
static bool enter_bodies(room *r, const sc_bodies *bodies) {
  for (int32_t row = 0; row < bodies->count; row++) {
    if (!sc_bodies_own(bodies, row)) continue;
    bool wide = isinf(bodies->radius[row]), ball = sc_bodies_ball(bodies, row) > 0;
    if (wide && !SC_GROW(r->wide, r->wide_capacity, (size_t)r->wides + 1)) return false;
    if (wide) r->wide[r->wides++] = row;
    else if (!enter_all(r, bodies->cell, bodies->position[row], bodies->radius[row], ball ? -1 : row))
      return false;
  }
  return true;
}

static bool open_grid(insertion *in) {
  const scree_fill_def *g = &in->grains;
  in->room.reach = sc_fill_max_radius(g);
  double wanted = in->def->grains.limit > 0 && in->def->grains.limit < 100000 ? (double)in->def->grains.limit
                                                                              : 100000;
  return make_cells(&in->room, g->min, g->max, wanted + in->world->bodies.count) &&
      enter_bodies(&in->room, &in->world->bodies);
}

/* ---- overlap tests ---- */

static bool touches_body(const scree_world *world, int32_t row, const double point[3], double radius) {
  sc_shape ball = {.type = SCREE_SPHERE, .radius = radius, .bound = radius, .orientation = {1, 0, 0, 0}};
  const double upright[4] = {1, 0, 0, 0};
  sc_placed here, there;
  sc_touch touch[SC_MAX_TOUCHES];
  sc_place(&ball, point, upright, &here);
  for (int32_t s = world->bodies.first_shape[row]; s >= 0; s = world->shapes.row[s].next) {
    sc_shape shape;
    sc_shapes_get(&world->shapes, s, &shape);
    sc_place(&shape, world->bodies.position[row], world->bodies.orientation[row], &there);
    int touches = sc_narrow(&here, &there, 0, touch);
    for (int i = 0; i < touches; i++)
      if (touch[i].gap < 0) return true;
  }
  return false;
}

/* Returns true if a sphere overlaps the periodic image of a body whose centre is o->centre. */
static bool touches_image(const scree_world *world, const obstacle *o, const double point[3], double radius) {
  double back[3];
  sc_sub(o->centre, world->bodies.position[o->row], back);
  sc_sub(point, back, back);
  return touches_body(world, o->row, back, radius);
}

static bool overlaps_obstacle(const insertion *in, const double point[3], double radius) {
  const room *r = &in->room;
  if (in->grains.keep_out && scree_region_contains(in->grains.keep_out, point)) return true;
  size_t cell = 0;
  for (int k = 0; k < 3; k++) cell = cell * (size_t)r->n[k] + (size_t)cell_along(r, k, point[k]);
  for (int32_t e = r->first[cell]; e >= 0; e = r->entry[e].next) {
    const obstacle *o = r->obstacle + r->entry[e].obstacle;
    double apart[3], least = o->radius + radius;
    sc_sub(o->centre, point, apart);
    if (sc_dot(apart, apart) < least * least && (o->row < 0 || touches_image(in->world, o, point, radius)))
      return true;
  }
  for (int32_t i = 0; i < r->wides; i++)
    if (touches_body(in->world, r->wide[i], point, radius)) return true;
  return false;
}

/* ---- random numbers ---- */

/* Draws a point uniformly from the region. */
static void draw_point(const scree_fill_def *g, sc_rng *rng, double point[3]) {
  const scree_region *region = g->region;
  double x[3], n[3], t[3], o[3];
  if (!region) {
    for (int k = 0; k < 3; k++) point[k] = g->min[k] + (g->max[k] - g->min[k]) * sc_rng_unit(rng);
    return;
  }
  const bool round = region->type == SCREE_REGION_CYLINDER;
  do {
    for (int k = 0; k < 3; k++) x[k] = sc_fill_within(rng, 1);
  } while (x[0] * x[0] + x[1] * x[1] + (round ? 0 : x[2] * x[2]) > 1);
  if (!round) {
    sc_axpy(region->radius, x, region->point, point);
    return;
  }
  sc_normalise(region->axis, n);
  sc_frame(n, t, o);
  for (int k = 0; k < 3; k++)
    point[k] = region->point[k] + (x[2] + 1) / 2 * region->length * n[k] +
        region->radius * (x[0] * t[k] + x[1] * o[k]);
}

/* Draws velocity and orientation of grain number g of this call. The following numbers of rng are the
 * candidate positions of the grain. */
static void draw_grain(const insertion *in, int64_t g, sc_rng *rng, scree_body_def *body) {
  const scree_fill_def *def = &in->grains;
  sc_rng_seed(rng, in->seed ^ (0x9e3779b97f4a7c15ull * (uint64_t)(g + 1)));
  for (int k = 0; k < 3; k++)
    body->velocity[k] = def->velocity[k] +
        (def->velocity_jitter[k] != 0 ? sc_fill_within(rng, def->velocity_jitter[k]) : 0);
  if (def->shape || def->clump) sc_fill_turn(rng, body->orientation);
}

/* Writes the shapes of grain number g to *body. Returns the mass of the grain [kg]. *radius: radius of its
 * bounding sphere [m]. */
static double weigh_grain(insertion *in, int64_t g, scree_body_def *body, double *radius) {
  double drawn = in->sizes ? scree_sizes_draw(in->sizes, &in->stream, in->def->first + g) / 2
                           : in->grains.radius;
  sc_fill_grain(&in->grains, drawn, in->shapes, body);
  *radius = sc_fill_reach(&in->grains, drawn);
  return in->grains.clump ? body->mass : sc_world_weigh(in->world, in->shapes, radius);
}

/* ---- tests on several ranks ---- */

/* Tests the positions of grain g and some following grains against the bodies of all ranks. Does nothing if
 * grain g has been tested. Returns false without memory. */
static bool test_positions(insertion *in, int64_t g) {
  const sc_ranks *ranks = in->world->ranks;
  const int64_t attempts = in->def->attempts, left = in->def->grains.limit - g,
                fit = attempts < PLACES ? PLACES / attempts : 1;
  int64_t count = fit < ranks->together ? fit : ranks->together;
  if (left > 0 && left < count) count = left;
  if (g < in->judged_end) return true;
  if (!SC_GROW(in->flag, in->flag_capacity, (size_t)(count * attempts))) return false;
  for (int64_t i = 0; i < count; i++) {
    scree_body_def body = scree_body_defaults();
    sc_rng rng;
    double radius, point[3];
    weigh_grain(in, g + i, &body, &radius);
    draw_grain(in, g + i, &rng, &body);
    for (int64_t a = 0; a < attempts; a++) {
      draw_point(&in->grains, &rng, point);
      in->flag[i * attempts + a] = overlaps_obstacle(in, point, radius);
    }
  }
  ranks->most(ranks->context, in->flag, (int)(count * attempts));
  in->judged = g, in->judged_end = g + count;
  return true;
}

static bool is_refused(const insertion *in, int64_t g, int64_t attempt) {
  return g < in->judged_end && in->flag[(g - in->judged) * in->def->attempts + attempt] > 0;
}

/* ---- insertion ---- */

/* Adds grain number g of this call. Sets *found to false if every position of the grain overlaps a body. */
static scree_status place_grain(insertion *in, int64_t g, bool *found, scree_error *error) {
  scree_body_def body = scree_body_defaults();
  sc_rng rng;
  double radius;
  *found = false;
  if (!test_positions(in, g)) return sc_fail(error, SCREE_E_MEMORY, "no memory to insert grains");
  weigh_grain(in, g, &body, &radius);
  draw_grain(in, g, &rng, &body);
  for (int64_t a = 0; a < in->def->attempts && !*found; a++) {
    draw_point(&in->grains, &rng, body.position);
    *found = !is_refused(in, g, a) && !overlaps_obstacle(in, body.position, radius);
  }
  if (!*found) return SCREE_OK;
  if (!enter_all(&in->room, in->world->bodies.cell, body.position, radius, -1))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to insert grains");
  return scree_world_add(in->world, &body, error) ? SCREE_OK : SCREE_E_ARGUMENT;
}

static scree_status place_all(insertion *in, scree_insert_result *result, scree_error *error) {
  const scree_insert_def *def = in->def;
  for (int64_t g = 0; !(def->grains.limit > 0 && g >= def->grains.limit); g++) {
    scree_body_def body = scree_body_defaults();
    double radius, mass = weigh_grain(in, g, &body, &radius);
    bool found;
    if (def->mass > 0 && result->mass + mass > def->mass) break;
    if (!in->room.first && !open_grid(in))
      return sc_fail(error, SCREE_E_MEMORY, "no memory to insert grains");
    scree_status status = place_grain(in, g, &found, error);
    if (status != SCREE_OK) return status;
    result->full = !found;
    if (!found) break;
    result->placed++, result->mass += mass;
  }
  return SCREE_OK;
}

/* ---- checks ---- */

static scree_status set_insert_region(scree_fill_def *g, scree_error *error) {
  const scree_region *r = g->region;
  if (r && (r->invert || (r->type != SCREE_REGION_SPHERE && r->type != SCREE_REGION_CYLINDER)))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "insert.region must be a box, a ball or a cylinder, not what lies outside of one");
  if (r) scree_region_bounds(r, g->min, g->max);
  for (int k = 0; k < 3; k++)
    if (!isfinite(g->min[k]) || !isfinite(g->max[k]) || g->min[k] > g->max[k])
      return sc_fail(error, SCREE_E_ARGUMENT, "insert.region must be finite");
  return SCREE_OK;
}

static scree_status check_insertion(insertion *in, scree_error *error) {
  const scree_insert_def *def = in->def;
  scree_fill_def *g = &in->grains;
  scree_status status = scree_param_check_all(
      scree_insert_params, scree_insert_params_count, def, "insert", error);
  if (status != SCREE_OK) return status;
  if (!(def->grains.limit > 0) && !(def->mass > 0))
    return sc_fail(error, SCREE_E_ARGUMENT, "insert.count or mass must say when to stop");
  if (g->shape) {
    double mass = sc_world_weigh(in->world, g->shape, &g->radius);
    g->radius_max = 0;
    if (!(mass > 0)) return sc_fail(error, SCREE_E_ARGUMENT, "insert.shape has no mass");
  }
  status = sc_fill_check_grains(g, "insert", error);
  return status == SCREE_OK ? set_insert_region(g, error) : status;
}

/* Sets in->sizes to the size distribution. *made: distribution created here, uniform between two radii, which
 * the caller destroys; NULL if none was created. */
static scree_status set_sizes(insertion *in, scree_sizes **made, scree_error *error) {
  const scree_fill_def *g = &in->grains;
  *made = NULL;
  in->sizes = g->sizes;
  if (g->sizes || g->shape || !(g->radius_max > g->radius)) return SCREE_OK;
  const scree_sizes_def uniform = {
      .distribution = SCREE_SIZES_UNIFORM, .min = 2 * g->radius, .max = 2 * g->radius_max};
  in->sizes = *made = scree_sizes_create(&uniform, error);
  return *made ? SCREE_OK : SCREE_E_MEMORY;
}

scree_status scree_world_insert(
    scree_world *world, const scree_insert_def *def, scree_insert_result *result, scree_error *error) {
  SC_DEMAND(world && def && result, error, SCREE_E_ARGUMENT);
  insertion in = {.world = world, .def = def, .grains = def->grains};
  scree_sizes *made;
  const int32_t before = world->bodies.count;
  *result = (scree_insert_result){0};
  scree_status status = check_insertion(&in, error);
  if (status != SCREE_OK || (status = set_sizes(&in, &made, error)) != SCREE_OK) return status;
  sc_rng rng;
  sc_rng_seed(&rng, def->grains.seed ^ (0x9e3779b97f4a7c15ull * ++world->fills));
  in.seed = sc_rng_next(&rng);
  in.stream.seed = def->stream ? def->grains.seed ^ (0xd6e8feb86659fd93ull * def->stream) : sc_rng_next(&rng);
  in.shapes = sc_fill_alloc_shapes(&in.grains, error);
  status = in.shapes ? place_all(&in, result, error) : SCREE_E_MEMORY;
  while (status != SCREE_OK && world->bodies.count > before)
    sc_world_remove_row(world, world->bodies.count - 1);
  if (status != SCREE_OK) *result = (scree_insert_result){0};
  free_grid(&in.room);
  sc_free(in.flag);
  sc_free(in.shapes);
  scree_sizes_destroy(made);
  return status;
}
