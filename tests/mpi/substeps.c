/* Steps with substeps on several ranks: fast balls strike each other and the walls, and change their ranks
 * within steps. The impulses of contacts must equal the change of momentum of every ball. In a cell, the
 * sum of the stresses of all ranks' contacts must equal the stress of the cell. mpirun -n N mpi.substeps
 * PATH. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "scree/frame.h"
#include "scree/measure.h"

static const double SIDE = 0.016, PUSH = 3e-4;

static void add_wall(scree_world *world, int axis, int side) {
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  shape.type = SCREE_HALFSPACE;
  for (int k = 0; k < 3; k++) shape.normal[k] = 0;
  shape.normal[axis] = side ? -1 : 1, body.position[axis] = side ? SIDE : 0;
  body.kind = SCREE_FIXED, body.shapes = &shape, body.shapes_count = 1;
  CHECK(scree_world_add(world, &body, &error), "%s", error.text);
}

static scree_world *gas(bool periodic, int reuse) {
  scree_world_def def = scree_world_defaults();
  def.gravity[2] = 0, def.dt = 2e-4, def.substeps = 4, def.reuse_contacts = reuse;
  def.solver.iterations = 30;
  if (periodic)
    for (int k = 0; k < 3; k++) def.cell.periodic[k] = 1, def.cell.size[k] = SIDE;
  scree_world *world = scree_world_create(&def, &error);
  CHECK(world, "%s", error.text);
  int count;
  scree_pair_def pair = {0, 0, "coulomb", {0}, 0.8, 0};
  const scree_param *params = scree_world_law_params(world, "coulomb", &count);
  scree_param_defaults(params, count, pair.params);
  FINE(scree_world_set_pair(world, &pair, &error));
  for (int side = 0; side < 6 && !periodic; side++) add_wall(world, side / 2, side % 2);
  scree_fill_def fill = scree_fill_defaults();
  for (int k = 0; k < 3; k++) fill.max[k] = SIDE, fill.velocity_jitter[k] = 4;
  fill.spacing = 2.2e-3, fill.radius = 0.8e-3, fill.radius_max = 1e-3, fill.seed = 5;
  CHECK(scree_world_fill(world, &fill, &error) > 200, "%s", error.text);
  return world;
}

/* Momenta of all bodies of a frame, in the order of the frame. */
static void read_momenta(const scree_frame *f, double (*p)[3]) {
  for (int64_t i = 0; i < f->bodies; i++)
    for (int k = 0; k < 3; k++)
      p[i][k] = f->kind[i] == SCREE_DYNAMIC ? f->mass[i] * f->velocity[3 * i + k] : 0;
}

/* Returns the largest error of a ball's momentum in a step, over m times 4 m/s. */
static double error_of(const scree_frame *f, double (*before)[3], double dt) {
  double worst = 0, force[3], torque[3];
  for (int64_t i = 0; i < f->bodies; i++) {
    if (f->kind[i] != SCREE_DYNAMIC) continue;
    scree_forces_on(f, f->id[i], dt, force, torque);
    for (int k = 0; k < 3; k++) {
      const double change = f->mass[i] * f->velocity[3 * i + k] - before[i][k] - (k == 1 ? PUSH * dt : 0);
      worst = fmax(worst, fabs(force[k] * dt - change) / (4 * f->mass[i]));
    }
  }
  return worst;
}

static void push_all(scree_world *world, const scree_frame *f) {
  for (int64_t i = 0; i < f->bodies; i++)
    if (f->kind[i] == SCREE_DYNAMIC)
      FINE(scree_world_apply(world, f->id[i], (double[3]){0, PUSH, 0}, (double[3]){0}, &error));
}

static void same_stress(const scree_world *world, const scree_frame *f, double dt) {
  double contact[9], largest = 0;
  scree_stress_result all;
  FINE(scree_world_cell_stress(world, NULL, contact, &error));
  FINE(scree_stress(f, NULL, dt, &all, &error));
  for (int k = 0; k < 9; k++) largest = fmax(largest, fabs(all.contact[k]));
  for (int k = 0; k < 9; k++)
    CHECK(fabs(contact[k] - all.contact[k]) <= 1e-9 * largest, "stress %d: %.17g and %.17g", k, contact[k],
        all.contact[k]);
}

static void run(bool periodic, int reuse) {
  scree_world *world = gas(periodic, reuse);
  scree_frame_buffer *buffer = scree_frame_buffer_create();
  const double dt = scree_world_get_def(world)->dt;
  scree_dist_def spread = scree_dist_defaults();
  spread.interval = 10;
  FINE(scree_world_distribute(world, &spread, &error));
  const scree_frame *f = scree_frame_capture(buffer, world, SCREE_FRAME_CONTACTS, &error);
  double(*before)[3] = malloc((size_t)f->bodies * sizeof *before);
  int64_t carried = 0, gone = 0;
  for (int s = 0; s < 15; s++) {
    read_momenta(f, before);
    push_all(world, f);
    FINE(scree_world_step(world, 1, &error));
    CHECK((f = scree_frame_capture(buffer, world, SCREE_FRAME_CONTACTS, &error)) != NULL, "%s", error.text);
    const double worst = error_of(f, before, dt);
    CHECK(worst < 1e-9, "step %d: momentum is off by %g", s, worst);
    if (periodic) same_stress(world, f, dt);
    scree_report r;
    scree_world_report(world, &r);
    CHECK(r.contacts == f->contacts, "%lld contacts", (long long)f->contacts);
    for (int64_t c = 0; c < f->contacts; c++)
      carried += f->contact[c].impulse[0] != 0, gone += f->contact[c].gap > 0;
  }
  CHECK(carried > 200 && gone > 20, "%lld and %lld contacts", (long long)carried, (long long)gone);
  free(before);
  scree_frame_buffer_destroy(buffer);
  scree_world_destroy(world);
}

int main(int argc, char **argv) {
  if (scree_dist_start(&rank, &ranks, &error) != SCREE_OK) return fprintf(stderr, "%s\n", error.text), 1;
  (void)argv;
  CHECK(argc == 2, "usage: mpi.substeps PATH");
  for (int periodic = 0; periodic < 2; periodic++)
    for (int reuse = 0; reuse < 2; reuse++) run(periodic, reuse);
  scree_dist_stop();
  return 0;
}
