/* Functions of the public interface that read a world: report, contacts, views, shapes. */
#include "world/step/faces.h"
#include "world/world.h"
#include "world/bodies/domain.h"
#include "world/bodies/rows.h"
#include "world/mechanism/roll.h"
#include "world/step/sleep.h"
#include "world/account/account.h"
#include "world/account/totals.h"
#include "world/mechanism/ties.h"
#include "math/vec.h"

#include <string.h>

static void add_body(const scree_world *world, int32_t row, scree_report *report) {
  const sc_bodies *bodies = &world->bodies;
  if (!sc_bodies_own(bodies, row)) return;
  report->bodies++;
  if (bodies->kind[row] != SCREE_DYNAMIC) return;
  double m = bodies->mass[row], w[3], L[3], arm[3], I[6];
  const double *v = bodies->velocity[row];
  sc_bodies_inertia(bodies, row, I);
  sc_quat_unrotate(bodies->orientation[row], bodies->spin[row], w);
  double l[3] = {I[0] * w[0] + I[1] * w[1] + I[2] * w[2], I[1] * w[0] + I[3] * w[1] + I[4] * w[2],
      I[2] * w[0] + I[4] * w[1] + I[5] * w[2]};
  report->dynamic++;
  report->kinetic += (m * sc_dot(v, v) + sc_dot(w, l)) / 2;
  report->potential -= m * sc_dot(world->def.gravity, bodies->position[row]);
  sc_axpy(m, v, report->momentum, report->momentum);
  sc_quat_rotate(bodies->orientation[row], l, L);
  sc_cross(bodies->position[row], v, arm);
  for (int k = 0; k < 3; k++) report->angular_momentum[k] += m * arm[k] + L[k];
  double speed = sc_norm(v);
  if (speed > report->max_speed) report->max_speed = speed;
}

/* Drops the contacts of bodies that were removed since the last step. Returns `world`. */
static const scree_world *settle_world(const scree_world *world) {
  sc_world_settle_contacts((scree_world *)world);
  return world;
}

/* Sets the numbers of allocated bytes in the report, from the capacities of arrays. */
static void count_bytes(const scree_world *world, scree_report *report) {
  size_t shapes, contacts;
  sc_collide_bytes(world->collide, &shapes, &contacts);
  shapes += sc_bodies_bytes(&world->bodies) + sc_shapes_bytes(&world->shapes) +
      world->mechanisms.rolling_capacity * sizeof *world->mechanisms.rolling;
  contacts += world->arena.size + sc_totals_bytes(world->totals);
  report->bytes_bodies = (int64_t)shapes;
  report->bytes_contacts = (int64_t)contacts;
}

void scree_world_combine(const scree_world *world, int largest, double *value, int count) {
  SC_DEMAND(world, NULL, );
  (largest ? world->ranks->most : world->ranks->sum)(world->ranks->context, value, count);
}

scree_status scree_world_gather(
    scree_world *world, const void *bytes, size_t size, const void **all, size_t *total, scree_error *error) {
  SC_DEMAND(world && (bytes || !size) && all && total, error, SCREE_E_ARGUMENT);
  sc_free(world->query.gathered);
  world->query.gathered = NULL;
  *total = 0;
  scree_status status = world->ranks->gather(
      world->ranks->context, bytes, size, false, &world->query.gathered, total, error);
  *all = world->query.gathered;
  return status;
}

const scree_geometry *scree_world_geometry(const scree_world *world, uint32_t number) {
  SC_DEMAND(world, NULL, NULL);
  return world->ranks->geometry(world->ranks->context, number);
}

int scree_world_ranks(const scree_world *world, int *rank) {
  SC_DEMAND(world, NULL, 0);
  if (rank) *rank = world->ranks->rank;
  return world->ranks->ranks;
}

void scree_world_solved(const scree_world *world, double *residual, double *scale) {
  SC_DEMAND(world && residual && scale, NULL, );
  *residual = world->figures.residual;
  *scale = world->figures.residual_scale;
}

static void report_effort(const scree_world *world, scree_report *report) {
  double share = sc_world_unbalanced(world, &report->residual);
  report->unbalanced = fmax(share, 0);
  report->unbalanced_mean = world->effort.looks > 0 ? world->effort.unbalanced / world->effort.looks
                                                    : report->unbalanced;
  report->unbalanced_most = fmax(report->unbalanced, world->effort.worst);
  report->steps_again = world->effort.again;
  report->steps_gaining = world->effort.gaining;
  report->steps_solved = world->effort.solves;
  report->steps_capped = world->effort.capped;
  report->softened = sc_world_softened(world);
}

