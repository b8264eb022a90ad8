/* Beds of scree bench: lattices of grains that settle in an open box, copies of settled beds, and grains
 * that flow down a channel. */
#include "bench/bench.h"

#include <math.h>
#include <string.h>

#include "scree/geometry.h"

const double bench_residual[BENCH_TIMES] = {1e-2, 1e-3, 1e-4};

const bench_bed bench_beds[] = {
    {"settle", "settle", "8000 spheres in a box of 20 x 20 mm; 64000 on 40 x 40 mm", 0, BENCH_SPHERES, 8000,
        1e-3, 20, 1.17, 1, {1, 1, 1}, 1e-4, 2000, 0, 40, 15, {10, 50}},
    {"settle", "settle 64000", "", 0, BENCH_SPHERES, 8000, 1e-3, 20, 1.17, 1, {2, 2, 2}, 1e-4, 2000, 120, 5,
        5, {10, 0}},
    {"settle", "settle 1000000", "", 1, BENCH_SPHERES, 8000, 1e-3, 20, 1.17, 1, {25, 5, 1}, 1e-4, 2000, 10, 2,
        2, {10, 0}},
    {"bed", "bed", "250000 spheres, packed: 25 copies of a settled bed of 10000", 0, BENCH_SPHERES, 10000,
        1e-3, 20, 1.17, 1, {5, 5, 1}, 1e-4, 2000, 10, 2, 2, {50, 0}},
    {"column", "column", "spheres 60 diameters deep on 10 x 10 mm", 0, BENCH_SPHERES, 6000, 1e-3, 10, 1.17, 1,
        {1, 1, 1}, 1e-4, 3500, 0, 50, 25, {10, 50}},
    {"channel", "channel 0.4",
        "grains that flow down the channel of scenes/channel.lua; with --full also at full size", 0,
        BENCH_CHANNEL, 30000, 0.94e-3, 0.06, 1.064, 1, {1, 1, 1}, 1e-5, 800, 0, 20, 50, {20, 0}},
    {"channel", "channel 1", "", 1, BENCH_CHANNEL, 190000, 0.94e-3, 0.15, 1.064, 1, {1, 1, 1}, 1e-5, 300, 0,
        2, 5, {20, 0}},
    {"shapes", "capsules",
        "8000 capsules (256000 with --full), 2000 boxes, 2000 icosahedra, piled: general blocks", 0,
        BENCH_CAPSULES, 8000, 1e-3, 20, 1.1, 1, {1, 1, 1}, 1e-4, 1000, 0, 10, 5, {10, 50}},
    {"shapes", "boxes", "", 0, BENCH_BOXES, 2000, 1e-3, 12, 1.1, 1, {1, 1, 1}, 1e-4, 800, 0, 10, 5, {10, 50}},
    {"shapes", "hulls", "", 0, BENCH_HULLS, 2000, 1e-3, 12, 1.1, 1, {1, 1, 1}, 1e-4, 800, 0, 10, 5, {10, 50}},
    {"shapes", "capsules 256000", "", 1, BENCH_CAPSULES, 8000, 1e-3, 20, 1.1, 1, {8, 4, 1}, 1e-4, 1000, 10, 2,
        2, {10, 50}},
    {"polydisperse", "polydisperse", "8000 spheres of 0.1 to 1 mm", 0, BENCH_SPHERES, 8000, 1e-3, 20, 1.17,
        0.1, {1, 1, 1}, 1e-4, 2800, 0, 50, 25, {10, 50}},
};
const int bench_beds_count = sizeof bench_beds / sizeof *bench_beds;
static const double density = 2650, channel_height = 0.02;

/* ---- walls ---- */

static scree_status add_fixed(
    scree_world *world, double x, double y, double z, const scree_shape_def *shape, scree_error *error) {
  scree_body_def body = scree_body_defaults();
  body.kind = SCREE_FIXED;
  body.position[0] = x, body.position[1] = y, body.position[2] = z;
  body.shapes = shape;
  body.shapes_count = 1;
  return scree_world_add(world, &body, error) ? SCREE_OK : error->status;
}

static scree_status add_wall(
    scree_world *world, double x, double y, double z, const double n[3], scree_error *error) {
  scree_shape_def shape = scree_shape_defaults();
  shape.type = SCREE_HALFSPACE;
  for (int k = 0; k < 3; k++) shape.normal[k] = n[k];
  return add_fixed(world, x, y, z, &shape, error);
}

