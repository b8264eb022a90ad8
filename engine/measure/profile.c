/* Profiles: grains sorted into the cells of a grid and averaged over frames.
 *
 * Velocities and spins count in the cell that contains the centre of the grain, with equal weight for each
 * grain. The solid volume of a sphere is distributed over the cells that the sphere overlaps, in proportion
 * to the number of points of a fixed lattice inside the sphere. The volumes in cells smaller than a grain
 * therefore sum to the volume of the grain. For other shapes the whole volume counts in the cell of their
 * centre. */
#include "measure/measure.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

enum { COUNT, VX, VY, VZ, WX, WY, WZ, SPEED, SQUARE, VOLUME, SUMS, POINTS = 7 };

struct scree_profile {
  scree_grid grid;
  int64_t group; /* group of the grains; -1: all grains */
  int64_t cells, frames;
  double *sum; /* [cells][SUMS] sums over the frames */
};

static const char *const names[SCREE_PROFILE_FIELDS] = {
    "count", "velocity", "spin", "speed", "solid", "temperature"};

const char *scree_profile_field_name(int field) {
  return field >= 0 && field < SCREE_PROFILE_FIELDS ? names[field] : NULL;
}

scree_profile *scree_profile_create(const scree_grid *grid, scree_error *error) {
  SC_DEMAND(grid, error, NULL);
  double cells = 1;
  for (int k = 0; k < 3; k++) {
    if (!isfinite(grid->min[k]) || !isfinite(grid->max[k]) || !(grid->min[k] < grid->max[k])) {
      sc_fail(error, SCREE_E_ARGUMENT, "profile: the box is empty or infinite along %c: [%g, %g]", "xyz"[k],
          grid -> min[k], grid -> max[k]);
      return NULL;
    }
    if (grid->n[k] < 1) {
      sc_fail(error, SCREE_E_ARGUMENT, "profile: cells[%d] must be at least 1, not %lld", k + 1,
          (long long)grid->n[k]);
      return NULL;
    }
    cells *= (double)grid->n[k];
  }
  if (cells > 1e8) {
    sc_fail(error, SCREE_E_ARGUMENT, "profile: %.3g cells are more than 1e8", cells);
    return NULL;
  }
  scree_profile *p = sc_alloc(sizeof *p);
  if (p)
    *p = (scree_profile){.grid = *grid,
        .group = -1,
        .cells = (int64_t)cells,
        .sum = sc_alloc((size_t)cells * SUMS * sizeof(double))};
  if (p && p->sum) return p;
  scree_profile_destroy(p);
  sc_fail(error, SCREE_E_MEMORY, "no memory for a profile of %.3g cells", cells);
  return NULL;
}

void scree_profile_destroy(scree_profile *p) {
  if (p) sc_free(p->sum);
  sc_free(p);
}

int64_t scree_profile_frames(const scree_profile *p) {
  SC_DEMAND(p, NULL, 0);
  return p->frames;
}
const scree_grid *scree_profile_grid(const scree_profile *p) { return &p->grid; }

/* Returns the index along an axis of the cell that contains coordinate x; -1 outside the box. */
static int64_t cell_along(const scree_grid *g, int axis, double x) {
  double part = (x - g->min[axis]) / (g->max[axis] - g->min[axis]);
  if (!(part >= 0) || part > 1) return -1;
  int64_t index = (int64_t)(part * (double)g->n[axis]);
  return index == g->n[axis] ? index - 1 : index;
}

/* Returns the index of the cell that contains the point x; -1 outside the box. */
static int64_t profile_cell_of(const scree_grid *g, const double x[3]) {
  int64_t index[3];
  for (int k = 0; k < 3; k++)
    if ((index[k] = cell_along(g, k, x[k])) < 0) return -1;
  return index[0] + g->n[0] * (index[1] + g->n[1] * index[2]);
}

/* Points of a cubic lattice inside the unit ball, as indices 0 to POINTS - 1 along each axis. */
typedef struct lattice {
  int count;
  uint8_t place[POINTS * POINTS * POINTS][3];
} lattice;

/* Returns the coordinate of a lattice index along an axis, relative to the centre of the ball and divided by
 * its radius. */