static void report_ways(const sc_solver_ways *ways, scree_report *report) {
  report->steps_untouched = ways->untouched;
  report->steps_swept = ways->swept;
  report->steps_momentum = ways->accelerated;
  report->islands_newton = ways->escalated;
  report->islands_unfit = ways->unfit;
  report->islands_dear = ways->dear;
  report->islands_moving = ways->moving;
}

/* Counts the contacts with an impulse, the rigid and the touching contacts in the report. Returns the sum of
 * penetrations [m]. Does not count touching contacts between bodies whose collision a joint prevents. */
static double report_contacts(const scree_world *world, scree_report *report) {
  double depth = 0, deepest = 0;
  for (int32_t c = 0; c < sc_world_listed_count(world); c++) {
    sc_listed listed;
    sc_world_listed(world, c, &listed);
    const sc_contact contact = listed.contact;
    report->active += contact.state != SCREE_SEPARATING;
    report->rigid += sc_world_is_rigid(world, &contact);
    if (c >= world->contacts.count) continue; // the contact opened before the last substep
    if (contact.gap > 0 || sc_world_joined(world, contact.body1, contact.body2, contact.image)) continue;
    report->touching++;
    depth -= contact.gap;
    deepest = fmax(deepest, -contact.gap);
    report->overlap = fmax(report->overlap, sc_world_overlap(world, c));
  }
  report->crossed = world->tracks.crossed.times, report->held_back = world->tracks.held_back.times;
  report->overlap_max = fmax(report->overlap, world->effort.overlap);
  report->bodies_lost = sc_world_lost(world);
  report->penetration = sc_joints_any(&world->joints) ? deepest : world->contacts.deepest;
  return depth;
}

void scree_world_report(const scree_world *world, scree_report *report) {
  SC_DEMAND(world && report, NULL, );
  memset(report, 0, sizeof *report);
  report->time = world->time;
  report->step = world->step;
  for (int32_t row = 0; row < world->bodies.count; row++) add_body(world, row, report);
  if (world->ranks->rank == 0) report->kinetic += sc_account_rotors(&world->joints);
  report->contacts = sc_world_listed_count(settle_world(world));
  double depth = report_contacts(world, report);
  report->iterations = world->figures.iterations;
  report_effort(world, report);
  report_ways(&world->effort.ways, report);
  report->dissipated = world->energy.dissipated + world->energy.sliding;
  report->elastic = world->energy.elastic + sc_world_elastic(world) + sc_world_bonds_elastic(world);
  report->work = world->energy.work;
  report->correction = world->energy.correction;
  report->stable_dt = world->figures.stable_dt;
  report->rebuilds = sc_collide_rebuilds(world->collide);
  report->pairs = sc_collide_pairs(world->collide);
  report->skin = sc_collide_skin(world->collide);
  report->impacts = world->figures.impacts;
  report->asleep = sc_sleep_count(world);
  report->bundle_fill = world->figures.bundle_fill;
  count_bytes(world, report);
  memcpy(report->seconds, world->watch.seconds, sizeof report->seconds);
  world->ranks->report(world->ranks->context, report, &depth);
  report->mean_penetration = report->touching ? depth / (double)report->touching : 0;
}

int64_t scree_world_contacts_count(const scree_world *world) {
  SC_DEMAND(world, NULL, 0);
  return sc_world_listed_count(settle_world(world));
}

void scree_world_contact(const scree_world *world, int64_t index, scree_contact *out) {
  SC_DEMAND(world && out, NULL, );
  memset(out, 0, sizeof *out);
  SC_DEMAND(index >= 0 && index < scree_world_contacts_count(world), NULL, );
  sc_listed listed;
  sc_world_listed(settle_world(world), (int32_t)index, &listed);
  const sc_contact *contact = &listed.contact;
  out->body1 = listed.body1;
  out->body2 = listed.body2;
  sc_copy3(contact->point, out->point);
  sc_copy3(contact->normal, out->normal);
  out->gap = contact->gap;
  sc_copy3(listed.impulse, out->impulse);
  out->state = contact->state;
  out->material1 = contact->material1;
  out->material2 = contact->material2;
  sc_copy3(listed.moment, out->moment);
  out->lost = listed.lost, out->lost_since = listed.lost_since;
  out->pull = listed.pull;
  for (int k = 0; k < 3; k++) out->image[k] = contact->image.n[k];
  if (index < world->contacts.count) sc_faces_read(world, (int32_t)index, out);
}

