/* Computes when contacts close within a step: the first root of g + u t + a t^2 / 2 = 0. g: gap; u: its rate
 * at the start; a: its acceleration due to forces. */
#include "world/world.h"
#include "world/step/second_order.h"

#include <string.h>
#include "math/vec.h"
#include "model/relative.h"

/* A contact closes fast if its closing speed exceeds FALLS times the velocity change of its bodies in a step
 * due to their acceleration. */
static const double FALLS = 1;

/* Lower bound of the acceleration of each body, divided by the largest acceleration of all bodies. A body
 * without a load transmits loads of other bodies, with the error of the solver. */
static const double PASSED_ON = 1e-3;

static double find_acceleration(const scree_world *world, int32_t row) {
  const sc_bodies *bodies = &world->bodies;
  double a[3];
  if (!(bodies->inv_mass[row] > 0)) return 0;
  sc_axpy(bodies->inv_mass[row], sc_bodies_load(bodies, row), world->def.gravity, a);
  return sc_norm(a);
}

static void add_reactions(const scree_world *world, double *push) {
  for (int32_t i = 0; i < world->joints.count; i++) {
    const sc_joint *joint = world->joints.row + i;
    int32_t row[2];
    sc_swing_rows(&world->bodies, joint, row);
    for (int side = 0; side < 2; side++)
      if (row[side] >= 0) push[row[side]] += world->bodies.inv_mass[row[side]] * sc_norm(joint->force);
  }
}

double *sc_closing_accelerations(scree_world *world) {
  const int32_t bodies = world->bodies.count;
  double *acceleration = SC_TAKE(&world->arena, double, bodies + 1), most = 0;
  if (!acceleration) return NULL;
  for (int32_t row = 0; row < bodies; row++) acceleration[row] = find_acceleration(world, row);
  add_reactions(world, acceleration);
  for (int32_t row = 0; row < bodies; row++) most = fmax(most, acceleration[row]);
  for (int32_t row = 0; row < bodies; row++) acceleration[row] = fmax(acceleration[row], PASSED_ON * most);
  return acceleration;
}

static double find_closing(const scree_world *world, const sc_contact *contact) {
  return sc_closing_speed(
      &world->bodies, contact->body1, contact->body2, &contact->image, contact->point, contact->normal);
}

int32_t sc_closing_find(const scree_world *world, const double *acceleration, double dt, double way,
    uint8_t *kind, double *widest) {
  int32_t struck = 0;
  *widest = 0;
  for (int32_t c = 0; c < world->contacts.count; c++) {
    sc_contact contact;
    sc_world_contact(world, c, &contact);
    const double speed = find_closing(world, &contact),
                 rest = FALLS * dt * fmax(acceleration[contact.body1], acceleration[contact.body2]);
    kind[c] = SC_SLOW;
    if (!(speed > rest)) continue;
    kind[c] = contact.gap > SC_CLOSED_PART * way * speed ? SC_FAST : SC_STRUCK;
    if (kind[c] == SC_FAST) continue;
    *widest = fmax(*widest, contact.gap);
    struck++;
  }
  return struck;
}

/* Returns the solved velocity of body 1 relative to body 2 along the contact normal [m/s]. */
static double find_solved(const scree_world *world, const sc_contact *contact) {
  const sc_bodies *bodies = &world->bodies;
  const int32_t row[2] = {contact->body1, contact->body2};
  double r[2][3], v[2][3], w[3];
  sc_contact_arms(bodies, row[0], row[1], &contact->image, contact->point, contact->normal, r[0], r[1]);
  for (int side = 0; side < 2; side++) {
    const sc_solver_body *body = world->problem.body + row[side];
    sc_scale(1 / sc_body_scale(bodies, row[side]), body->q, w);
    sc_rigid_velocity(body->v, w, r[side], v[side]);
  }
  sc_sub(v[0], v[1], w);
  return sc_dot(w, contact->normal) + sc_running_normal(bodies, row[0], r[0], row[1], r[1], contact->normal);
}

double sc_closing_time(const scree_world *world, double way, const uint8_t *kind) {
  double first = way;
  for (int32_t c = 0; c < world->contacts.count; c++) {
    sc_contact contact;
    if (kind[c] != SC_FAST) continue;
    sc_world_contact(world, c, &contact);
    const double u = -find_closing(world, &contact), a = (find_solved(world, &contact) - u) / (way / 2),
                 square = u * u - 2 * a * contact.gap;
    if (!(square >= 0)) continue;
    first = fmin(first, 2 * contact.gap / (sqrt(square) - u));
  }
  return first;
}
