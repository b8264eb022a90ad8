/* Assembly of general contacts: frame, arms, refreshed parameters of the law, Delassus block, warm start. */
#include <string.h>
#include "collide/collide.h"
#include "law/cohesion/cohesion.h"
#include "math/vec.h"
#include "model/relative.h"
#include "model/turning.h"
#include "problem/assembly/assemble.h"
#include "problem/planar.h"
#include "problem/operator/delassus.h"
#include "problem/assembly/assembly.h"
#include "problem/contacts/contacts.h"

/* Returns true if each contact of a rule needs a copy of the law's parameters. */
static bool has_own_parameters(const sc_assemble_in *in, const sc_rule *rule) {
  const sc_law *law = in->law[rule->law];
  if (law->user) return true; /* error messages identify the contact by the address of its parameters */
  return law->refresh && (!law->varies || law->varies(rule->params, in->bodies->planar));
}

/* Refreshed elliptic laws have no form in planar problems. The plane cuts their elliptic cone into another
 * cone, which depends on the refreshed parameters. */
sc_law_lane sc_assemble_lane(const sc_assemble_in *in, const sc_rule *rule) {
  const sc_law *law = in->law[rule->law];
  const sc_law_lane none = {.form = SC_FORM_NONE}, lane = law->lane ? law->lane(rule->params) : none;
  return in->bodies->planar && sc_law_elliptic((int)lane.form) && has_own_parameters(in, rule) ? none : lane;
}

void sc_assemble_general_size(
    const sc_assemble_in *in, const sc_rule *rule, bool row, sc_general_place *size) {
  const sc_law *law = in->law[rule->law];
  const int dim = law->dim ? law->dim(rule->params) : 3;
  const bool own = has_own_parameters(in, rule),
             pulled = in->pull_at >= 0 && sc_cohesion_acts(&rule->cohesion);
  row = row || !in->store || sc_assemble_lane(in, rule).form == SC_FORM_NONE;
  *size = (sc_general_place){.general = 1,
      .row = row,
      .par = own ? SCREE_LAW_MAX_PARAMS : 0,
      .block = row ? dim * dim : 0,
      .x = row ? dim : 0,
      .plain = !row && !own && !pulled && !in->bodies->planar};
}

bool sc_assemble_take_generals(const sc_assemble_in *in, const sc_general_place *end, sc_arena *arena,
    sc_problem *problem, sc_assembled *assembled) {
  size_t shared = (size_t)in->pairs->rules * SCREE_LAW_MAX_PARAMS;
  const bool sources = in->store && end->general < in->contacts;
  problem->generals = end->general;
  problem->general_rows = end->row;
  problem->general = SC_TAKE(arena, sc_general_contact, end->row);
  problem->par = SC_TAKE(arena, double, end->general ? shared + (size_t)end->par : 0);
  problem->row_law = SC_TAKE(arena, int32_t, in->pairs->rules + end->par / SCREE_LAW_MAX_PARAMS);
  problem->block = SC_TAKE(arena, double, end->block);
  problem->x = SC_TAKE(arena, double, end->x);
  if (in->pull_at >= 0) assembled->general_pull = SC_TAKE(arena, double, end->general);
  if (assembled->general_pull) memset(assembled->general_pull, 0, (size_t)end->general * sizeof(double));
  if (sources) problem->general_contact = SC_TAKE(arena, int32_t, end->general);
  for (int32_t r = 0; r < in->pairs->rules && end->general && problem->par && problem->row_law; r++) {
    memcpy(problem->par + (size_t)r * SCREE_LAW_MAX_PARAMS, in->pairs->rule[r].params,
        sizeof in->pairs->rule[r].params);
    problem->row_law[r] = in->pairs->rule[r].law;
  }
  return problem->general && problem->par && problem->row_law && problem->block && problem->x &&
      (assembled->general_pull || in->pull_at < 0) && (problem->general_contact || !sources);
}

/* Sets arm = r/s of a body and returns s, the length that scales its spin. The arm of a ball is out * n and
 * ends at its own surface, because its block is then diagonal. */
static double set_arm(
    const sc_bodies *bodies, int32_t row, const double r[3], double out, const double n[3], double arm[3]) {
  const double scale = sc_body_scale(bodies, row);
  if (sc_bodies_has_ball_arm(bodies, row)) sc_scale(out, n, arm);
  else sc_scale(1 / scale, r, arm);
  return scale;
}

/* Sets g->drift of a contact with a periodic image of its second body: the velocity of the image relative to
 * the body. */