/* Adds a floor and four walls around [0, a] x [0, b]. */
static scree_status add_box(scree_world *world, double a, double b, scree_error *error) {
  const double n[5][3] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  scree_status status = SCREE_OK;
  for (int k = 0; k < 5 && status == SCREE_OK; k++)
    status = add_wall(world, k == 2 ? a : 0, k == 4 ? b : 0, 0, n[k], error);
  return status;
}

/* ---- grains ---- */

/* Makes the hull of an icosahedron whose corners are at distance r from the origin. */
static scree_geometry *make_icosahedron(double r, scree_error *error) {
  const double golden = 0.5 * (1 + sqrt(5)), scale = r / sqrt(1 + golden * golden);
  double point[12][3] = {{0}};
  for (int c = 0; c < 12; c++) {
    int axis = c / 4;
    point[c][axis] = c & 1 ? scale : -scale;
    point[c][(axis + 1) % 3] = (c & 2 ? golden : -golden) * scale;
  }
  return scree_geometry_hull(point, 12, error);
}

/* Sets the shape of a bed's grains, with the bed's diameter as bounding diameter. The caller releases
 * *geometry. */
static scree_status grain_shape(
    const bench_bed *bed, scree_shape_def *shape, scree_geometry **geometry, scree_error *error) {
  *shape = scree_shape_defaults();
  *geometry = NULL;
  shape->density = density;
  if (bed->grains == BENCH_CAPSULES) {
    shape->type = SCREE_CAPSULE;
    shape->radius = 0.25 * bed->diameter;
    shape->length = 0.5 * bed->diameter;
  } else if (bed->grains == BENCH_BOXES) {
    shape->type = SCREE_BOX;
    for (int k = 0; k < 3; k++) shape->size[k] = bed->diameter / sqrt(3);
  } else if (bed->grains == BENCH_HULLS) {
    shape->type = SCREE_HULL;
    shape->geometry = *geometry = make_icosahedron(bed->diameter / 2, error);
    if (!*geometry) return error->status;
  }
  return SCREE_OK;
}

static scree_fill_def fill_of(const bench_bed *bed) {
  scree_fill_def fill = scree_fill_defaults();
  fill.spacing = bed->spacing * bed->diameter;
  fill.radius = bed->finest * bed->diameter / 2;
  fill.radius_max = bed->finest < 1 ? bed->diameter / 2 : 0;
  fill.density = density;
  fill.limit = bed->count;
  fill.seed = 1;
  return fill;
}

/* Fills a world with one tile: a cubic lattice with small random velocities in a box. */
static scree_status pour_tile(scree_world *world, const bench_bed *bed, scree_error *error) {
  double side = bed->side * bed->diameter, row = floor((bed->side - 1) / bed->spacing + 1e-9) + 1;
  scree_fill_def fill = fill_of(bed);
  scree_shape_def shape;
  scree_geometry *geometry;
  scree_status status = add_box(world, side, side, error);
  if (status == SCREE_OK) status = grain_shape(bed, &shape, &geometry, error);
  if (status != SCREE_OK) return status;
  fill.max[0] = fill.max[1] = side;
  fill.max[2] = bed->diameter * (1 + bed->spacing * (ceil(bed->count / (row * row)) + 1));
  fill.shape = bed->grains == BENCH_SPHERES ? NULL : &shape;
  for (int k = 0; k < 3; k++) fill.velocity_jitter[k] = 0.05;
  if (scree_world_fill(world, &fill, error) < 0) status = error->status;
  scree_geometry_release(geometry);
  return status;
}

/* ---- the channel ---- */

/* Adds the obstacle of scenes/channel.lua: an upright cylinder whose right half is a box. */
static scree_status add_obstacle(scree_world *world, double centre, double radius, scree_error *error) {
  scree_shape_def shape = scree_shape_defaults();
  shape.type = SCREE_CYLINDER;
  shape.radius = radius;
  shape.length = channel_height;
  scree_status status = add_fixed(world, centre, centre, channel_height / 2, &shape, error);
  shape.type = SCREE_BOX;
  shape.size[0] = radius, shape.size[1] = 2 * radius, shape.size[2] = channel_height;
  return status ? status : add_fixed(world, centre + radius / 2, centre, channel_height / 2, &shape, error);
}

