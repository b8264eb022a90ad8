/* The periodic cell of a world: its creation, its motion, images of bodies, and the stress in the cell. */
#include "world/steps.h"
#include "model/rest.h"
#include "world/bodies/rows.h"
#include "world/account/account.h"
#include "world/cell/cell.h"
#include "world/account/totals.h"
#include "world/fits.h"
#include "math/vec.h"
#include "model/relative.h"
#include "problem/assembly/assembly.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define CELL(member) offsetof(scree_cell_def, member)
const scree_param scree_cell_params[] = {
    {"size", SCREE_VEC3, SCREE_REQUIRED | SCREE_POSITIVE, "m", 0, 0, 0, CELL(size), NULL,
        "lengths of the edges along x, y and z"},
    {"periodic", SCREE_OPAQUE, SCREE_REQUIRED, "", 0, 0, 0, 0, NULL,
        "{true|false, true|false, true|false}: true for each edge along which space is periodic"},
    {"origin", SCREE_VEC3, 0, "m", 0, 0, 0, CELL(origin), NULL, "corner at which the edges start"},
};
const int scree_cell_params_count = sizeof scree_cell_params / sizeof *scree_cell_params;

scree_status sc_world_make_cell(scree_world *world, scree_error *error) {
  const scree_cell_def *def = &world->def.cell;
  sc_cell *cell = &world->cell;
  const bool is_periodic = def->periodic[0] || def->periodic[1] || def->periodic[2];
  double H[9] = {0};
  for (int k = 0; k < 3; k++) {
    if (!(def->size[k] > 0 || (!is_periodic && def->size[k] == 0)) || isinf(def->size[k]))
      return sc_fail(error, SCREE_E_ARGUMENT, "world.cell.size[%d] must be finite and greater than 0, not %g",
          k + 1, def->size[k]);
    if (!isfinite(def->origin[k]))
      return sc_fail(error, SCREE_E_ARGUMENT, "world.cell.origin[%d] is not finite", k + 1);
    H[4 * k] = def->size[k];
    cell->periodic[k] = def->periodic[k] != 0;
  }
  if (!is_periodic) return SCREE_OK;
  sc_copy3(def->origin, cell->origin);
  if (!sc_cell_set(cell, H))
    return sc_fail(error, SCREE_E_ARGUMENT, "world.cell.size: the edges are too unlike, %g, %g and %g m",
        def->size[0], def->size[1], def->size[2]);
  world->bodies.cell = cell;
  return SCREE_OK;
}

/* Returns true if the new matrix leaves the edges that are not periodic unchanged. */
static bool keeps_edges(const sc_cell *cell, const double matrix[9]) {
  for (int k = 0; k < 9; k++)
    if (!cell->periodic[k % 3] && matrix[k] != cell->matrix[k]) return false;
  return true;
}

scree_status scree_world_cell_set_matrix(scree_world *world, const double matrix[9], scree_error *error) {
  SC_DEMAND(world, error, SCREE_E_ARGUMENT);
  if (!world->bodies.cell) return sc_fail(error, SCREE_E_ARGUMENT, "the world has no cell (world.cell)");
  for (int k = 0; k < 9; k++)
    if (!isfinite(matrix[k]))
      return sc_fail(error, SCREE_E_ARGUMENT, "matrix of the cell: row %d, column %d is not finite",
          k / 3 + 1, k % 3 + 1);
  if (!keeps_edges(&world->cell, matrix))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "matrix of the cell: columns of edges that are not periodic must stay as they are");
  if (!sc_cell_set(&world->cell, matrix))
    return sc_fail(error, SCREE_E_ARGUMENT, "matrix of the cell: its edges span no volume");
  sc_collide_dirty(world->collide);
  world->version++;
  return SCREE_OK;
}

/* ---- motion of the cell ---- */

/* Returns true if a body can move and this rank owns it. A sum of such bodies over ranks counts each body
 * once. */
static bool is_counted_body(const sc_bodies *bodies, int32_t row) {
  return bodies->inv_mass[row] > 0 && sc_bodies_own(bodies, row);
}

/* Adds the change of the velocity gradient L to the velocities of dynamic bodies. A body at x gets the
 * velocity change dL (x - c); c is the common centre of mass. The change of kinetic energy counts as work of
 * the cell. */
