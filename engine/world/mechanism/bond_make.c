/* Creates bonds between bodies. Before that, checks their material (scree_glue) and each pair of bodies. */
#include "world/bodies/rows.h"
#include "model/rest.h"
#include "world/fits.h"

#include <math.h>
#include "math/vec.h"

static scree_status check_glue(const scree_glue *glue, scree_error *error) {
  const struct {
    const char *name;
    double value;
  } above[] = {{"ratio", glue->ratio}, {"radius", glue->radius}, {"strength.tension", glue->tension},
      {"strength.compression", glue->compression}, {"strength.shear", glue->shear},
      {"strength.bending", glue->bending}, {"strength.twist", glue->twist},
      {"strength.edge_tension", glue->edge_tension}, {"strength.edge_shear", glue->edge_shear}};
  scree_status status = scree_param_check_all(
      scree_glue_params, scree_glue_params_count, glue, "bond", error);
  for (size_t i = 0; i < sizeof above / sizeof *above && status == SCREE_OK; i++)
    if (!(above[i].value > 0))
      status = sc_fail(error, SCREE_E_ARGUMENT, "bond.%s is %g, but must be above 0%s", above[i].name,
          above[i].value, i < 2 ? " and finite" : "");
  if (status != SCREE_OK) return status;
  const scree_bond_ways *k = &glue->stiffness;
  return glue->young > 0 || (k->normal > 0 && k->shear > 0 && k->bending > 0 && k->twist > 0)
      ? SCREE_OK
      : sc_fail(error, SCREE_E_ARGUMENT,
            "bond.young is missing: without it stiffness must give normal, shear, bending and twist");
}

static scree_status check_bond_pair(
    const scree_world *world, const scree_id id[2], int32_t row[2], scree_error *error) {
  const sc_bodies *bodies = &world->bodies;
  double d[3];
  if (id[0] == id[1]) return sc_fail(error, SCREE_E_ARGUMENT, "bond: a body cannot be bonded to itself");
  for (int side = 0; side < 2; side++) {
    row[side] = sc_world_row(world, id[side], error);
    if (row[side] < 0) return SCREE_E_STALE;
    if (!isfinite(bodies->radius[row[side]]))
      return sc_fail(error, SCREE_E_ARGUMENT, "bond: a half-space has no centre to bond to");
    if (sc_bodies_runs(bodies, row[side]))
      return sc_fail(error, SCREE_E_ARGUMENT, "bond: a body with a surface_velocity cannot be bonded");
    if (bodies->kind[row[side]] == SCREE_DYNAMIC && bodies->tensor_row[row[side]] != SC_TENSOR_BALL)
      return sc_fail(error, SCREE_E_ARGUMENT,
          "bond: body %llu is no ball; exact = true bonds bodies of any shape, by fixed joints",
          (unsigned long long)id[side]);
  }
  if (!(bodies->inv_mass[row[0]] > 0 || bodies->inv_mass[row[1]] > 0))
    return sc_fail(error, SCREE_E_ARGUMENT, "bond: one of the two bodies must be dynamic");
  sc_sub(bodies->position[row[1]], bodies->position[row[0]], d);
  return sc_norm(d) > 0 ? SCREE_OK
                        : sc_fail(error, SCREE_E_ARGUMENT, "bond: two of the bodies have the same place");
}

scree_status scree_world_add_bonds(scree_world *world, const scree_glue *glue, const scree_id (*pair)[2],
    int64_t count, scree_joint *first, scree_error *error) {
  SC_DEMAND(world && glue && (pair || !count) && first, error, SCREE_E_ARGUMENT);
  scree_status status = check_glue(glue, error);
  if (status == SCREE_OK) status = sc_world_check_bonds_fit(world, error);
  if (status == SCREE_OK && (count < 0 || count > INT32_MAX / 2 - world->joints.bonds.count))
    status = sc_fail(error, SCREE_E_ARGUMENT, "bond: %lld bonds are too many", (long long)count);
  if (status != SCREE_OK) return status;
  int32_t(*row)[2] = sc_alloc((size_t)(count + 1) * sizeof *row);
  if (!row) return sc_fail(error, SCREE_E_MEMORY, "no memory for %lld bonds", (long long)count);
  for (int64_t i = 0; i < count && status == SCREE_OK; i++)
    status = check_bond_pair(world, pair[i], row[i], error);
  *first = world->joints.serial + 1;
  if (status == SCREE_OK && !sc_bodies_hold_left(&world->bodies))
    status = sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", world->bodies.count);
  if (status == SCREE_OK &&
      !sc_joints_bond(&world->joints, &world->bodies, glue, (const int32_t(*)[2])row, (int32_t)count))
    status = sc_fail(error, SCREE_E_MEMORY, "no memory for %lld bonds", (long long)count);
  sc_free(row);
  for (int64_t i = 0; i < count && status == SCREE_OK; i++)
    sc_bodies_wake_with(&world->bodies, pair[i][0]), sc_bodies_wake_with(&world->bodies, pair[i][1]);
  if (status == SCREE_OK) world->version++, world->problem_valid = 0;
  return status;
}
