/* Assembly of general contacts in the bundles of a store. This file collects the input of each bundle, and
 * the store computes all contacts of the bundle with SIMD. Contacts that are not plain (sc_general_place) are
 * assembled again one by one. */
#include <stddef.h>

#include "collide/collide.h"
#include "math/vec.h"
#include "model/relative.h"
#include "model/turning.h"
#include "problem/assembly/assemble.h"
#include "problem/contacts/contacts.h"
#include "problem/operator/delassus.h"
#include "problem/assembly/assembly.h"

_Static_assert(offsetof(sc_touch, normal) == 3 * sizeof(double) &&
        offsetof(sc_touch, gap) == 6 * sizeof(double) && sizeof(sc_touch) == 8 * sizeof(double),
    "a touch is eight numbers: point, normal, gap, and an unused number");

/* [lane][component] points from which the arms of rotating immovable bodies are measured [m]. Each point is
 * padded to four numbers for vector loads. */
typedef double turning_places[SC_GROUP][4];

typedef struct grouper {
  const sc_assemble_in *in;
  const sc_law_lane *lane;
  const sc_problem *problem;
  sc_gap_rule gap;
} grouper;

static sc_gap_rule gap_rule(const sc_assemble_in *in) {
  const bool drifts = in->drift_time > 0;
  return (sc_gap_rule){.dt = sc_assemble_way(in),
      .closed = in->closed,
      .back = in->positions ? 0
          : drifts          ? 1
                            : in->erp,
      .time = drifts ? fmax(in->drift_time, sc_assemble_way(in)) : sc_assemble_way(in),
      .min_bias = in->max_correction > 0 ? -in->max_correction : -INFINITY};
}

/* Sets the input in lane l that only some contacts need: offsets of periodic images, and velocities of moving
 * or rotating surfaces. Only body 2 can be immovable (sc_list_orient). */
static void set_motion(const sc_assemble_in *in, int32_t contact, const sc_partners *who,
    const sc_touch *touch, turning_places place, int l, sc_general_source *to) {
  const sc_bodies *bodies = in->bodies;
  sc_image image = {{0, 0, 0}};
  double r1[3], r2[3], shift[3];
  if (bodies->cell) {
    image = sc_collide_image(in->collide, contact);
    sc_cell_shift(bodies->cell, &image, shift);
    for (int k = 0; k < 3; k++) to->shift[k][l] = shift[k];
  }
  to->off[l] = 0;
  const bool turns = sc_bodies_turn(bodies, who->body2);
  if (!turns && !sc_bodies_runs(bodies, who->body2)) return;
  sc_arms(bodies, who->body1, who->body2, &image, touch->point, r1, r2);
  to->off[l] = sc_running_normal(bodies, who->body1, r1, who->body2, r2, touch->normal);
  if (!turns || !in->middle) return;
  to->position2[l] = place[l];
  to->off[l] += sc_turning_place(bodies, who->body1, who->body2, r1, r2, touch->normal, in->dt, place[l]);
}

static double scale_of(const sc_bodies *bodies, int32_t row) {
  const double scale = sc_body_scale(bodies, row);
  return bodies->tensor_row[row] == SC_TENSOR_BALL && !sc_bodies_turn(bodies, row) ? -scale : scale;
}

static const double none[8] = {[6] = 1}; /* as impulse or moment: zeros; as touch: an open contact, whose gap
                                            is 1 */

static const double *moment_of(const sc_assemble_in *in, int32_t contact) {
  const double *moment = sc_assemble_moment(in, contact);
  return moment ? moment : none;
}

/* Returns the normal velocity of a contact at free velocities, without moving surfaces [m/s]. */
static double find_normal_velocity(
    const grouper *g, const sc_partners *who, const sc_touch *touch, int l, const sc_general_source *to) {
  sc_general_contact c = {.i = who->body1, .j = who->body2, .dim = 3};
  const double shift[3] = {to->shift[0][l], to->shift[1][l], to->shift[2][l]};
  double u[SCREE_LAW_MAX_DIM], r1[3], r2[3];
  sc_sub(touch->point, to->position1[l], r1);
  sc_sub(touch->point, to->position2[l], r2);
  sc_sub(r2, shift, r2);
  sc_scale(1 / fabs(to->scale1[l]), r1, c.arm1);
  sc_scale(1 / fabs(to->scale2[l]), r2, c.arm2);
  sc_copy3(touch->normal, c.n);
  sc_problem_general_velocity(g->problem, &c, u);
  return u[0];
}

