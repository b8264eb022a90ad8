/* Rates of change of relative velocities at contacts while the bodies' velocities are constant. The relative
 * velocities change because normals rotate and contact points move over the bodies. A rate is measured as the
 * difference between the start and the end of a motion. It is therefore valid for all shapes. The next motion
 * is assumed to have the same rates. */
#include "world/world.h"
#include "world/step/second_order.h"

#include "math/vec.h"
#include "model/relative.h"
#include "world/account/losses.h"
#include "world/steps.h"

/* Bound to detect that a contact point has jumped to another corner or edge: its speed exceeds JUMP times the
 * speed of the fastest points of its bodies. */
static const double JUMP = 2;
/* Shortest part of a step in which rates are measured, divided by the step. In shorter parts rates would be
 * rounding errors, so the last measured rates are used. */
static const double SHORT = 1e-3;

static double find_velocity(const scree_world *world, const sc_contact *contact, double u[3]) {
  const sc_bodies *bodies = &world->bodies;
  double r1[3], r2[3];
  sc_contact_arms(
      bodies, contact->body1, contact->body2, &contact->image, contact->point, contact->normal, r1, r2);
  sc_relative_velocity(bodies, contact->body1, r1, contact->body2, &contact->image, r2, contact->normal, u);
  return sc_dot(u, contact->normal);
}

static void leave_range(void *context, int64_t first, int64_t end) {
  scree_world *world = context;
  for (int32_t c = (int32_t)first; c < end; c++) {
    sc_contact contact;
    sc_curve *curve = sc_contact_curve(&world->contacts, c);
    sc_world_contact(world, c, &contact);
    sc_copy3(contact.point, curve->point);
    curve->along = find_velocity(world, &contact, curve->velocity);
    curve->known = SC_LEFT;
  }
}

void sc_curves_leave(scree_world *world) {
  sc_pool_ranges(world->pool, world->contacts.count, SC_RANGE, leave_range, world);
}

typedef struct following {
  scree_world *world;
  const sc_swings *swings;
} following;

/* Returns the position that a body had before mechanisms moved [m]. */
static const double *place_before(const following *f, int32_t row) {
  const bool moved = f->swings->held[row] == SC_MOVED;
  return moved ? f->swings->before[f->swings->place[row]].position : f->world->bodies.position[row];
}

static void follow_range(void *context, int64_t first, int64_t end) {
  const following *f = context;
  const sc_bodies *bodies = &f->world->bodies;
  for (int32_t c = (int32_t)first; c < end; c++) {
    sc_contact contact;
    sc_curve *curve = sc_contact_curve(&f->world->contacts, c);
    double r1[3], r2[3], u[3];
    sc_world_contact(f->world, c, &contact);
    const int32_t i = contact.body1, j = contact.body2;
    if (f->swings->held[i] != SC_MOVED && f->swings->held[j] != SC_MOVED) continue;
    sc_displacement(bodies, NULL, contact.point, place_before(f, i), r1);
    sc_displacement(bodies, &contact.image, contact.point, place_before(f, j), r2);
    if (sc_bodies_ball(bodies, i) > 0) sc_scale(-bodies->radius[i], contact.normal, r1);
    if (sc_bodies_ball(bodies, j) > 0) sc_scale(bodies->radius[j], contact.normal, r2);
    sc_relative_velocity(bodies, i, r1, j, &contact.image, r2, contact.normal, u);
    const double along = sc_dot(u, contact.normal);
    for (int k = 0; k < 3; k++) curve->velocity[k] = 2 * curve->velocity[k] - u[k];
    curve->along = 2 * curve->along - along;
  }
}

void sc_curves_follow(scree_world *world, const sc_swings *swings) {
  following f = {world, swings};
  if (swings->held) sc_pool_ranges(world->pool, world->contacts.count, SC_RANGE, follow_range, &f);
}

/* Returns the speed of the fastest point of a dynamic body, or the speed of the centre of any other body
 * [m/s]. */
static double find_speed(const sc_bodies *bodies, int32_t row) {
  const double reach = bodies->kind[row] == SCREE_DYNAMIC ? bodies->radius[row] : 0;
  return sc_norm(bodies->velocity[row]) + reach * sc_norm(bodies->spin[row]);
}

typedef struct measuring {
  scree_world *world;
  double way;
} measuring;

static void measure_range(void *context, int64_t first, int64_t end) {
  const measuring *m = context;
  const sc_bodies *bodies = &m->world->bodies;
  for (int32_t c = (int32_t)first; c < end; c++) {
    sc_contact contact;
    sc_curve *curve = sc_contact_curve(&m->world->contacts, c);
    double u[3], moved[3];
    const bool left = curve->known == SC_LEFT;
    sc_set3(0, 0, 0, curve->rate);
    curve->along_rate = curve->known = 0;
    if (!left) continue;
    sc_world_contact(m->world, c, &contact);
    const double along = find_velocity(m->world, &contact, u),
                 speed = find_speed(bodies, contact.body1) + find_speed(bodies, contact.body2);
    sc_sub(contact.point, curve->point, moved);
    if (sc_norm(moved) > JUMP * m->way * speed) continue;
    for (int k = 0; k < 3; k++) curve->rate[k] = (u[k] - curve->velocity[k]) / m->way;
    curve->along_rate = (along - curve->along) / m->way;
    curve->known = SC_MEASURED;
  }
}

void sc_curves_measure(scree_world *world, double dt, double way) {
  measuring m = {world, way};
  if (way < SHORT * dt) return;
  sc_pool_ranges(world->pool, world->contacts.count, SC_RANGE, measure_range, &m);
}

void sc_carried_read(const scree_world *world, int32_t contact, double carried[SC_CARRIED]) {
  const int at = sc_moment_place(&world->contacts);
  const double *state = sc_contact_state(&world->contacts, contact);
  sc_copy3(sc_collide_impulse(world->collide, contact), carried);
  sc_set3(0, 0, 0, carried + 3);
  if (at >= 0) sc_copy3(state + at, carried + 3);
  carried[6] = sc_contact_pull(&world->contacts, contact);
}

void sc_carried_write(scree_world *world, int32_t contact, const double carried[SC_CARRIED], int32_t state) {
  const int moment = sc_moment_place(&world->contacts), pull = sc_pull_place(&world->contacts);
  double *own = sc_contact_state(&world->contacts, contact);
  sc_collide_keep(world->collide, contact, carried, state);
  if (moment >= 0) sc_copy3(carried + 3, own + moment);
  if (pull >= 0) own[pull] = carried[6];
}

static void add_sums(void *context, int64_t first, int64_t end) {
  scree_world *world = context;
  double carried[SC_CARRIED];
  const uint8_t *skip =
      world->phase->skip; // contacts that are skipped have their impulses from another phase
  for (int32_t c = (int32_t)first; c < end; c++) {
    if (skip && skip[c]) continue;
    sc_curve *curve = sc_contact_curve(&world->contacts, c);
    const sc_loss *loss = sc_contact_loss(&world->contacts, c);
    sc_carried_read(world, c, carried);
    for (int k = 0; k < SC_CARRIED; k++) curve->sum[k] += carried[k];
    if (loss) curve->lost += loss->step;
  }
}

void sc_curves_add(scree_world *world) {
  sc_pool_ranges(world->pool, world->contacts.count, SC_RANGE, add_sums, world);
}
