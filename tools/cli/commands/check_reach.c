/* Estimates before a run how far bodies may move in a step. The step counts as too long if this displacement
 * exceeds the limit by which a finished run is judged (cli_far in verdict.h).
 *
 * A body of speed v that falls a height h reaches sqrt(v^2 + 2 g h). The height is measured from the
 * half-space below the body, or from the lowest point of the scene if there is no half-space. A driven body
 * moves others at the speed of its surface: |velocity| + |spin| R with its bounding radius R. */
#include "commands/check_reach.h"

#include <stdlib.h>

#include "scree/geometry.h"
#include "vector.h"
#include "verdict.h"

typedef struct rows {
  int64_t count;
  const int64_t *kind, *id;
  const double *radius;
  const double (*position)[3], (*velocity)[3], (*spin)[3];
} rows;

/* A half-space that bodies can fall on. */
typedef struct ground {
  double point[3], normal[3];
} ground;

static bool view_rows(scree_world *world, rows *r) {
  void *column[6];
  const scree_view views[6] = {SCREE_VIEW_KIND, SCREE_VIEW_ID, SCREE_VIEW_RADIUS, SCREE_VIEW_POSITION,
      SCREE_VIEW_VELOCITY, SCREE_VIEW_SPIN};
  for (int k = 0; k < 6; k++)
    if (!scree_world_view(world, views[k], &column[k], &r->count)) return false;
  r->kind = column[0], r->id = column[1], r->radius = column[2];
  r->position = column[3], r->velocity = column[4], r->spin = column[5];
  return true;
}

/* ---- falls ---- */

/* Lists the half-spaces whose normals point against gravity. Returns their number, -1 if out of memory. */
static int64_t list_grounds(const scree_world *world, const double down[3], ground **out) {
  int64_t count = 0;
  const int64_t shapes = scree_world_shapes_count(world);
  *out = calloc((size_t)shapes + 1, sizeof **out);
  if (!*out) return -1;
  for (int64_t i = 0; i < shapes; i++) {
    scree_shape_info info;
    scree_body_state state;
    double turned[3], at[3];
    const double z[3] = {0, 0, 1};
    scree_world_shape(world, i, &info);
    if (info.type != SCREE_HALFSPACE || scree_world_get(world, info.body, &state, NULL)) continue;
    ground *g = *out + count;
    rotate_vector(info.orientation, z, turned);
    rotate_vector(state.orientation, turned, g->normal);
    rotate_vector(state.orientation, info.position, at);
    for (int k = 0; k < 3; k++) g->point[k] = state.position[k] + at[k];
    count += dot_vectors(g->normal, down) < -1e-6;
  }
  return count;
}

/* Returns the height of a body above the grounds [m]; INFINITY: no ground is below the body. */
static double find_drop(
    const double x[3], double radius, const double down[3], const ground *g, int64_t grounds) {
  double least = INFINITY;
  for (int64_t i = 0; i < grounds; i++) {
    const double arm[3] = {x[0] - g[i].point[0], x[1] - g[i].point[1], x[2] - g[i].point[2]};
    const double gap = dot_vectors(arm, g[i].normal) - radius;
    least = fmin(least, fmax(gap, 0) / -dot_vectors(g[i].normal, down));
  }
  return least;
}

/* Returns the lowest point of a shape as a coordinate along `down` [m]. Uses the box of the shape, or a box
 * around its radius and length. */
static double find_bottom(const scree_shape_info *info, const scree_body_state *state, const double down[3]) {
  double middle[3] = {0, 0, 0}, half[3], local[3], at[3], bottom;
  for (int k = 0; k < 3; k++)
    half[k] = info->size[k] > 0 ? info->size[k] / 2 : info->radius + (k == 2 ? info->length / 2 : 0);
  if (info->geometry) {
    scree_geometry_info g;
    scree_geometry_get_info(info->geometry, &g);
    for (int k = 0; k < 3; k++) middle[k] = (g.min[k] + g.max[k]) / 2, half[k] = (g.max[k] - g.min[k]) / 2;
  }
  rotate_vector(info->orientation, middle, local);
  for (int k = 0; k < 3; k++) local[k] += info->position[k];
  rotate_vector(state->orientation, local, at);
  bottom = dot_vectors(state->position, down) + dot_vectors(at, down);
  for (int k = 0; k < 3; k++) {
    double axis[3] = {k == 0, k == 1, k == 2}, turned[3];
    rotate_vector(info->orientation, axis, turned);
    rotate_vector(state->orientation, turned, axis);
    bottom += fabs(dot_vectors(axis, down)) * half[k];
  }
  return bottom;
}