/* ---- views ---- */

/* Computes an array that the table of bodies does not store as such: mass, id or kind. Returns NULL without
 * memory. */
static void *made_view(scree_world *world, scree_view view) {
  int which = view == SCREE_VIEW_MASS ? 0 : view == SCREE_VIEW_ID ? 1 : 2;
  int32_t count = world->bodies.count;
  if (!SC_GROW(world->query.made_view[which], world->query.made_capacity[which], (size_t)count + 1))
    return NULL;
  double *real = world->query.made_view[which];
  int64_t *integer = (int64_t *)(void *)real;
  for (int32_t row = 0; row < count; row++) {
    if (view == SCREE_VIEW_MASS)
      real[row] = world->bodies.inv_mass[row] > 0 ? world->bodies.mass[row] : INFINITY;
    if (view == SCREE_VIEW_ID) integer[row] = (int64_t)sc_bodies_id(&world->bodies, row);
    if (view == SCREE_VIEW_KIND)
      integer[row] = sc_bodies_own(&world->bodies, row) ? world->bodies.kind[row] : -1;
  }
  return real;
}

int scree_world_view(scree_world *world, scree_view view, void **data, int64_t *rows) {
  SC_DEMAND(world && data && rows, NULL, 0);
  sc_bodies *bodies = &world->bodies;
  *rows = bodies->count;
  world->query.viewed |= view == SCREE_VIEW_POSITION || view == SCREE_VIEW_ORIENTATION ||
      view == SCREE_VIEW_VELOCITY || view == SCREE_VIEW_SPIN;
  switch (view) {
  case SCREE_VIEW_POSITION: *data = bodies->position; return 3;
  case SCREE_VIEW_ORIENTATION: *data = bodies->orientation; return 4;
  case SCREE_VIEW_VELOCITY: *data = bodies->velocity; return 3;
  case SCREE_VIEW_SPIN: *data = bodies->spin; return 3;
  case SCREE_VIEW_RADIUS: *data = bodies->radius; return 1;
  case SCREE_VIEW_GROUP:
    if (!sc_bodies_hold_groups(bodies)) break;
    *data = bodies->group;
    return 1;
  case SCREE_VIEW_MASS:
  case SCREE_VIEW_ID:
  case SCREE_VIEW_KIND: *data = made_view(world, view); return *data ? 1 : 0;
  }
  *data = NULL;
  return 0;
}

/* ---- shapes ---- */

int64_t scree_world_shapes_count(const scree_world *world) {
  SC_DEMAND(world, NULL, 0);
  return world->shapes.count;
}

void scree_world_shape(const scree_world *world, int64_t index, scree_shape_info *info) {
  SC_DEMAND(world && info, NULL, );
  memset(info, 0, sizeof *info);
  SC_DEMAND(index >= 0 && index < world->shapes.count, NULL, );
  sc_shape shape;
  sc_shapes_get(&world->shapes, (int32_t)index, &shape);
  info->body = sc_bodies_id(&world->bodies, world->shapes.row[index].body);
  info->type = shape.type;
  info->material = shape.material;
  info->radius = shape.radius;
  info->length = 2 * shape.half;
  sc_scale(2, shape.extent, info->size);
  sc_copy3(shape.position, info->position);
  memcpy(info->orientation, shape.orientation, sizeof info->orientation);
  sc_set3(0, 0, 1, info->normal); /* the normal of a half-space is the z axis of its orientation */
  info->geometry = shape.geometry;
  memcpy(info->own, shape.own, sizeof info->own);
}

static int copy_noted(const sc_noted *noted, scree_id *out, int most) {
  int count = 0;
  while (count < most && count < SC_NOTED_MOST && noted->body[count])
    out[count] = noted->body[count], count++;
  return count;
}

int scree_world_crossed_bodies(const scree_world *world, scree_id *out, int most) {
  SC_DEMAND(world && out, NULL, 0);
  return copy_noted(&world->tracks.crossed, out, most);
}

int scree_world_held_back_bodies(const scree_world *world, scree_id *out, int most) {
  SC_DEMAND(world && out, NULL, 0);
  return copy_noted(&world->tracks.held_back, out, most);
}
