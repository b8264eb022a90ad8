/* Creates and destroys a world; sets its time step and gravity. */
#include "world/query/rays.h"
#include "model/rest.h"
#include "world/bodies/domain.h"
#include "world/cell/cell.h"
#include "world/account/totals.h"
#include "world/fits.h"
#include "math/vec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *name_of_solver(const void *context, int i) {
  (void)context;
  const sc_solver *solver = sc_solver_at(i);
  return solver ? solver->name : NULL;
}

static const sc_solver *find_named_solver(const char *name, scree_error *error) {
  const sc_solver *solver = sc_solver_find(name);
  if (solver) return solver;
  int count = 0;
  while (sc_solver_at(count)) count++;
  const char *near = scree_nearest_name(name, count, name_of_solver, NULL);
  if (near) {
    sc_fail(error, SCREE_E_ARGUMENT, "world.solver.name: unknown solver \"%s\"; did you mean \"%s\"?", name,
        near);
    return NULL;
  }
  char list[256] = "";
  for (int i = 0; i < count; i++) /* the name "ipm" is not listed, because it is the former name of newton */
    if (strcmp(sc_solver_at(i)->name, "ipm") != 0)
      snprintf(
          list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "", sc_solver_at(i)->name);
  sc_fail(error, SCREE_E_ARGUMENT, "world.solver.name: unknown solver \"%s\"; solvers are %s", name, list);
  return NULL;
}

/* Adds the registered laws, the material "default", and its pair: law coulomb with mu = 0.5. */
static scree_status add_defaults(scree_world *world, scree_error *error) {
  while (sc_law_at(world->laws.count)) {
    if (!SC_GROW(world->laws.law, world->laws.capacity, (size_t)world->laws.count + 1))
      return sc_fail(error, SCREE_E_MEMORY, "no memory for a world");
    world->laws.law[world->laws.count] = sc_law_at(world->laws.count);
    world->laws.count++;
  }
  if (sc_pairs_add_material(&world->pairs, "default", 1000) < 0 || !sc_pairs_rule(&world->pairs, 0, 0, true))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for a world");
  scree_pair_def pair = {0, 0, "coulomb", {0.5}};
  int count = 0;
  const scree_param *params = scree_world_law_params(world, "coulomb", &count);
  scree_param_defaults(params, count, pair.params);
  pair.params[0] = 0.5;
  return scree_world_set_pair(world, &pair, error);
}

static scree_status check_sleep(const scree_world_def *def, scree_error *error) {
  if (def->sleep > 0 && !(def->solver.tolerance > 0))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "world.sleep: solver.tolerance = 0 asks for all sweeps of every step; leave one of them out");
  return SCREE_OK;
}

scree_world *scree_world_create(const scree_world_def *def, scree_error *error) {
  SC_DEMAND(def, error, NULL);
  if (scree_param_check_all(scree_world_params, scree_world_params_count, def, "world", error) != SCREE_OK)
    return NULL;
  if (scree_param_check_all(
          scree_solver_params, scree_solver_params_count, &def->solver, "world.solver", error) != SCREE_OK)
    return NULL;
  const sc_solver *solver = find_named_solver(def->solver.name ? def->solver.name : "auto", error);
  if (!solver || sc_world_check_options(def, error) != SCREE_OK || check_sleep(def, error) != SCREE_OK ||
      sc_world_check_domain(&def->domain, error) != SCREE_OK)
    return NULL;
  scree_world *world = sc_alloc(sizeof *world);
  if (!world) {
    sc_fail(error, SCREE_E_MEMORY, "no memory for a world");
    return NULL;
  }
  world->def = *def;
  world->ranks = &sc_ranks_none;
  world->solver = solver;
  world->def.solver.name = solver->name;
  world->version = 1;
  world->contacts.losses = def->losses ? SC_LOSSES : 0;
  world->contacts.curve = def->stepper == SCREE_STEPPER_SECOND_ORDER ? SC_CURVE : 0;
  world->contacts.stride = world->contacts.losses + world->contacts.curve;
  world->bodies.planar = sc_normalise(def->plane, world->bodies.plane) > 0;
  world->figures.stable_dt = INFINITY;
  world->watch.running = SC_NO_CLOCK;
  sc_collide_def collide = {.margin = def->margin,
      .follows = def->reuse_contacts,
      .springs = def->stepper == SCREE_STEPPER_PENALTY,
      .skin = def->skin,
      .threads = (int)def->threads,
      .pairs = &world->pairs,
      .gravity = world->def.gravity,
      .scratch = &world->arena};
  world->collide = sc_collide_create(&collide);
  const bool summed = sc_totals_create(world);
  if (def->threads > 1) world->pool = sc_pool_create((int)def->threads);
  bool made = world->collide && summed &&
      (def->threads == 1 || (world->pool && sc_collide_set_pool(world->collide, world->pool) == SCREE_OK));
  if (!made) sc_fail(error, SCREE_E_MEMORY, "no memory or threads for a world");
  if (!made || add_defaults(world, error) != SCREE_OK || sc_world_make_cell(world, error) != SCREE_OK) {
    scree_world_destroy(world);
    return NULL;
  }
  return world;
}

