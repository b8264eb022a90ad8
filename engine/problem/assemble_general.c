/* Assembly of general contacts: frame, arms, parameters of the law refreshed, Delassus block, warm start. */
#include <string.h>
#include "collide/collide.h"
#include "math/vec.h"
#include "model/relative.h"
#include "problem/assemble.h"
#include "problem/planar.h"

bool sc_assemble_take_generals(const sc_assemble_in *in, int32_t generals, sc_arena *arena,
    sc_problem *problem, sc_assembled *assembled) {
  problem->general = SC_TAKE(arena, sc_general_contact, generals);
  problem->par = SC_TAKE(arena, double, (size_t)generals *SCREE_LAW_MAX_PARAMS);
  problem->block = SC_TAKE(arena, double, (size_t)generals *SCREE_LAW_MAX_DIM *SCREE_LAW_MAX_DIM);
  problem->x = SC_TAKE(arena, double, (size_t)generals *SCREE_LAW_MAX_DIM);
  if (in->positions) assembled->general_gap = SC_TAKE(arena, double, generals);
  return problem->general && problem->par && problem->block && problem->x &&
      (assembled->general_gap || !in->positions);
}
/* Arms r/s; balls' reach their own surfaces, which keeps their block diagonal. */
static void set_arms(const sc_assemble_in *in, const sc_contact *contact, sc_general_contact *g) {
  const sc_bodies *bodies = in->bodies;
  const int32_t row[2] = {contact->body1, contact->body2};
  double *arm[2] = {g->arm1, g->arm2}, *scale[2] = {&g->scale1, &g->scale2};
  sc_arms(bodies, row[0], row[1], contact->point, g->arm1, g->arm2);
  for (int k = 0; k < 2; k++) {
    *scale[k] = sc_body_scale(bodies, row[k]);
    if (bodies->tensor_row[row[k]] == SC_TENSOR_BALL) sc_scale(k ? 1 : -1, contact->normal, arm[k]);
    else sc_scale(1 / *scale[k], arm[k], arm[k]);
  }
}

static void contact_info(const sc_assemble_in *in, const sc_problem *problem, const sc_general_contact *g,
    const sc_contact *contact, double off, scree_contact_info *info) {
  double u[SCREE_LAW_MAX_DIM], r1[3], r2[3], slip[3];
  sc_problem_general_velocity(problem, g, u);
  info->body1 = sc_bodies_id(in->bodies, contact->body1);
  info->body2 = sc_bodies_id(in->bodies, contact->body2);
  sc_copy3(contact->point, info->point);
  sc_copy3(contact->normal, info->normal);
  sc_copy3(g->t, info->t);
  info->gap = contact->gap;
  info->dt = in->dt;
  sc_copy3(u, info->velocity);
  info->velocity[0] += off;
  info->impulse[0] = sc_dot(contact->impulse, g->n);
  info->impulse[1] = sc_dot(contact->impulse, g->t);
  info->impulse[2] = sc_dot(contact->impulse, g->o);
  sc_arms(in->bodies, contact->body1, contact->body2, contact->point, r1, r2);
  sc_relative_velocity(in->bodies, contact->body1, r1, contact->body2, r2, g->n, slip);
  info->slip[0] = sc_dot(slip, g->t);
  info->slip[1] = sc_dot(slip, g->o);
  memcpy(info->orientation1, in->bodies->orientation[contact->body1], sizeof info->orientation1);
  memcpy(info->orientation2, in->bodies->orientation[contact->body2], sizeof info->orientation2);
  info->planar = in->bodies->planar;
  int32_t first = sc_assemble_rule(in, contact->material1, contact->material2)->first;
  info->swapped = contact->material1 != first && contact->material2 == first;
}

scree_status sc_assemble_general(const sc_assemble_in *in, int32_t index, sc_problem *problem,
    sc_assembled *assembled, sc_assemble_pools *pools, scree_error *error) {
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
  double r1[3], r2[3];
  sc_arms(in->bodies, g->i, g->j, contact->point, r1, r2);
  const double off = sc_running_normal(in->bodies, g->i, r1, g->j, r2, contact->normal);
  g->bias = sc_assemble_bias(in, contact->gap) + off;
  if (in->positions) assembled->general_gap[problem->generals] = contact->gap / in->dt + off;
  sc_copy3(contact->normal, g->n);
  if (in->bodies->planar) sc_planar_frame(in->bodies->plane, g->n, g->t, g->o);
  else sc_frame(g->n, g->t, g->o);
  set_arms(in, contact, g);
  g->dim = 3;
  /* parameters: this contact's own copy, refreshed */
  double *par = problem->par + pools->par;
  memcpy(par, rule->params, sizeof rule->params);
  g->par = pools->par;
  pools->par += SCREE_LAW_MAX_PARAMS;
  if (law->refresh) {
    scree_contact_info info;
    contact_info(in, problem, g, contact, off, &info);
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