/* Sets the spring of the contact in lane l. */
static void set_lane_spring(const grouper *g, int32_t contact, const sc_partners *who, const sc_touch *touch,
    int l, sc_general_source *to) {
  const sc_assemble_in *in = g->in;
  const sc_rule *rule = in->pairs->rule + who->rule;
  const double u_n = sc_spring_needs_closing(rule) ? find_normal_velocity(g, who, touch, l, to) : 0;
  sc_contact_spring *spring = to->spring + l;
  sc_assemble_spring(in, &(sc_contact_bodies){contact, who->body1, who->body2}, rule,
      sc_assemble_gap(in, touch->gap), touch->normal, to->impulse[l], -u_n - to->off[l], spring);
  if (spring->normal > 0) spring->bias += to->off[l];
}

static void set_lane_input(const grouper *g, int32_t general, int l, sc_touch *scratch, turning_places place,
    sc_general_source *to) {
  const sc_assemble_in *in = g->in;
  const sc_bodies *bodies = in->bodies;
  const int32_t contact = sc_problem_general_source(g->problem, general);
  const sc_partners *who = g->problem->partners + contact;
  const sc_touch *touch = sc_collide_touch(in->collide, in->shapes, contact, scratch);
  to->touch[l] = (const double *)(const void *)touch;
  to->impulse[l] = sc_collide_impulse(in->collide, contact);
  to->position1[l] = bodies->position[who->body1], to->position2[l] = bodies->position[who->body2];
  to->scale1[l] = scale_of(bodies, who->body1), to->scale2[l] = scale_of(bodies, who->body2);
  to->lane[l] = g->lane + who->rule;
  to->moment[l] = moment_of(in, contact);
  to->i[l] = who->body1, to->j[l] = who->body2;
  set_motion(in, contact, who, touch, place, l, to);
  if (in->springs) set_lane_spring(g, contact, who, touch, l, to);
}

/* Sets lane l to an open contact of the immovable world with itself. */
static void clear_lane_input(const grouper *g, int l, sc_general_source *to) {
  static const sc_law_lane slides = {.mu = 0};
  to->touch[l] = to->impulse[l] = to->position1[l] = to->position2[l] = to->moment[l] = none;
  to->scale1[l] = to->scale2[l] = 1;
  to->lane[l] = &slides;
  to->i[l] = to->j[l] = g->problem->bodies - 1;
  to->off[l] = to->shift[0][l] = to->shift[1][l] = to->shift[2][l] = 0;
}

SC_FETCH fetch_contact(const grouper *g, int32_t contact) {
  __builtin_prefetch(g->problem->partners + contact);
  sc_collide_ask(g->in->collide, contact);
}

SC_FETCH fetch_body(const grouper *g, int32_t row) {
  const sc_bodies *bodies = g->in->bodies;
  __builtin_prefetch(bodies->position + row);
  __builtin_prefetch(bodies->radius + row);
  __builtin_prefetch(bodies->tensor_row + row);
  __builtin_prefetch(g->problem->body + row);
  if (g->problem->K) __builtin_prefetch(g->problem->K + row);
}

SC_FETCH fetch_partners(const grouper *g, int32_t contact) {
  const sc_partners *who = g->problem->partners + contact;
  fetch_body(g, who->body1), fetch_body(g, who->body2);
}

/* Calls `fetch` for each contact of a bundle that is assembled later, so that its data are in the cache by
 * then. */
SC_FETCH prefetch_group(
    const grouper *g, int64_t group, int64_t end, void (*fetch)(const grouper *g, int32_t contact)) {
  const int32_t *general;
  const int count = group < end ? sc_contacts_members(g->in->store, (int32_t)group, &general) : 0;
  for (int l = 0; l < count; l++) fetch(g, sc_problem_general_source(g->problem, general[l]));
}

static void make_groups(void *context, int64_t first, int64_t end) {
  enum { BODIES_AHEAD = 1, CONTACTS_AHEAD };
  const grouper *g = context;
  sc_contacts *store = g->in->store;
  sc_touch scratch[SC_GROUP];
  turning_places place;
  sc_general_source from = {.gap = &g->gap, .warm_start = g->in->warm_start};
  for (int64_t group = first; group < end; group++) {
    const int32_t *general;
    const int count = sc_contacts_members(store, (int32_t)group, &general);
    prefetch_group(g, group + CONTACTS_AHEAD, end, fetch_contact);
    prefetch_group(g, group + BODIES_AHEAD, end, fetch_partners);
    for (int l = 0; l < SC_GROUP && count; l++)
      if (l < count) set_lane_input(g, general[l], l, scratch + l, place, &from);
      else clear_lane_input(g, l, &from);
    if (count) sc_contacts_make_group(store, g->problem, (int32_t)group, &from);
  }
}

void sc_assemble_groups(const sc_assemble_in *in, const sc_law_lane *lane, const sc_problem *problem) {
  const grouper g = {in, lane, problem, gap_rule(in)};
  sc_pool_ranges(in->pool, sc_contacts_groups(in->store), SC_SHORT_RANGE / SC_GROUP, make_groups, (void *)&g);
}
