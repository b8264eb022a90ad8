/* Energy balance of mechanisms that swing.c moves. */
#include "world/world.h"
#include "world/mechanism/swing_account.h"

#include "math/vec.h"
#include "world/account/account.h"

/* Returns true if this rank's energy balance includes a body. */
static bool is_row_counted(const sc_bodies *bodies, int32_t row) {
  return bodies->inv_mass[row] > 0 && sc_bodies_own(bodies, row);
}

/* Subtracts a body's energies in the solution of the step's problem from *sum. solved: motion after this
 * solution. */
static void subtract_body(const scree_world *world, const sc_swings *s, int32_t row, const sc_motion *solved,
    double dt, sc_mechanism_energy *sum) {
  const int32_t place = s->place[row];
  sc_change c = sc_account_change(
      &world->bodies, world->def.gravity, row, s->before + place, solved, s->load[place], dt);
  sum->dissipated -= c.lost;
  sum->correction -= c.early;
  sum->work -= c.loads;
}

double sc_mechanism_open_energy(const scree_world *world, const sc_swings *s, const int32_t *body,
    int32_t bodies, bool from_before, double dt, sc_mechanism_energy *sum) {
  double energy = 0;
  *sum = (sc_mechanism_energy){0};
  for (int32_t i = 0; i < bodies; i++) {
    const int32_t row = body[i];
    sc_motion solved;
    sc_motion_read(&world->bodies, row, &solved);
    energy += sc_account_energy(
        &world->bodies, world->def.gravity, row, from_before ? s->before + s->place[row] : &solved);
    if (from_before) subtract_body(world, s, row, &solved, dt, sum);
    // the energy balance already contains the work of gravity along the displacement dt times the solved
    // velocity
    else if (is_row_counted(&world->bodies, row))
      energy -= dt * world->bodies.mass[row] * sc_dot(world->def.gravity, solved.velocity);
  }
  return energy;
}

void sc_mechanism_subtract_rows(const sc_swings *s, int32_t joint, sc_mechanism_energy *sum) {
  const sc_row_work *rows = s->row_work + joint;
  sum->work -= rows->work;
  sum->dissipated -= rows->work + rows->scheme - rows->stored;
  sum->joints -= rows->lost;
  sum->correction -= rows->scheme;
}

/* Returns the work of a body's load between two motions [J]. load: force and torque [N, N m]. */
static double body_load_work(const sc_motion *before, const sc_motion *now, const double load[6], double dt) {
  double way[3], turn[3];
  sc_sub(now->position, before->position, way);
  sc_add(now->spin, before->spin, turn);
  return sc_dot(load, way) + dt / 2 * sc_dot(load + 3, turn);
}

void sc_mechanism_close_energy(const scree_world *world, const sc_swings *s, const int32_t *body,
    int32_t bodies, bool from_before, double dt, double before, sc_mechanism_energy *sum) {
  double energy = 0, loads = 0;
  for (int32_t i = 0; i < bodies; i++) {
    sc_motion now;
    sc_motion_read(&world->bodies, body[i], &now);
    energy += sc_account_energy(&world->bodies, world->def.gravity, body[i], &now);
    const int32_t place = s->place[body[i]];
    if (from_before && is_row_counted(&world->bodies, body[i]))
      loads += body_load_work(s->before + place, &now, s->load[place], dt);
  }
  sum->work += loads;
  sum->correction += energy - before - loads;
}

void sc_mechanism_add_energy(const sc_mechanism_energy *sum, sc_energy *energy) {
  energy->work += sum->work;
  energy->dissipated += sum->dissipated;
  energy->elsewhere[SCREE_LOST_JOINTS] += sum->joints;
  energy->correction += sum->correction;
}
