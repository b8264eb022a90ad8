/* Assembly of general contacts: frame, arms, parameters of the law refreshed, Delassus block, warm start. */
#include <string.h>
#include "collide/collide.h"
#include "math/vec.h"
#include "problem/assemble.h"
#include "problem/planar.h"

bool sc_assemble_take_generals(
    const sc_assemble_in *in, int32_t generals, sc_arena *arena, sc_problem *problem) {
  problem->general = SC_TAKE(arena, sc_general_contact, generals);
  problem->par = SC_TAKE(arena, double, (size_t)generals *SCREE_LAW_MAX_PARAMS);
  problem->block = SC_TAKE(arena, double, (size_t)generals *SCREE_LAW_MAX_DIM *SCREE_LAW_MAX_DIM);
  problem->x = SC_TAKE(arena, double, (size_t)generals *SCREE_LAW_MAX_DIM);
  if (in->positions) problem->general_gap = SC_TAKE(arena, double, generals);
  return problem->general && problem->par && problem->block && problem->x &&
      (problem->general_gap || !in->positions);
}
/* Arm r/s of a body at a contact; a ball's arm reaches its own surface, which keeps its block diagonal. */
static void set_arm(const sc_assemble_in *in, int32_t row, const sc_contact *contact, double side,
    double arm[3], double *scale) {
  const sc_bodies *bodies = in->bodies;
  *scale = sc_body_scale(bodies, row);
  if (bodies->tensor_row[row] == SC_TENSOR_BALL) {
    sc_scale(side, contact->normal, arm);
  } else {
    sc_sub(contact->point, bodies->position[row], arm);
    sc_scale(1 / *scale, arm, arm);
  }
}

/* Velocity of a body at a contact, before this step's forces. */
static void velocity_at(const sc_assemble_in *in, int32_t row, const double point[3], double v[3]) {
  double arm[3];
  sc_sub(point, in->bodies->position[row], arm);
  sc_cross(in->bodies->spin[row], arm, v);
  sc_add(v, in->bodies->velocity[row], v);
}

/* What running surfaces add to the relative velocity along the normal as bodies' velocities give it, to
 * be made good. */
static double off_surface(const sc_assemble_in *in, const sc_contact *contact) {
  return sc_bodies_off_surface(in->bodies, contact->body2, contact->point, contact->normal) -
      sc_bodies_off_surface(in->bodies, contact->body1, contact->point, contact->normal);
}

static void contact_info(const sc_assemble_in *in, const sc_problem *problem, const sc_general_contact *g,
    const sc_contact *contact, scree_contact_info *info) {
  double u[SCREE_LAW_MAX_DIM];
  sc_problem_general_velocity(problem, g, u);
  info->body1 = sc_bodies_id(in->bodies, contact->body1);
  info->body2 = sc_bodies_id(in->bodies, contact->body2);
  sc_copy3(contact->point, info->point);
  sc_copy3(contact->normal, info->normal);
  sc_copy3(g->t, info->t);
  info->gap = contact->gap;
  info->dt = in->dt;
  sc_copy3(u, info->velocity);
  info->velocity[0] += off_surface(in, contact);
  info->impulse[0] = sc_dot(contact->impulse, g->n);
  info->impulse[1] = sc_dot(contact->impulse, g->t);
  info->impulse[2] = sc_dot(contact->impulse, g->o);
  double v1[3], v2[3];
  velocity_at(in, contact->body1, contact->point, v1);
  velocity_at(in, contact->body2, contact->point, v2);
  sc_sub(v1, v2, v1);
  info->slip[0] = sc_dot(v1, g->t);
  info->slip[1] = sc_dot(v1, g->o);
  memcpy(info->orientation1, in->bodies->orientation[contact->body1], sizeof info->orientation1);
  memcpy(info->orientation2, in->bodies->orientation[contact->body2], sizeof info->orientation2);
  info->planar = in->bodies->planar;
  int32_t first = sc_assemble_rule(in, contact->material1, contact->material2)->first;
  info->swapped = contact->material1 != first && contact->material2 == first;
}

scree_status sc_assemble_general(const sc_assemble_in *in, int32_t index, sc_problem *problem,
    sc_assemble_pools *pools, scree_error *error) {
  sc_general_contact *g = problem->general + problem->generals;
  sc_contact found;
  sc_collide_contact(in->collide, in->shapes, index, &found);
  const sc_contact *contact = &found;
  const sc_rule *rule = sc_assemble_rule(in, contact->material1, contact->material2);
  const sc_law *law = in->law[rule->law];
  g->i = contact->body1;
  g->j = contact->body2;
  g->law = rule->law;
  g->contact = index;
  const double off = off_surface(in, contact);
  g->bias = sc_assemble_bias(in, contact->gap) + off;
  if (problem->positions) problem->general_gap[problem->generals] = contact->gap / in->dt + off;
  sc_copy3(contact->normal, g->n);
  if (in->bodies->planar) sc_planar_frame(in->bodies->plane, g->n, g->t, g->o);
  else sc_frame(g->n, g->t, g->o);
  set_arm(in, g->i, contact, -1, g->arm1, &g->scale1);
  set_arm(in, g->j, contact, 1, g->arm2, &g->scale2);
  g->dim = 3;
  /* parameters: this contact's own copy, refreshed */
  double *par = problem->par + pools->par;
  memcpy(par, rule->params, sizeof rule->params);
  g->par = pools->par;
  pools->par += SCREE_LAW_MAX_PARAMS;
  if (law->refresh) {
    scree_contact_info info;
    contact_info(in, problem, g, contact, &info);
    bool kept = in->couple_at < 0 ? in->state_stride > 0 : in->couple_at > 0;
    double *state = kept ? in->state + (size_t)index * (size_t)in->state_stride : NULL;
    if (law->refresh(law, par, state, &info, error)) return SCREE_E_LAW;
  }
  if (law->dim) g->dim = law->dim(par);
  /* block and warm start */
  g->block = pools->block;
  pools->block += g->dim * g->dim;
  sc_problem_general_block(problem, g, problem->block + g->block);
  g->x = pools->x;
  pools->x += g->dim;
  double *x = problem->x + g->x;
  memset(x, 0, (size_t)g->dim * sizeof *x);
  x[0] = in->warm_start * sc_dot(contact->impulse, g->n);
  x[1] = in->warm_start * sc_dot(contact->impulse, g->t);
  x[2] = in->warm_start * sc_dot(contact->impulse, g->o);
  const double *moment = sc_assemble_moment(in, index), *axis[] = {g->n, g->t, g->o};
  for (int r = 3; r < g->dim && moment; r++) x[r] = in->warm_start * sc_dot(moment, axis[r - 3]);
  problem->generals++;
  return SCREE_OK;
}