/* Returns the coordinate along `down` of the lowest point of all shapes except half-spaces [m]. */
static double find_lowest(const scree_world *world, const double down[3]) {
  double lowest = -INFINITY;
  for (int64_t i = 0; i < scree_world_shapes_count(world); i++) {
    scree_shape_info info;
    scree_body_state state;
    scree_world_shape(world, i, &info);
    if (info.type == SCREE_HALFSPACE || scree_world_get(world, info.body, &state, NULL)) continue;
    lowest = fmax(lowest, find_bottom(&info, &state, down));
  }
  return lowest;
}

/* Returns the largest height that a body can fall [m], or -1 if out of memory. */
static double find_fall(const scree_world *world, const rows *r, const double down[3]) {
  ground *grounds;
  const int64_t count = list_grounds(world, down, &grounds);
  const double lowest = find_lowest(world, down);
  double most = 0;
  for (int64_t i = 0; count >= 0 && i < r->count; i++) {
    if (r->kind[i] != SCREE_DYNAMIC) continue;
    const double drop = find_drop(r->position[i], r->radius[i], down, grounds, count),
                 open = lowest - dot_vectors(r->position[i], down) - r->radius[i];
    most = fmax(most, isfinite(drop) ? drop : open);
  }
  free(grounds);
  return count < 0 ? -1 : most;
}

/* ---- driven bodies ---- */

static double find_surface_speed(double speed, double spin, double radius) {
  return speed + (spin > 0 && isfinite(radius) ? spin * radius : 0);
}

static void note_driven(const scree_world *world, scree_id body, double speed, check_reach *reach) {
  char label[RUN_LABEL];
  if (!(speed > reach->speed)) return;
  run_label_body(world, body, label);
  reach->speed = speed;
  snprintf(reach->why, sizeof reach->why, "the largest speed of the surface of %s", label);
}

static bool find_driven(sl_scene *scene, double end, const rows *r, check_reach *reach) {
  const scree_world *world = scene->world->world;
  const int motions = scene->world->motions;
  sl_motion_speed *speeds = calloc((size_t)motions + 1, sizeof *speeds);
  if (!speeds) return false;
  const int count = sl_scene_find_speeds(scene, end, speeds, motions);
  for (int64_t i = 0; i < r->count; i++) {
    if (r->kind[i] == SCREE_KINEMATIC)
      note_driven(world, (scree_id)r->id[i],
          find_surface_speed(vector_length(r->velocity[i]), vector_length(r->spin[i]), r->radius[i]), reach);
    for (int k = 0; k < count && k < motions; k++)
      if (speeds[k].id == (scree_id)r->id[i])
        note_driven(
            world, speeds[k].id, find_surface_speed(speeds[k].speed, speeds[k].spin, r->radius[i]), reach);
  }
  free(speeds);
  return true;
}

bool check_find_reach(sl_scene *scene, double end, check_reach *reach) {
  scree_world *world = scene->world->world;
  const scree_world_def *def = scree_world_get_def(world);
  const double gravity = vector_length(def->gravity);
  double speed = 0;
  rows r;
  *reach = (check_reach){.radius = INFINITY, .dt = INFINITY};
  if (!view_rows(world, &r)) return false;
  for (int64_t i = 0; i < r.count; i++) {
    if (r.kind[i] != SCREE_DYNAMIC) continue;
    reach->radius = fmin(reach->radius, r.radius[i]);
    speed = fmax(speed, vector_length(r.velocity[i]));
  }
  if (!isfinite(reach->radius)) return true;
  double down[3] = {0, 0, 0};
  for (int k = 0; k < 3 && gravity > 0; k++) down[k] = def->gravity[k] / gravity;
  if (gravity > 0 && (reach->fall = find_fall(world, &r, down)) < 0) return false;
  reach->speed = sqrt(speed * speed + 2 * gravity * reach->fall);
  if (speed > 0 && reach->fall > 0)
    snprintf(reach->why, sizeof reach->why, "the fastest body after a fall of %.3g m", reach->fall);
  else if (speed > 0) snprintf(reach->why, sizeof reach->why, "the fastest body");
  else snprintf(reach->why, sizeof reach->why, "a fall of %.3g m", reach->fall);
  const double until = isfinite(end) ? end : scree_world_time(world) + 10000 * def->dt;
  if (!find_driven(scene, until, &r, reach)) return false;
  reach->share = reach->speed * def->dt / reach->radius;
  if (reach->speed > 0) reach->dt = cli_far * reach->radius / reach->speed;
  return true;
}

bool check_is_far(const check_reach *reach) { return reach->share > cli_far; }

/* Rounds a number down to two digits. */
static double round_down(double value) {
  const double unit = pow(10, floor(log10(value)) - 1);
  return floor(value / unit * (1 + 1e-12)) * unit;
}

void check_print_reach(const check_reach *r) {
  if (!check_is_far(r)) return;
  printf("  advice            bodies may reach %.3g m/s (%s) and move %.2g times the smallest radius in a "
         "step (at most %g); take dt <= %.2g s\n",
      r->speed, r->why, r->share, cli_far, round_down(r->dt));
}