static double offset_of(int place) { return (2.0 * place + 1) / POINTS - 1; }

static void ball_points(lattice *out) {
  out->count = 0;
  for (int i = 0; i < POINTS * POINTS * POINTS; i++) {
    int p[3] = {i % POINTS, i / POINTS % POINTS, i / (POINTS * POINTS)};
    double x[3] = {offset_of(p[0]), offset_of(p[1]), offset_of(p[2])};
    if (!(sc_dot(x, x) <= 1)) continue;
    for (int k = 0; k < 3; k++) out->place[out->count][k] = (uint8_t)p[k];
    out->count++;
  }
}

static void add_motion(scree_profile *p, const scree_frame *f, int64_t i) {
  const scree_shown shown = scree_frame_shown(f, i);
  int64_t cell = profile_cell_of(&p->grid, shown.position);
  if (cell < 0) return;
  double *sum = p->sum + SUMS * cell;
  sum[COUNT] += 1;
  if (f->velocity) {
    const double *v = shown.velocity;
    for (int k = 0; k < 3; k++) sum[VX + k] += v[k];
    sum[SPEED] += sc_norm(v);
    sum[SQUARE] += sc_dot(v, v);
  }
  if (f->spin)
    for (int k = 0; k < 3; k++) sum[WX + k] += f->spin[3 * i + k];
}

/* Adds `share` of the volume of a ball to the cell of each lattice point of the ball. Points are first
 * wrapped into the periodic cell. */
static void spread_points(scree_profile *p, const scree_cell *around, const double centre[3], double radius,
    double share, const lattice *points) {
  for (int n = 0; n < points->count; n++) {
    double x[3], at[3];
    int32_t image[3];
    for (int k = 0; k < 3; k++) x[k] = radius * offset_of(points->place[n][k]) + centre[k];
    scree_cell_wrap(around, x, at, image);
    const int64_t cell = profile_cell_of(&p->grid, at);
    if (cell >= 0) p->sum[SUMS * cell + VOLUME] += share;
  }
}

/* Distributes the volume of a ball over the grid cells that contain its lattice points. Along each axis, the
 * grid cell of each lattice index is computed once. */
static void spread_ball(scree_profile *p, const scree_frame *f, const double centre[3], double radius,
    double volume, const lattice *points) {
  const scree_grid *g = &p->grid;
  int64_t cell[3][POINTS], stride[3] = {1, g->n[0], g->n[0] * g->n[1]};
  bool whole = true;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < POINTS; i++) {
      cell[k][i] = cell_along(g, k, radius * offset_of(i) + centre[k]);
      whole = whole && cell[k][i] >= 0 && cell[k][i] == cell[k][0];
      if (cell[k][i] >= 0) cell[k][i] *= stride[k];
    }
  if (whole) {
    p->sum[SUMS * (cell[0][0] + cell[1][0] + cell[2][0]) + VOLUME] += volume;
    return;
  }
  if (f->has_cell) {
    spread_points(p, &f->cell, centre, radius, volume / points->count, points);
    return;
  }
  for (int n = 0; n < points->count; n++) {
    const uint8_t *place = points->place[n];
    int64_t x = cell[0][place[0]], y = cell[1][place[1]], z = cell[2][place[2]];
    if (x >= 0 && y >= 0 && z >= 0) p->sum[SUMS * (x + y + z) + VOLUME] += volume / points->count;
  }
}

/* Adds the volume of shape s of body i to the grid. */
static void add_volume(
    scree_profile *p, const scree_frame *f, int64_t i, const scree_shape_info *s, const lattice *points) {
  double volume = scree_shape_volume(s), centre[3];
  if (!isfinite(volume)) return;
  sc_quat_rotate(f->orientation ? f->orientation + 4 * i : (const double[]){1, 0, 0, 0}, s->position, centre);
  sc_add(centre, scree_frame_shown(f, i).position, centre);
  if (s->type == SCREE_SPHERE) {
    spread_ball(p, f, centre, s->radius, volume, points);
    return;
  }
  int64_t cell = profile_cell_of(&p->grid, centre);
  if (cell >= 0) p->sum[SUMS * cell + VOLUME] += volume;
}