static void add_gradient_change(scree_world *world, const double gradient[9]) {
  sc_bodies *bodies = &world->bodies;
  double mean[4] = {0, 0, 0, 0}, change[9], d[3], v[3]; /* [0..2] centre of mass; [3] mass */
  for (int k = 0; k < 9; k++) change[k] = gradient[k] - world->cell.gradient[k];
  for (int32_t row = 0; row < bodies->count; row++) {
    if (!is_counted_body(bodies, row)) continue;
    sc_axpy(bodies->mass[row], bodies->position[row], mean, mean);
    mean[3] += bodies->mass[row];
  }
  sc_ranks_sum(world->ranks, mean, 4);
  if (mean[3] > 0) sc_scale(1 / mean[3], mean, mean);
  world->energy.work -= sc_account_kinetic(&world->bodies);
  for (int32_t row = 0; row < bodies->count; row++) {
    if (!(bodies->inv_mass[row] > 0)) continue;
    sc_sub(bodies->position[row], mean, d);
    sc_mat_vec(change, d, v);
    sc_add(bodies->velocity[row], v, bodies->velocity[row]);
  }
  sc_world_flatten(bodies);
  world->energy.work += sc_account_kinetic(&world->bodies);
}

static scree_status check_gradient(const scree_world *world, const double L[9], scree_error *error) {
  if (!world->bodies.cell) return sc_fail(error, SCREE_E_ARGUMENT, "the world has no cell (world.cell)");
  for (int k = 0; k < 9; k++)
    if (!isfinite(L[k]))
      return sc_fail(error, SCREE_E_ARGUMENT, "velocity gradient: row %d, column %d is not finite", k / 3 + 1,
          k % 3 + 1);
  for (int k = 0; k < 3; k++) {
    const double *H = world->cell.matrix, edge[3] = {H[k], H[3 + k], H[6 + k]};
    double rate[3];
    sc_mat_vec(L, edge, rate);
    if (!world->cell.periodic[k] && sc_norm(rate) > 0)
      return sc_fail(error, SCREE_E_ARGUMENT,
          "velocity gradient: the %s edge of the cell is not periodic and cannot move; column %d must be 0",
          k == 0       ? "first"
              : k == 1 ? "second"
                       : "third",
          k + 1);
  }
  scree_status status = sc_world_check_flow_fits(world, error);
  if (status != SCREE_OK) return status;
  for (int32_t j = 0; j < world->joints.count; j++)
    if (!sc_image_is_body(&world->joints.row[j].image))
      return sc_fail(error, SCREE_E_ARGUMENT,
          "velocity gradient: a joint to an image (its key image) cannot follow a cell that is deformed");
  return SCREE_OK;
}

static void flow_on(scree_world *world, const double gradient[9], bool affine) {
  if (affine) add_gradient_change(world, gradient);
  sc_cell_set_gradient(&world->cell, gradient);
  sc_collide_dirty(world->collide);
  sc_bodies_wake_all(&world->bodies);
  world->version++;
}

scree_status scree_world_cell_set_gradient(
    scree_world *world, const double gradient[9], int affine, scree_error *error) {
  SC_DEMAND(world, error, SCREE_E_ARGUMENT);
  scree_status status = check_gradient(world, gradient, error);
  if (status != SCREE_OK) return status;
  double given[9];
  for (int k = 0; k < 9; k++) {
    if (world->cell.driven[k] && gradient[k] != 0)
      return sc_fail(error, SCREE_E_ARGUMENT,
          "velocity gradient: row %d, column %d follows from the stress until set_stress leaves it; it must "
          "be 0 here",
          k / 3 + 1, k % 3 + 1);
    given[k] = world->cell.driven[k] ? world->cell.gradient[k] : gradient[k];
  }
  flow_on(world, given, affine);
  return SCREE_OK;
}

/* Returns true if component L_ij of the velocity gradient (component = 3 i + j) may be driven. No edge that
 * is not periodic may then have a component along j. */
static bool free_component(const sc_cell *cell, int component) {
  for (int k = 0; k < 3; k++)
    if (!cell->periodic[k] && cell->matrix[3 * (component % 3) + k] != 0) return false;
  return true;
}