/* Fills the channel with grains that flow at the inflow's speed of 1 m/s towards the open end. */
static scree_status pour_channel(scree_world *world, const bench_bed *bed, scree_error *error) {
  const double length = bed->side, scale = length / 0.15, width = 0.065 * scale, centre = 0.04 * scale,
               radius = 0.01 * scale;
  const double n[4][3] = {{0, 0, 1}, {0, 0, -1}, {0, 1, 0}, {0, -1, 0}};
  const double y[4] = {0, 0, 0, width}, z[4] = {0, channel_height, 0, 0};
  scree_status status = SCREE_OK;
  for (int k = 0; k < 4 && status == SCREE_OK; k++) status = add_wall(world, 0, y[k], z[k], n[k], error);
  if (status == SCREE_OK) status = add_obstacle(world, centre, radius, error);
  if (status != SCREE_OK) return status;
  scree_region keep_out = {.type = SCREE_REGION_BOX};
  for (int k = 0; k < 3; k++) {
    double reach = radius + bed->diameter / 2;
    keep_out.min[k] = k < 2 ? centre - reach : -1;
    keep_out.max[k] = k < 2 ? centre + reach : 1;
  }
  scree_fill_def fill = fill_of(bed);
  fill.max[0] = length, fill.max[1] = width, fill.max[2] = channel_height;
  fill.velocity[0] = 1;
  fill.velocity_jitter[1] = fill.velocity_jitter[2] = 0.5;
  fill.keep_out = &keep_out;
  return scree_world_fill(world, &fill, error) < 0 ? error->status : SCREE_OK;
}

/* ---- worlds ---- */

static scree_world *create_world(const bench_bed *bed, int sweeps, int threads, scree_error *error) {
  scree_world_def def = scree_world_defaults();
  def.dt = bed->dt;
  def.threads = threads;
  def.solver.iterations = def.solver.min_iterations = sweeps;
  def.solver.tolerance = 0;
  def.solver.name = "nbgs";
  scree_world *world = scree_world_create(&def, error);
  if (!world) return NULL;
  int count;
  scree_pair_def pair = {.law = "coulomb"};
  const scree_param *params = scree_world_law_params(world, "coulomb", &count);
  scree_param_defaults(params, count, pair.params);
  for (int i = 0; i < count; i++) {
    if (!strcmp(params[i].name, "mu")) pair.params[i] = 0.4;
    if (!strcmp(params[i].name, "rolling") || !strcmp(params[i].name, "torsion"))
      pair.params[i] = bed->rolling * 0.5 * bed->diameter;
  }
  if (scree_world_set_pair(world, &pair, error) == SCREE_OK) return world;
  scree_world_destroy(world);
  return NULL;
}

scree_world *bench_pour(const bench_bed *bed, int sweeps, int threads, scree_error *error) {
  scree_world *world = create_world(bed, sweeps, threads, error);
  if (!world) return NULL;
  if ((bed->grains == BENCH_CHANNEL ? pour_channel : pour_tile)(world, bed, error) == SCREE_OK) return world;
  scree_world_destroy(world);
  return NULL;
}

/* ---- tiles ---- */

int bench_tiles(const bench_bed *bed) { return bed->tiles[0] * bed->tiles[1] * bed->tiles[2]; }

/* Returns the sweeps with which a tile settles: few if the bed has several tiles. */
static int tile_sweeps(const bench_bed *bed) { return bench_tiles(bed) > 1 ? 10 : bed->sweeps[0]; }

/* Returns the values of a view; NULL on failure. */
static const double *view_column(scree_world *world, scree_view view, int64_t *rows) {
  void *data;
  return scree_world_view(world, view, &data, rows) ? data : NULL;
}

/* Returns the smallest height at which a copy of a tile lies on the tile without overlap [m]. */
static double find_stacking_height(scree_world *world) {
  int64_t rows;
  double least = 0;
  const double *x = view_column(world, SCREE_VIEW_POSITION, &rows),
               *r = view_column(world, SCREE_VIEW_RADIUS, &rows);
  for (int64_t i = 0; i < rows; i++)
    for (int64_t k = 0; k < rows && isfinite(r[i]); k++) {
      if (!isfinite(r[k])) continue; /* a wall has no finite radius */
      double dx = x[3 * i] - x[3 * k], dy = x[3 * i + 1] - x[3 * k + 1], reach = r[i] + r[k],
             across = dx * dx + dy * dy;
      if (across < reach * reach)
        least = fmax(least, x[3 * i + 2] - x[3 * k + 2] + sqrt(reach * reach - across));
    }
  return least;
}