scree_status scree_profile_add(scree_profile *p, const scree_frame *f, int64_t group, scree_error *error) {
  SC_DEMAND(p && f, error, SCREE_E_ARGUMENT);
  lattice points;
  ball_points(&points);
  if (!f->position) return sc_fail(error, SCREE_E_ARGUMENT, "profile: the frame has no positions");
  int64_t shape = 0;
  for (int64_t i = 0; i < f->bodies; i++) {
    bool grain = sc_measure_grain(f, i, NULL, group);
    if (grain) add_motion(p, f, i);
    while (shape < f->shapes && f->shape[shape].body < f->id[i]) shape++;
    for (; shape < f->shapes && f->shape[shape].body == f->id[i]; shape++)
      if (grain) add_volume(p, f, i, f->shape + shape, &points);
  }
  p->frames++;
  return SCREE_OK;
}

/* Computes the value of a field in one cell from its sums. Returns the number of columns of the field. */
static int value_of(const scree_profile *p, const double *sum, int field, double *out) {
  double count = sum[COUNT], frames = p->frames ? (double)p->frames : 1, mean[3], volume = 1;
  switch (field) {
  case SCREE_PROFILE_COUNT: out[0] = count / frames; return 1;
  case SCREE_PROFILE_VELOCITY:
    for (int k = 0; k < 3; k++) out[k] = count > 0 ? sum[VX + k] / count : NAN;
    return 3;
  case SCREE_PROFILE_SPIN:
    for (int k = 0; k < 3; k++) out[k] = count > 0 ? sum[WX + k] / count : NAN;
    return 3;
  case SCREE_PROFILE_SPEED: out[0] = count > 0 ? sum[SPEED] / count : NAN; return 1;
  case SCREE_PROFILE_SOLID:
    for (int k = 0; k < 3; k++) volume *= (p->grid.max[k] - p->grid.min[k]) / (double)p->grid.n[k];
    out[0] = sum[VOLUME] / (frames * volume);
    return 1;
  case SCREE_PROFILE_TEMPERATURE:
    sc_scale(1 / count, sum + VX, mean);
    out[0] = count > 0 ? fmax(0, sum[SQUARE] / count - sc_dot(mean, mean)) / 3 : NAN;
    return 1;
  default: return 0;
  }
}

int scree_profile_get(const scree_profile *p, int field, double *out) {
  SC_DEMAND(p && out, NULL, 0);
  int columns = 0;
  double value[3];
  for (int64_t cell = 0; cell < p->cells; cell++) {
    columns = value_of(p, p->sum + SUMS * cell, field, value);
    memcpy(out + columns * cell, value, (size_t)columns * sizeof(double));
  }
  return columns;
}

scree_status scree_profile_save(const scree_profile *p, void **bytes, size_t *count, scree_error *error) {
  SC_DEMAND(p && bytes && count, error, SCREE_E_ARGUMENT);
  size_t sums = (size_t)p->cells * SUMS * sizeof(double);
  char *block = sc_alloc(sizeof p->frames + sums);
  if (!block) return sc_fail(error, SCREE_E_MEMORY, "no memory to save a profile");
  memcpy(block, &p->frames, sizeof p->frames);
  memcpy(block + sizeof p->frames, p->sum, sums);
  *bytes = block, *count = sizeof p->frames + sums;
  return SCREE_OK;
}

scree_status scree_profile_load(scree_profile *p, const void *bytes, size_t count, scree_error *error) {
  SC_DEMAND(p, error, SCREE_E_ARGUMENT);
  size_t sums = (size_t)p->cells * SUMS * sizeof(double);
  if (count != sizeof p->frames + sums)
    return sc_fail(error, SCREE_E_FORMAT, "the saved profile has another grid");
  memcpy(&p->frames, bytes, sizeof p->frames);
  memcpy(p->sum, (const char *)bytes + sizeof p->frames, sums);
  return SCREE_OK;
}

/* ---- the kind ---- */