static void set_drift(const sc_assemble_in *in, const sc_image *image, sc_general_contact *g) {
  double v[3];
  sc_image from = sc_assemble_image(in, g->i, g->j, *image);
  g->drifts = !sc_image_is_body(&from);
  sc_cell_drift(in->bodies->cell, &from, v);
  g->drift[0] = -sc_dot(g->n, v), g->drift[1] = -sc_dot(g->t, v), g->drift[2] = -sc_dot(g->o, v);
  if (in->bodies->planar) g->drift[2] = 0;
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
  sc_arms(in->bodies, contact->body1, contact->body2, &contact->image, contact->point, r1, r2);
  sc_relative_velocity(in->bodies, contact->body1, r1, contact->body2, &contact->image, r2, g->n, slip);
  info->slip[0] = sc_dot(slip, g->t);
  info->slip[1] = sc_dot(slip, g->o);
  memcpy(info->orientation1, in->bodies->orientation[contact->body1], sizeof info->orientation1);
  memcpy(info->orientation2, in->bodies->orientation[contact->body2], sizeof info->orientation2);
  info->planar = in->bodies->planar;
  int32_t first = sc_assemble_rule(in, contact->material1, contact->material2)->first;
  info->radius = sc_bodies_contact_radius(in->bodies, contact->body1, contact->body2);
  const sc_face_point *face = sc_assemble_face(in, g->contact);
  info->area = face ? face->area : 0;
  info->face = face ? (int)face->status : 0;
  info->swapped = contact->material1 != first && contact->material2 == first;
}

/* Sets the parameters of a contact's law: those of its rule, or a refreshed copy. */
static scree_status set_parameters(const sc_assemble_in *in, const sc_contact *contact, int32_t index,
    double off, const sc_general_place *place, const sc_problem *problem, sc_general_contact *g,
    scree_error *error) {
  const sc_rule *rule = sc_assemble_rule(in, contact->material1, contact->material2);
  const sc_law *law = in->law[rule->law];
  if (!has_own_parameters(in, rule)) {
    g->par = (int32_t)(rule - in->pairs->rule) * SCREE_LAW_MAX_PARAMS;
    return SCREE_OK;
  }
  g->par = in->pairs->rules * SCREE_LAW_MAX_PARAMS + place->par;
  problem->row_law[g->par / SCREE_LAW_MAX_PARAMS] = rule->law;
  double *par = problem->par + g->par;
  memcpy(par, rule->params, sizeof rule->params);
  if (!law->refresh) return SCREE_OK;
  scree_contact_info info;
  contact_info(in, problem, g, contact, off, &info);
  bool kept = in->state_stride >= SCREE_LAW_MAX_STATE;
  double *state = kept ? in->state + (size_t)index * (size_t)in->state_stride : NULL,
         copy[SCREE_LAW_MAX_STATE];
  if (state && in->states_stay) state = memcpy(copy, state, sizeof copy);
  return law->refresh(law, par, state, &info, error) ? SCREE_E_LAW : SCREE_OK;
}

/* Sets the start impulses x: impulse and moment of the last step, times warm_start, in the contact's
 * frame. */
static void set_start_impulses(const sc_assemble_in *in, const sc_contact *contact, int32_t index,
    const sc_general_contact *g, double *x) {
  const double *moment = sc_assemble_moment(in, index), *axis[] = {g->n, g->t, g->o};
  for (int r = 0; r < 3; r++) x[r] = in->warm_start * sc_dot(contact->impulse, axis[r]);
  for (int r = 3; r < g->dim; r++) x[r] = moment ? in->warm_start * sc_dot(moment, axis[r - 3]) : 0;
}

/* Memory of a contact that is being assembled: its row in the problem, or a copy that is written to the
 * store. */
typedef struct making {
  sc_general_contact *g;
  double *A, *x, *gap;
} making;

/* Sets the bias and gap/dt of a contact. off: normal velocity of moving surfaces [m/s]. */
static void set_gap(const sc_assemble_in *in, const sc_contact *contact, double off, const making *m) {
  const double gap = sc_assemble_gap(in, contact->gap);
  m->g->bias = sc_assemble_bias(in, gap) + off;
  *m->gap = gap / sc_assemble_way(in) + off;
}

/* Sets the drift of a contact: the velocity from the motion of the cell, plus the rate of the contact's
 * velocity times rate_time. */
static void add_drifts(const sc_assemble_in *in, const sc_contact *contact, sc_general_contact *g) {
  if (in->wrap) set_drift(in, &contact->image, g);
  if (!in->rates) return;
  const double *rate = in->state + (size_t)g->contact * (size_t)in->state_stride + in->rate_at;
  g->drifts = true;
  g->drift[0] += in->rate_time * rate[3];
  g->drift[1] += in->rate_time * sc_dot(rate, g->t);
  if (!in->bodies->planar) g->drift[2] += in->rate_time * sc_dot(rate, g->o);
}