scree_status scree_world_cell_set_stress(
    scree_world *world, const double stress[9], const int driven[9], double inertia, scree_error *error) {
  SC_DEMAND(world, error, SCREE_E_ARGUMENT);
  scree_status status = check_gradient(world, world->cell.gradient, error);
  if (status != SCREE_OK) return status;
  sc_cell *cell = &world->cell;
  if (!(inertia > 0) || isinf(inertia))
    return sc_fail(
        error, SCREE_E_ARGUMENT, "set_stress: inertia must be finite and greater than 0, not %g", inertia);
  if (strcmp(world->solver->name, "auto") && strcmp(world->solver->name, "nbgs"))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "the solver \"%s\" takes no cell that stress drives; auto and nbgs do", world->solver->name);
  for (int k = 0; k < 9; k++) {
    if (driven[k] && !isfinite(stress[k]))
      return sc_fail(
          error, SCREE_E_ARGUMENT, "set_stress: row %d, column %d is not finite", k / 3 + 1, k % 3 + 1);
    if (driven[k] && !free_component(cell, k))
      return sc_fail(error, SCREE_E_ARGUMENT,
          "set_stress: row %d, column %d would move an edge of the cell that is not periodic", k / 3 + 1,
          k % 3 + 1);
  }
  cell->is_driven = false;
  double gradient[9];
  for (int k = 0; k < 9; k++) {
    gradient[k] = cell->driven[k] && !driven[k] ? 0 : cell->gradient[k];
    cell->driven[k] = driven[k] != 0, cell->is_driven |= cell->driven[k];
    cell->stress[k] = driven[k] ? stress[k] : 0;
  }
  cell->inertia = inertia;
  flow_on(world, gradient, true);
  return SCREE_OK;
}

void sc_world_remap_cell(scree_world *world) {
  int32_t M[9];
  if (!world->cell.moves || !sc_cell_remap(&world->cell, M)) return;
  sc_collide_rename_images(world->collide, M);
  sc_totals_rename_images(world, M);
}

scree_status sc_world_move_cell(scree_world *world, double dt, scree_error *error) {
  if (sc_cell_move(&world->cell, dt)) return SCREE_OK;
  return sc_fail(error, SCREE_E_NUMERIC,
      "the cell has no volume any more: its velocity gradient is too large for "
      "the step of %g s, or has been there too long",
      dt);
}

/* ---- images of bodies for the contact problem ---- */

typedef struct wrapping {
  const sc_bodies *bodies;
  sc_image *image;
  double (*place)[3];
} wrapping;

static void wrap_range(void *context, int64_t first, int64_t end) {
  const wrapping *w = context;
  for (int64_t row = first; row < end; row++)
    w->image[row] = sc_cell_wrap(w->bodies->cell, w->bodies->position[row], w->place[row]);
}

scree_status sc_world_wrap(scree_world *world, sc_assemble_in *in, scree_error *error) {
  const sc_bodies *bodies = &world->bodies;
  world->wrap = NULL;
  if (!bodies->cell) return SCREE_OK;
  size_t rows = (size_t)bodies->count + 1;
  wrapping w = {
      bodies, SC_TAKE(&world->arena, sc_image, rows), sc_arena_take(&world->arena, rows * sizeof *w.place)};
  if (!w.image || !w.place)
    return sc_fail(error, SCREE_E_MEMORY, "no memory to wrap %d bodies", bodies->count);
  sc_pool_ranges(world->pool, bodies->count, SC_RANGE, wrap_range, &w);
  world->wrap = in->wrap = w.image;
  in->wrapped = (const double(*)[3])w.place;
  in->driven = bodies->cell->is_driven;
  return SCREE_OK;
}

void sc_world_unwrap(scree_world *world, double sign) {
  double v[3];
  if (!world->wrap || !world->cell.moves) return;
  for (int32_t row = 0; row < world->bodies.count; row++) {
    if (world->bodies.kind[row] != SCREE_DYNAMIC || sc_image_is_body(world->wrap + row)) continue;
    sc_cell_drift(&world->cell, world->wrap + row, v);
    sc_axpy(sign, v, world->problem.body[row].v, world->problem.body[row].v);
  }
}

int scree_world_get_cell(const scree_world *world, scree_cell *out) {
  SC_DEMAND(world && out, NULL, 0);
  const sc_cell *cell = world->bodies.cell;
  *out = (scree_cell){.volume = 0};
  if (!cell) return 0;
  for (int k = 0; k < 3; k++) out->periodic[k] = cell->periodic[k];
  memcpy(out->matrix, cell->matrix, sizeof out->matrix);
  memcpy(out->inverse, cell->inverse, sizeof out->inverse);
  memcpy(out->gradient, cell->gradient, sizeof out->gradient);
  for (int k = 0; k < 9; k++) out->driven[k] = cell->driven[k];
  sc_copy3(cell->origin, out->origin);
  out->volume = sc_cell_volume(cell);
  return 1;
}

/* ---- stress ---- */

