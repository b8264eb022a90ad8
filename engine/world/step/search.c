/* Stages that update the neighbour list and the contacts for the present positions. Every stepper has
 * them. */
#include "world/world.h"
#include "world/account/losses.h"
#include "world/cell/cell.h"
#include "world/mechanism/ties.h"
#include "world/step/faces.h"
#include "world/step/sleep.h"
#include "world/step/step.h"
#include "world/step/track.h"
#include "world/steps.h"

/* Sorts the rows of bodies and shapes in Morton order. Sets *map to the former row of each shape, which the
 * contact cache needs. */
static scree_status put_in_order(scree_world *world, int32_t **map, scree_error *error) {
  sc_bodies *bodies = &world->bodies;
  sc_arena *arena = &world->arena;
  size_t rows = (size_t)bodies->count, shapes = (size_t)world->shapes.count;
  *map = SC_TAKE(arena, int32_t, shapes);
  sc_arena_mark mark = sc_arena_here(arena);
  int32_t *order = SC_TAKE(arena, int32_t, rows);
  if (!order || !*map) return sc_fail(error, SCREE_E_MEMORY, "no memory to order %d bodies", bodies->count);
  scree_status status = sc_collide_order(world->collide, bodies, order, error);
  if (status != SCREE_OK) return status;
  size_t of_bodies = sc_bodies_scratch(bodies), of_shapes = sc_shapes_scratch(&world->shapes);
  void *scratch = sc_arena_take(arena, of_bodies > of_shapes ? of_bodies : of_shapes);
  if (!scratch) return sc_fail(error, SCREE_E_MEMORY, "no memory to order %d bodies", bodies->count);
  if ((status = sc_world_permute_tracks(world, order, error)) != SCREE_OK) return status;
  sc_bodies_permute(bodies, order, scratch);
  sc_shapes_permute(&world->shapes, bodies, *map, scratch);
  sc_arena_back(arena, mark);
  return SCREE_OK;
}

/* Starts to send ghosts to other ranks, and whether the neighbour list of this rank is stale. */
static scree_status exchange_ghosts(sc_step *step, scree_error *error) {
  scree_world *world = step->world;
  step->stale = !step->follows &&
      sc_collide_stale(world->collide, &world->bodies, &world->shapes, step->ahead);
  return world->ranks->begin(world->ranks->context, world, step->stale, error);
}

static scree_status update_list(sc_step *step, scree_error *error) {
  scree_world *world = step->world;
  sc_collide *collide = world->collide;
  int32_t *map = NULL;
  scree_status status = world->ranks->align(world->ranks->context, world, step->ahead, &step->stale, error);
  if (status != SCREE_OK || !step->stale) return status;
  sc_world_remap_cell(world);
  sc_arena_mark mark = sc_arena_here(&world->arena);
  if (sc_collide_disordered(collide, &world->shapes)) status = put_in_order(world, &map, error);
  if (status == SCREE_OK)
    status = sc_collide_build(collide, &world->bodies, &world->shapes, map, step->ahead, error);
  sc_arena_back(&world->arena, mark);
  return status;
}

static scree_status search_contacts(sc_step *step, scree_error *error) {
  scree_world *world = step->world;
  world->contacts.removals = 0;
  world->contacts.found = true;
  scree_status status = sc_world_part_tied(world, error);
  if (status != SCREE_OK) return status;
  sc_collide_share(world->collide, sc_face_room(&world->contacts), world->contacts.faces);
  sc_collide_turn(world->collide, sc_world_has_springs(world));
  return sc_collide_contacts(world->collide, &world->bodies, &world->shapes, world->contacts.stride,
      sc_pull_room(&world->contacts), step->ahead, &world->contacts.count, &world->contacts.state, error);
}

/* Detects contacts, or moves the contacts of an earlier substep with their bodies. */
static scree_status update_contacts(sc_step *step, scree_error *error) {
  scree_world *world = step->world;
  world->contacts.impacts = 0, world->problem_valid = 0;
  scree_status status = step->follows
      ? sc_collide_follow(world->collide, &world->bodies, &world->shapes, step->dt, error)
      : search_contacts(step, error);
  if (status == SCREE_OK) sc_losses_begin(&world->contacts);
  return status == SCREE_OK ? sc_faces_begin(world, error) : status;
}

static scree_status wake_touched(sc_step *step, scree_error *error) {
  return sc_sleep_meet(step->world, error);
}

const sc_stage sc_contact_stages[] = {
    {"exchange ghosts", SCREE_STAGE_BROAD, exchange_ghosts},
    {"update neighbour list", SCREE_STAGE_BROAD, update_list},
    {"update contacts", SCREE_STAGE_NARROW, update_contacts},
    {"wake touched islands", SC_NO_CLOCK, wake_touched},
    {NULL},
};

scree_status sc_step_find_contacts(sc_step *step, scree_error *error) {
  scree_world *world = step->world;
  const bool reuse = world->def.reuse_contacts;
  step->follows = reuse && world->contacts.found;
  step->ahead = reuse && !step->follows ? world->def.dt : step->dt;
  const scree_status status = sc_run_stages(step, sc_contact_stages, error);
  if (status != SCREE_OK) world->contacts.count = sc_collide_memory(world->collide, NULL, 0, NULL);
  return status;
}

scree_status sc_world_contacts(scree_world *world, double dt, scree_error *error) {
  sc_step step = {.world = world, .dt = dt};
  return sc_step_find_contacts(&step, error);
}