/* Copies all grains of a tile to a place in the large bed. Spheres keep their own radii. */
static scree_status copy_tile(
    const bench_bed *bed, scree_world *tile, const double shift[3], scree_world *world, scree_error *error) {
  int64_t rows;
  const double *x = view_column(tile, SCREE_VIEW_POSITION, &rows),
               *v = view_column(tile, SCREE_VIEW_VELOCITY, &rows);
  const double *w = view_column(tile, SCREE_VIEW_SPIN, &rows),
               *r = view_column(tile, SCREE_VIEW_RADIUS, &rows);
  const double *q = view_column(tile, SCREE_VIEW_ORIENTATION, &rows);
  scree_shape_def shape;
  scree_geometry *geometry;
  scree_body_def body = scree_body_defaults();
  scree_status status = grain_shape(bed, &shape, &geometry, error);
  body.shapes = &shape;
  body.shapes_count = 1;
  for (int64_t i = 0; i < rows && status == SCREE_OK; i++) {
    if (!isfinite(r[i])) continue; /* a wall has no finite radius */
    if (bed->grains == BENCH_SPHERES) shape.radius = r[i];
    for (int k = 0; k < 3; k++)
      body.position[k] = x[3 * i + k] + shift[k], body.velocity[k] = v[3 * i + k],
      body.spin[k] = w[3 * i + k];
    memcpy(body.orientation, q + 4 * i, sizeof body.orientation);
    if (!scree_world_add(world, &body, error)) status = error->status;
  }
  scree_geometry_release(geometry);
  return status;
}

static scree_world *assemble_tiles(const bench_bed *bed, scree_world *tile, scree_error *error) {
  scree_world *world = create_world(bed, bed->sweeps[0], 1, error);
  if (!world) return NULL;
  double side = bed->side * bed->diameter, high = bed->tiles[2] > 1 ? find_stacking_height(tile) : 0;
  scree_status status = add_box(world, bed->tiles[0] * side, bed->tiles[1] * side, error);
  for (int k = 0; k < bench_tiles(bed) && status == SCREE_OK; k++) {
    int i = k % bed->tiles[0], j = k / bed->tiles[0] % bed->tiles[1], h = k / (bed->tiles[0] * bed->tiles[1]);
    status = copy_tile(bed, tile, (double[3]){i * side, j * side, h * high}, world, error);
  }
  if (status == SCREE_OK) return world;
  scree_world_destroy(world);
  return NULL;
}

static scree_checkpoint *save_world(scree_world *world, scree_error *error) {
  scree_checkpoint *settled = scree_checkpoint_create();
  if (settled && scree_world_save(world, settled, error) == SCREE_OK) return settled;
  scree_checkpoint_destroy(settled);
  return NULL;
}

int bench_same_tile(const bench_bed *a, const bench_bed *b) {
  return a->grains == b->grains && a->count == b->count && a->side == b->side && a->spacing == b->spacing &&
      a->finest == b->finest && a->settle == b->settle && a->rolling == b->rolling &&
      tile_sweeps(a) == tile_sweeps(b);
}

scree_checkpoint *bench_settle_tile(const bench_bed *bed, double rest, scree_error *error) {
  scree_world *world = bench_pour(bed, tile_sweeps(bed), 1, error);
  scree_checkpoint *settled = NULL;
  if (world && scree_world_step(world, bed->settle + (int64_t)ceil(rest / bed->dt), error) == SCREE_OK)
    settled = save_world(world, error);
  scree_world_destroy(world);
  return settled;
}

scree_checkpoint *bench_merge(const bench_bed *bed, const scree_checkpoint *settled, scree_error *error) {
  scree_world *tile = bench_pour(bed, tile_sweeps(bed), 1, error), *world = NULL;
  scree_checkpoint *merged = NULL;
  if (tile && scree_world_load(tile, settled, error) == SCREE_OK) world = assemble_tiles(bed, tile, error);
  if (world && scree_world_step(world, bed->merge, error) == SCREE_OK) merged = save_world(world, error);
  scree_world_destroy(world);
  scree_world_destroy(tile);
  return merged;
}

double bench_unit(const bench_bed *bed) {
  double d = bed->diameter;
  return 2650 * 3.14159265358979 / 6 * d * d * d * 9.81 * d;
}