typedef scree_measure_def keys;
static const scree_param params[] = {
    SC_MEASURE_PART("region", SCREE_REQUIRED, "a box: {min = {x,y,z}, max = {x,y,z}}"),
    SC_MEASURE_PART("cells", SCREE_REQUIRED, "{nx, ny, nz}"),
    SC_MEASURE_GROUP,
};
static const scree_measure_field fields[] = {{"x", "x", SCREE_LIST}, {"y", "y", SCREE_LIST},
    {"z", "z", SCREE_LIST}, {"count", "count", SCREE_LIST}, {"solid", "solid", SCREE_LIST},
    {"velocity_x", "velocity_x", SCREE_LIST}, {"velocity_y", "velocity_y", SCREE_LIST},
    {"velocity_z", "velocity_z", SCREE_LIST}, {"spin_x", "spin_x", SCREE_LIST},
    {"spin_y", "spin_y", SCREE_LIST}, {"spin_z", "spin_z", SCREE_LIST},
    {"temperature", "temperature", SCREE_LIST}, {"speed", NULL, SCREE_LIST}};
/* For all lists after x, y and z: a profile field and the index of its first list in the result. */
static const struct {
  int field, first;
} sources[] = {{SCREE_PROFILE_COUNT, 3}, {SCREE_PROFILE_SOLID, 4}, {SCREE_PROFILE_VELOCITY, 5},
    {SCREE_PROFILE_SPIN, 8}, {SCREE_PROFILE_TEMPERATURE, 11}, {SCREE_PROFILE_SPEED, 12}};

static void *create_profile(const scree_measure_def *def, scree_error *error) {
  if (!def->region || def->region->type != SCREE_REGION_BOX || def->region->invert) {
    sc_fail(error, SCREE_E_ARGUMENT, "profile.region must be a box {min = {x,y,z}, max = {x,y,z}}");
    return NULL;
  }
  scree_grid grid;
  memcpy(grid.min, def->region->min, sizeof grid.min);
  memcpy(grid.max, def->region->max, sizeof grid.max);
  memcpy(grid.n, def->cells, sizeof grid.n);
  scree_profile *p = scree_profile_create(&grid, error);
  if (p) p->group = def->group;
  return p;
}
static void destroy_profile(void *memory) { scree_profile_destroy(memory); }
static scree_status add_profile(void *memory, const scree_frame *frame, scree_error *error) {
  return scree_profile_add(memory, frame, ((scree_profile *)memory)->group, error);
}

/* Sets middle[0..2][cell] to the coordinates of the middle of a cell. x varies fastest with the index. */
static void fill_middles(const scree_grid *g, int64_t cell, double *const middle[3]) {
  int64_t rest = cell;
  for (int k = 0; k < 3; k++, rest /= g->n[k - 1])
    middle[k][cell] = g->min[k] +
        (g->max[k] - g->min[k]) * ((double)(rest % g->n[k]) + 0.5) / (double)g->n[k];
}

static scree_status get_profile(void *memory, scree_measure_result *out, scree_error *error) {
  const scree_profile *p = memory;
  double *list[SC_MEASURE_COUNT(fields)], value[3];
  for (int i = 0; i < SC_MEASURE_COUNT(fields); i++)
    if (!(list[i] = sc_measure_list(out, i, p->cells))) return sc_measure_no_memory(error);
  for (int64_t cell = 0; cell < p->cells; cell++) {
    fill_middles(&p->grid, cell, list);
    for (int s = 0; s < SC_MEASURE_COUNT(sources); s++)
      for (int c = value_of(p, p->sum + SUMS * cell, sources[s].field, value) - 1; c >= 0; c--)
        list[sources[s].first + c][cell] = value[c];
  }
  return SCREE_OK;
}

static scree_status save_profile(const void *memory, void **bytes, size_t *count, scree_error *error) {
  return scree_profile_save(memory, bytes, count, error);
}
static scree_status load_profile(void *memory, const void *bytes, size_t count, scree_error *error) {
  return scree_profile_load(memory, bytes, count, error);
}

const scree_measure_kind sc_measure_profile = {.name = "profile",
    .doc = "fields averaged over cells of a box and over samples",
    SC_MEASURE_TABLES,
    .create = create_profile,
    .destroy = destroy_profile,
    .add = add_profile,
    .get = get_profile,
    .save = save_profile,
    .load = load_profile};