/* Adds s a b' (b': b transposed) to sum, 3x3 row by row. */
static void add_stress_dyad(double s, const double a[3], const double b[3], double sum[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sum[3 * i + j] += s * a[i] * b[j];
}

/* Sets v to the peculiar velocity of a body: its velocity minus the velocity of the cell's flow at its
 * position. */
static void find_peculiar(const sc_bodies *bodies, int32_t row, double v[3]) {
  double flow[3];
  sc_cell_flow(bodies->cell, bodies->position[row], flow);
  sc_sub(bodies->velocity[row], flow, v);
}

static void kinetic_stress(const scree_world *world, double sum[9]) {
  const sc_bodies *bodies = &world->bodies;
  double mean[4] = {0, 0, 0, 0}, v[3]; /* [0..2] mean peculiar velocity; [3] mass */
  for (int32_t row = 0; row < bodies->count; row++) {
    if (!is_counted_body(bodies, row)) continue;
    find_peculiar(bodies, row, v);
    sc_axpy(bodies->mass[row], v, mean, mean);
    mean[3] += bodies->mass[row];
  }
  sc_ranks_sum(world->ranks, mean, 4);
  if (mean[3] > 0) sc_scale(1 / mean[3], mean, mean);
  for (int32_t row = 0; row < bodies->count; row++) {
    if (!is_counted_body(bodies, row)) continue;
    find_peculiar(bodies, row, v);
    sc_sub(v, mean, v);
    add_stress_dyad(bodies->mass[row], v, v, sum);
  }
}

/* Adds the dyads arm x force of a force and its reaction to `sum`. The force acts on body `one` at arm r1,
 * the reaction on body `two` at arm r2. two: -1 for the ground. */
static void add_force(const sc_bodies *bodies, int32_t one, const double r1[3], int32_t two,
    const double r2[3], const double force[3], double sum[9]) {
  if (bodies->inv_mass[one] > 0) add_stress_dyad(-1, force, r1, sum);
  if (two >= 0 && bodies->inv_mass[two] > 0) add_stress_dyad(1, force, r2, sum);
}

static void contact_stress(const scree_world *world, double sum[9]) {
  const sc_bodies *bodies = &world->bodies;
  double rate = 1 / world->def.dt, force[3], r1[3], r2[3];
  for (int32_t c = 0; c < sc_world_listed_count(world); c++) {
    sc_listed listed;
    sc_world_listed(world, c, &listed);
    const sc_contact *contact = &listed.contact;
    sc_scale(rate, listed.impulse, force);
    if ((force[0] == 0 && force[1] == 0 && force[2] == 0) || contact->body1 < 0 || contact->body2 < 0)
      continue;
    sc_contact_arms(
        bodies, contact->body1, contact->body2, &contact->image, contact->point, contact->normal, r1, r2);
    add_force(bodies, contact->body1, r1, contact->body2, r2, force, sum);
  }
}

/* Adds the stress of joints. Only rank 0 adds it, because all ranks have the forces of joints. */
static void joint_stress(const scree_world *world, double sum[9]) {
  for (int32_t j = 0; j < world->joints.count && world->ranks->rank == 0; j++) {
    const sc_joint *joint = world->joints.row + j;
    sc_joint_pose pose;
    sc_reaction mean;
    double r1[3], r2[3];
    if (!sc_joint_place(&world->bodies, joint, &pose)) continue;
    sc_sub(pose.p1, pose.x1, r1);
    sc_sub(pose.p1, pose.x2, r2);
    sc_world_joint_reaction(world, joint, &mean);
    add_force(&world->bodies, pose.row1, r1, pose.row2, r2, mean.force, sum);
  }
}

scree_status scree_world_cell_stress(
    const scree_world *world, double kinetic[9], double contact[9], scree_error *error) {
  SC_DEMAND(world, error, SCREE_E_ARGUMENT);
  if (!world->bodies.cell) return sc_fail(error, SCREE_E_ARGUMENT, "the world has no cell (world.cell)");
  sc_world_settle_contacts((scree_world *)world);
  double sum[2][9] = {{0}}, volume = sc_cell_volume(world->bodies.cell);
  if (kinetic) kinetic_stress(world, sum[0]);
  if (contact) contact_stress(world, sum[1]), joint_stress(world, sum[1]);
  sc_ranks_sum(world->ranks, sum[0], 18);
  for (int k = 0; k < 9; k++) {
    if (kinetic) kinetic[k] = sum[0][k] / volume;
    if (contact) contact[k] = sum[1][k] / volume;
  }
  return SCREE_OK;
}