void scree_world_destroy(scree_world *world) {
  if (!world) return;
  world->ranks->destroy(world->ranks->context);
  if (world->collide) sc_collide_destroy(world->collide);
  for (int32_t i = 0; i < world->laws.users; i++) {
    sc_free(world->laws.user[i]->params);
    sc_free(world->laws.user[i]);
  }
  sc_free(world->dump.directory);
  sc_free(world->query.recorded_table);
  sc_free(world->laws.user);
  sc_free(world->laws.law);
  sc_names_free(&world->names);
  sc_free(world->tracks.position);
  sc_free(world->tracks.slot);
  sc_free(world->tracks.orientation);
  sc_free(world->tracks.fast);
  sc_free(world->contacts.impact);
  sc_free(world->contacts.known);
  sc_totals_free(world->totals);
  sc_free(world->plan.entry);
  sc_free(world->query.gathered);
  sc_rays_free(world->query.rays);
  for (int i = 0; i < 3; i++) sc_free(world->query.made_view[i]);
  sc_pairs_free(&world->pairs);
  sc_joints_free(&world->joints);
  sc_shapes_free(&world->shapes);
  sc_bodies_free(&world->bodies);
  sc_free(world->mechanisms.rolling);
  sc_arena_free(&world->arena);
  sc_pool_destroy(world->pool);
  sc_free(world);
}

const scree_world_def *scree_world_get_def(const scree_world *world) { return &world->def; }
double scree_world_time(const scree_world *world) {
  SC_DEMAND(world, NULL, 0);
  return world->time;
}
int64_t scree_world_steps(const scree_world *world) {
  SC_DEMAND(world, NULL, 0);
  return world->step;
}
uint64_t scree_world_version(const scree_world *world) {
  SC_DEMAND(world, NULL, 0);
  return world->version;
}

scree_status scree_world_set_dt(scree_world *world, double dt, scree_error *error) {
  SC_DEMAND(world, error, SCREE_E_ARGUMENT);
  if (!(dt > 0) || isinf(dt))
    return sc_fail(error, SCREE_E_ARGUMENT, "dt must be finite and greater than 0, not %g", dt);
  world->def.dt = dt;
  sc_bodies_wake_all(&world->bodies);
  return SCREE_OK;
}

scree_status scree_world_set_gravity(scree_world *world, const double gravity[3], scree_error *error) {
  SC_DEMAND(world && gravity, error, SCREE_E_ARGUMENT);
  for (int k = 0; k < 3; k++)
    if (!isfinite(gravity[k])) return sc_fail(error, SCREE_E_ARGUMENT, "gravity[%d] is not finite", k + 1);
  memcpy(world->def.gravity, gravity, sizeof world->def.gravity);
  sc_bodies_wake_all(&world->bodies);
  return SCREE_OK;
}