/* Replaces the arm r2 of a rotating immovable body by the arm in the middle of the step. Returns the normal
 * velocity to add to the contact [m/s]. Only body 2 can be immovable (sc_list_orient). */
static double find_turning(const sc_assemble_in *in, const sc_general_contact *g, const sc_contact *contact,
    const double r1[3], double r2[3]) {
  const sc_bodies *bodies = in->bodies;
  double place[3];
  if (!in->middle || !sc_bodies_turn(bodies, g->j)) return 0;
  const double off = sc_turning_place(bodies, g->i, g->j, r1, r2, contact->normal, in->dt, place);
  sc_displacement(bodies, &contact->image, contact->point, place, r2);
  return off;
}

/* Sets the spring of a contact. off: normal velocity of moving surfaces [m/s]. */
static void set_general_spring(const sc_assemble_in *in, const sc_contact *contact, double off,
    const sc_problem *problem, sc_general_contact *g) {
  double u[SCREE_LAW_MAX_DIM] = {0}, last[3];
  const sc_rule *rule = sc_assemble_rule(in, contact->material1, contact->material2);
  if (sc_spring_needs_closing(rule)) sc_problem_general_velocity(problem, g, u);
  sc_assemble_spring(in, &(sc_contact_bodies){g->contact, g->i, g->j}, rule,
      sc_assemble_gap(in, contact->gap), g->n, contact->impulse, -u[0] - off, &g->spring);
  if (g->spring.normal > 0) g->spring.bias += off;
  sc_copy3(g->spring.last, last);
  sc_set3(0, sc_dot(last, g->t), sc_dot(last, g->o), g->spring.last);
  if (in->bodies->planar) g->spring.last[2] = 0;
}

static scree_status make_general(const sc_assemble_in *in, const sc_contact *contact,
    const sc_general_place *place, const sc_problem *problem, const making *m, scree_error *error) {
  sc_general_contact *g = m->g;
  const sc_law *law = in->law[g->law];
  double r1[3], r2[3];
  sc_arms(in->bodies, g->i, g->j, &contact->image, contact->point, r1, r2);
  const double off = sc_running_normal(in->bodies, g->i, r1, g->j, r2, contact->normal) +
      find_turning(in, g, contact, r1, r2);
  set_gap(in, contact, off, m);
  sc_copy3(contact->normal, g->n);
  if (in->bodies->planar) sc_planar_frame(in->bodies->plane, g->n, g->t, g->o);
  else sc_frame(g->n, g->t, g->o);
  g->scale1 = set_arm(in->bodies, g->i, r1, -1, contact->normal, g->arm1);
  g->scale2 = set_arm(in->bodies, g->j, r2, 1, contact->normal, g->arm2);
  if (problem->drifts) add_drifts(in, contact, g);
  scree_status status = set_parameters(in, contact, g->contact, off, place, problem, g, error);
  if (status != SCREE_OK) return status;
  if (law->dim) g->dim = law->dim(problem->par + g->par);
  set_start_impulses(in, contact, g->contact, g, m->x);
  if (in->springs) set_general_spring(in, contact, off, problem, g);
  return SCREE_OK;
}

scree_status sc_assemble_general(const sc_assemble_in *in, int32_t index, const sc_general_place *place,
    bool row, const sc_problem *problem, sc_assembled *assembled, scree_error *error) {
  sc_contact contact;
  sc_general_room scratch;
  double gap = 0;
  sc_collide_contact(in->collide, in->shapes, index, &contact);
  const sc_rule *rule = sc_assemble_rule(in, contact.material1, contact.material2);
  if (in->pull_at >= 0) {
    const sc_sides sides = {contact.body1, contact.body2, contact.material1, contact.material2};
    assembled->general_pull[place->general] = sc_assemble_pull(
        in, index, &sides, contact.gap, contact.normal, contact.impulse);
  }
  making m = {&scratch.c, scratch.A, scratch.x, &gap};
  if (row)
    m = (making){problem->general + place->row, problem->block + place->block, problem->x + place->x, &gap};
  *m.g = (sc_general_contact){.i = contact.body1,
      .j = contact.body2,
      .law = rule->law,
      .contact = index,
      .dim = 3,
      .block = place->block,
      .x = place->x};
  scree_status status = make_general(in, &contact, place, problem, &m, error);
  if (status != SCREE_OK) return status;
  assembled->partners[index].rule = m.g->par / SCREE_LAW_MAX_PARAMS;
  sc_problem_general_block(problem, m.g, m.A);
  const sc_general made = {m.g, m.A, m.x};
  sc_problem_put_general(problem, place->general, &made, gap);
  return SCREE_OK;
}
