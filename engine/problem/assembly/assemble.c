/* Assembly: from bodies and contacts to the plain arrays of problem.h. This file sorts contacts into ball
 * contacts and general contacts, and writes ball contacts to rows or to a solver's store. assemble_bodies.c
 * sets bodies, assemble_general.c and assemble_group.c set general contacts. */
#include "problem/assembly/assemble.h"

#include <string.h>
#include "collide/collide.h"
#include "math/vec.h"
#include "model/rest.h"
#include "problem/planar.h"
#include "problem/contacts/contacts.h"
#include "problem/operator/delassus.h"
#include "problem/contacts/apply.h"
#include "problem/assembly/assembly.h"

/* Returns true if a body may be in a ball contact: a ball, or an immovable body that does not rotate and
 * has no moving surface. */
static bool is_ball_side(const sc_assemble_in *in, int32_t row) {
  const sc_bodies *bodies = in->bodies;
  if (bodies->kind[row] == SCREE_DYNAMIC) return bodies->tensor_row[row] == SC_TENSOR_BALL;
  return bodies->kind[row] == SCREE_FIXED ? !sc_bodies_runs(bodies, row)
                                          : sc_dot(bodies->spin[row], bodies->spin[row]) == 0;
}

/* Computes the friction coefficient of a rule and its bounds of moments, as lengths [m]. Returns false if the
 * law has no closed form for balls, or has moments that the solver does not support. */
static bool has_ball_form(const sc_assemble_in *in, const sc_rule *rule, double *mu, sc_ball_couple *couple) {
  const sc_law *law = in->law[rule->law];
  couple->torsion = couple->rolling = 0;
  if (law->ball_mu && law->ball_mu(rule->params, mu)) return true;
  return in->couples && law->ball_couple &&
      law->ball_couple(rule->params, mu, &couple->torsion, &couple->rolling);
}

static bool has_couples(const sc_assemble_in *in) {
  double mu;
  sc_ball_couple couple;
  for (int32_t r = 0; r < in->pairs->rules; r++)
    if (has_ball_form(in, in->pairs->rule + r, &mu, &couple) && (couple.torsion > 0 || couple.rolling > 0))
      return true;
  return false;
}

/* Returns true if the second body of a contact is represented by a periodic image, in a cell that moves or
 * may move. *image: set to the offset of this image [cell edges]. */
static bool crosses_moving_cell(
    const sc_assemble_in *in, const sc_partners *who, int32_t contact, sc_image *image) {
  if (!in->wrap || !(in->bodies->cell->moves || in->driven)) return false;
  *image = sc_assemble_image(in, who->body1, who->body2, sc_collide_image(in->collide, contact));
  return !sc_image_is_body(image);
}

/* Returns whether a periodic image moves relative to its body, or may move while the problem is solved. */
static bool image_moves(const sc_assemble_in *in, const sc_image *image) {
  double v[3];
  sc_cell_drift(in->bodies->cell, image, v);
  return in->driven || v[0] != 0 || v[1] != 0 || v[2] != 0;
}

/* Returns whether a contact can be recorded as a ball contact (problem.h). Requires that the periodic image
 * of its second body does not move. */
static bool is_ball_contact(const sc_assemble_in *in, const sc_partners *who) {
  double mu;
  sc_ball_couple couple;
  if (in->bodies->planar || in->rates) return false;
  return is_ball_side(in, who->body1) && is_ball_side(in, who->body2) &&
      has_ball_form(in, in->pairs->rule + who->rule, &mu, &couple);
}

/* Divides the bounds of a ball contact's moments, which are lengths, by s1. Sets the ratio s1/s2 and the
 * moment of the warm start. s1, s2: lengths that scale the spins (problem.h). */
static void set_couple(
    const sc_assemble_in *in, const sc_sides *sides, int32_t index, sc_ball_couple *couple) {
  double s1 = sc_body_scale(in->bodies, sides->body1), s2 = sc_body_scale(in->bodies, sides->body2);
  const double *moment = sc_assemble_moment(in, index);
  couple->torsion /= s1;
  couple->rolling /= s1;
  couple->ratio = s1 / s2;
  sc_set3(0, 0, 0, couple->m);
  if (moment) sc_scale(in->warm_start / s1, moment, couple->m);
}

static bool is_left_out(const sc_assemble_in *in, int32_t c) {
  sc_contact contact;
  if (in->skip && in->skip[c]) return true;
  if (!in->bodies->planar) return false;
  sc_collide_contact(in->collide, in->shapes, c, &contact);
  return sc_planar_flat(in->bodies->plane, contact.normal);
}

/* ---- sorting: threads count the contacts of each kind per chunk, then write them to their places ---- */

/* Kind of a contact. LEFT_OUT: the contact is not in the problem. DRIFTING: a general contact that has a
 * drift, or may get one while the problem is solved. */
enum { LEFT_OUT, BALL, GENERAL, DRIFTING };
enum { CHUNK = 1024 }; /* number of contacts per chunk */
typedef struct bodies_of {
  int32_t i, j;
} bodies_of;
typedef struct sorter {
  const sc_assemble_in *in;
  sc_problem *problem;
  sc_assembled *assembled;
  /* [contacts] kind of the contact, LEFT_OUT .. DRIFTING; NULL: every contact is a ball contact */
  uint8_t *kind;
  int32_t *balls; /* [chunks] number of ball contacts before the chunk */
  /* [rules] entries that a general contact of the rule needs: [0] without drift, [1] with drift */
  sc_general_place (*size)[2];
  /* [chunks] number of general contacts and of their entries in all earlier chunks */
  sc_general_place *generals;
  scree_error *error;
  int failed;        /* nonzero: refresh of a law failed */
  bodies_of *pair;   /* [balls] or [generals] bodies of the contacts that the store plans */
  uint8_t *form;     /* [generals] forms of the contacts' laws (sc_law_form) */
  sc_law_lane *lane; /* [rules] results of sc_assemble_lane */
  int mixed;         /* nonzero: the friction coefficients of the ball contacts differ */
  double mu;         /* friction coefficient of the first ball contact */
} sorter;

static double friction_of(const sc_assemble_in *in, int32_t material1, int32_t material2) {
  double mu = 0;
  sc_ball_couple couple;
  has_ball_form(in, sc_assemble_rule(in, material1, material2), &mu, &couple);
  return mu;
}

/* Sets the bodies and the rule of contact c in *out. Returns the index after the last contact of the same
 * pair of shapes, at most `end`. */
static int32_t find_partners(const sc_assemble_in *in, int32_t c, int32_t end, sc_partners *out) {
  sc_sides at;
  const int32_t stop = sc_collide_pair_sides(in->collide, in->shapes, c, end, &at);
  const sc_rule *rule = sc_assemble_rule(in, at.material1, at.material2);
  *out = (sc_partners){at.body1, at.body2, (int32_t)(rule - in->pairs->rule)};
  return stop;
}

/* Returns the kind of all contacts of a pair whose first contact is c. */
static uint8_t contact_kind_of(const sc_assemble_in *in, const sc_partners *who, int32_t c) {
  if (sc_bodies_rest(in->bodies, who->body1, who->body2)) return LEFT_OUT;
  sc_image image;
  const bool crosses = crosses_moving_cell(in, who, c, &image);
  if (!(crosses && image_moves(in, &image)) && is_ball_contact(in, who)) return BALL;
  return in->rates || crosses ? DRIFTING : GENERAL;
}

/* Returns the entries that a general contact of a kind and rule needs in the rows and pools. */
static const sc_general_place *entries_of(const sorter *s, int32_t rule, uint8_t kind) {
  return s->size[rule] + (kind == DRIFTING);
}

static void sort_chunk(void *context, int64_t first, int64_t end) {
  sorter *s = context;
  const sc_assemble_in *in = s->in;
  const bool some_out = in->skip || in->bodies->planar;
  uint8_t *kind = s->kind;
  sc_partners *partners = s->assembled->partners, who;
  int32_t balls = 0;
  sc_general_place generals = {0};
  for (int32_t c = (int32_t)first, stop; c < end;) {
    stop = find_partners(in, c, (int32_t)end, &who);
    const uint8_t own = contact_kind_of(in, &who, c);
    const sc_general_place size = *entries_of(s, who.rule, own);
    for (; c < stop; c++) {
      partners[c] = who;
      kind[c] = some_out && is_left_out(in, c) ? LEFT_OUT : own;
      balls += kind[c] == BALL;
      if (kind[c] >= GENERAL) sc_general_place_add(&generals, &size);
    }
  }
  s->balls[first / CHUNK] = balls;
  s->generals[first / CHUNK] = generals;
}

/* Lists the ball contacts of a chunk. If there is a store, also lists their bodies and compares their
 * friction. */
static void list_chunk(void *context, int64_t first, int64_t end) {
  sorter *s = context;
  int32_t at = s->balls[first / CHUNK], material1 = -1, material2 = -1;
  for (int64_t c = first; c < end; c++) {
    sc_sides sides;
    if (s->kind && s->kind[c] != BALL) continue;
    if (s->problem->ball_contact) s->problem->ball_contact[at] = (int32_t)c;
    if (s->pair) {
      sc_collide_sides(s->in->collide, s->in->shapes, (int32_t)c, &sides);
      s->pair[at] = (bodies_of){sides.body1, sides.body2};
      bool same = sides.material1 == material1 && sides.material2 == material2;
      material1 = sides.material1, material2 = sides.material2;
      if (!same && friction_of(s->in, material1, material2) != s->mu)
        __atomic_store_n(&s->mixed, 1, __ATOMIC_RELAXED);
    }
    at++;
  }
}

/* Sets ball contact b from a contact of the collision stage. If there is cohesion, also stores the impulse by
 * which cohesion pulls the bodies together. */
static void set_ball(const sorter *s, sc_meeting *from, int64_t b, sc_ball_contact *ball) {
  if (s->assembled->ball_pull)
    s->assembled->ball_pull[b] = sc_assemble_pull(s->in, sc_problem_ball_source(s->problem, (int32_t)b),
        &from->sides, from->gap, from->normal, from->impulse);
  sc_copy3(from->normal, ball->n);
  sc_scale(s->in->warm_start, from->impulse, ball->p);
  ball->bias = sc_assemble_bias(s->in, from->gap);
  ball->mu = s->mixed ? friction_of(s->in, from->sides.material1, from->sides.material2) : s->mu;
  ball->spring = (sc_contact_spring){0};
  ball->i = from->sides.body1;
  ball->j = from->sides.body2;
}

/* Returns the closing velocity of a ball contact [m/s], from the free velocities of its bodies and without
 * the bias. */
static inline double ball_closing_of(const sc_problem *problem, const sc_ball_contact *ball) {
  double u[3];
  sc_ball_velocity(problem->body + ball->i, problem->body + ball->j, ball->n, u);
  return -sc_dot(u, ball->n);
}

static void place_spring(
    const sorter *s, const sc_meeting *from, int64_t b, double closing, sc_ball_contact *ball) {
  const sc_contact_bodies who = {
      sc_problem_ball_source(s->problem, (int32_t)b), from->sides.body1, from->sides.body2};
  sc_assemble_spring(s->in, &who, sc_assemble_rule(s->in, from->sides.material1, from->sides.material2),
      from->gap, from->normal, from->impulse, closing, &ball->spring);
}

static void place_couple(const sorter *s, const sc_sides *sides, int64_t b) {
  double mu;
  sc_ball_couple *couple = s->problem->couple + b;
  has_ball_form(s->in, sc_assemble_rule(s->in, sides->material1, sides->material2), &mu, couple);
  set_couple(s->in, sides, sc_problem_ball_source(s->problem, (int32_t)b), couple);
}

SC_FETCH fetch_bodies(const sorter *s, int64_t b) {
  sc_sides sides;
  sc_collide_sides(s->in->collide, s->in->shapes, sc_problem_ball_source(s->problem, (int32_t)b), &sides);
  __builtin_prefetch(s->problem->body + sides.body1);
  __builtin_prefetch(s->problem->body + sides.body2);
}

/* Sets a range of ball contacts in batches. Returns the sum of their closing velocities, which is cheap here
 * because normals and bodies are in the cache. */
static double place_balls(void *context, int64_t first, int64_t end) {
  enum { AHEAD = 6 };
  const sorter *s = context;
  sc_ball_contact ball[SC_BALLS];
  double sum = 0, gap[SC_BALLS];
  int32_t count = 0;
  for (int64_t b = first; b < end; b++) {
    sc_meeting from;
    if (b + AHEAD < end) fetch_bodies(s, b + AHEAD);
    sc_collide_meeting(s->in->collide, s->in->shapes, sc_problem_ball_source(s->problem, (int32_t)b), &from);
    from.gap = sc_assemble_gap(s->in, from.gap);
    set_ball(s, &from, b, ball + count);
    const double closing = ball_closing_of(s->problem, ball + count);
    sum += closing > ball[count].bias ? closing - ball[count].bias : 0;
    if (s->in->springs) place_spring(s, &from, b, closing, ball + count);
    gap[count++] = from.gap / sc_assemble_way(s->in);
    if (s->problem->couple) place_couple(s, &from.sides, b);
    if (count < SC_BALLS && b + 1 < end) continue;
    sc_problem_put_balls(s->problem, (int32_t)(b + 1) - count, count, ball, s->in->positions ? gap : NULL);
    count = 0;
  }
  return sum;
}

/* Returns true if all contacts must be ball contacts, whatever their bodies and rules. Contacts then need no
 * sorting. */
static bool has_only_balls(const sc_assemble_in *in) {
  double mu;
  sc_ball_couple couple;
  if (in->skip || in->bodies->rest || in->bodies->planar || in->driven || in->rates) return false;
  if (in->wrap && in->bodies->cell->moves) return false;
  for (int32_t row = 0; row < in->bodies->count; row++)
    if (!is_ball_side(in, row)) return false;
  for (int32_t r = 0; r < in->pairs->rules; r++)
    if (!has_ball_form(in, in->pairs->rule + r, &mu, &couple)) return false;
  return true;
}

static bool allocate_sizes(sorter *s, int32_t chunks, sc_arena *arena) {
  const sc_pairs *pairs = s->in->pairs;
  s->kind = SC_TAKE(arena, uint8_t, s->in->contacts);
  s->assembled->partners = SC_TAKE(arena, sc_partners, s->in->contacts);
  s->generals = SC_TAKE(arena, sc_general_place, chunks);
  s->size = sc_arena_take(arena, (size_t)pairs->rules * sizeof *s->size);
  s->lane = SC_TAKE(arena, sc_law_lane, pairs->rules);
  for (int32_t r = 0; r < pairs->rules && s->size && s->lane; r++) {
    for (int row = 0; row < 2; row++) sc_assemble_general_size(s->in, pairs->rule + r, row, s->size[r] + row);
    s->lane[r] = sc_assemble_lane(s->in, pairs->rule + r);
  }
  s->problem->partners = s->assembled->partners;
  return s->kind && s->assembled->partners && s->generals && s->size && s->lane;
}

/* Sorts all contacts: sets their kinds, and the places of the first ball contact and the first general
 * contact of every chunk. *balls, *generals: the totals. Returns false if out of memory. */
static bool sort_contacts(sorter *s, sc_arena *arena, int32_t *balls, sc_general_place *generals) {
  int32_t chunks = (s->in->contacts + CHUNK - 1) / CHUNK;
  s->balls = SC_TAKE(arena, int32_t, chunks);
  if (!s->balls) return false;
  *generals = (sc_general_place){0};
  if (has_only_balls(s->in)) {
    for (int32_t k = 0; k < chunks; k++) s->balls[k] = k * CHUNK;
    *balls = s->in->contacts;
    return true;
  }
  if (!allocate_sizes(s, chunks, arena)) return false;
  sc_pool_ranges(s->in->pool, s->in->contacts, CHUNK, sort_chunk, s);
  *balls = 0;
  for (int32_t k = 0; k < chunks; k++) {
    int32_t count = s->balls[k];
    sc_general_place size = s->generals[k];
    s->balls[k] = *balls;
    s->generals[k] = *generals;
    *balls += count;
    sc_general_place_add(generals, &size);
  }
  return true;
}

static bool allocate_rows(sorter *s, int32_t balls, int32_t generals, sc_arena *arena) {
  sc_problem *problem = s->problem;
  problem->ball = SC_TAKE(arena, sc_ball_contact, balls);
  problem->ball_contact = SC_TAKE(arena, int32_t, balls);
  if (s->in->positions) problem->gap = SC_TAKE(arena, double, (size_t)balls + (size_t)generals);
  if (!problem->ball || !problem->ball_contact || (s->in->positions && !problem->gap)) return false;
  sc_pool_ranges(s->in->pool, s->in->contacts, CHUNK, list_chunk, s);
  return true;
}

static double first_friction(const sorter *s) {
  sc_sides sides;
  int32_t c = 0;
  while (s->kind && s->kind[c] != BALL) c++;
  sc_collide_sides(s->in->collide, s->in->shapes, c, &sides);
  return friction_of(s->in, sides.material1, sides.material2);
}

static void list_general_pairs(void *context, int64_t first, int64_t end) {
  sorter *s = context;
  int32_t at = s->generals[first / CHUNK].general;
  for (int64_t c = first; c < end; c++) {
    const sc_partners *who = s->assembled->partners + c;
    if (s->kind[c] < GENERAL) continue;
    s->pair[at] = (bodies_of){who->body1, who->body2};
    if (s->problem->general_contact) s->problem->general_contact[at] = (int32_t)c;
    const bool row = entries_of(s, who->rule, s->kind[c])->row;
    s->form[at++] = (uint8_t)(row ? SC_FORM_NONE : s->lane[who->rule].form);
  }
}

/* Sets which additional arrays the bundles need for the forms of laws. */
static void note_forms(const sorter *s, sc_contact_pairs *pairs) {
  for (int32_t r = 0; r < s->in->pairs->rules && !s->in->rates; r++) {
    pairs->holds |= s->lane[r].mu_static > s->lane[r].mu;
    pairs->elliptic |= sc_law_elliptic((int)s->lane[r].form);
    pairs->rolls |= sc_law_rolls((int)s->lane[r].form);
  }
}

static bool plan_general_bundles(sorter *s, sc_arena *arena) {
  sc_problem *problem = s->problem;
  sc_contacts *store = s->in->store;
  if (!problem->generals) return true;
  sc_arena_mark mark = sc_arena_here(arena);
  s->pair = SC_TAKE(arena, bodies_of, problem->generals);
  s->form = SC_TAKE(arena, uint8_t, problem->generals);
  if (!s->pair || !s->form) return false;
  sc_pool_ranges(s->in->pool, s->in->contacts, CHUNK, list_general_pairs, s);
  sc_contact_pairs pairs = {.first = &s->pair->i,
      .second = &s->pair->j,
      .stride = sizeof *s->pair / sizeof(int32_t),
      .springs = s->in->springs};
  note_forms(s, &pairs);
  return sc_contacts_plan_generals(store, problem, &pairs, s->form, mark, arena);
}

/* Plans the places of all contacts in the store. The problem's bodies must be set. */
static bool plan_store(sorter *s, int32_t balls, int32_t generals, sc_arena *arena) {
  const sc_assemble_in *in = s->in;
  if (s->kind && !(s->problem->ball_contact = SC_TAKE(arena, int32_t, balls))) return false;
  if (!sc_contacts_open(in->store, balls, generals, sc_problem_has_user_law(s->problem), arena)) return false;
  sc_arena_mark mark = sc_arena_here(arena);
  s->pair = SC_TAKE(arena, bodies_of, balls);
  if (!s->pair) return false;
  s->mixed = 0;
  if (balls) s->mu = first_friction(s);
  sc_pool_ranges(in->pool, in->contacts, CHUNK, list_chunk, s);
  const sc_contact_pairs pairs = {.first = balls ? &s->pair->i : NULL,
      .second = balls ? &s->pair->j : NULL,
      .stride = sizeof *s->pair / sizeof(int32_t),
      .springs = in->springs,
      .one_mu = !s->mixed,
      .mu = s->mu,
      .gaps = in->positions};
  if (!sc_contacts_plan_balls(in->store, s->problem, &pairs, mark, arena)) return false;
  s->problem->store = in->store;
  return plan_general_bundles(s, arena);
}

static bool plan_timed(sorter *s, int32_t balls, int32_t generals, sc_arena *arena) {
  sc_stopwatch *watch = s->in->watch;
  const int before = sc_stopwatch_switch(watch, SCREE_STAGE_SOLVE);
  const bool planned = plan_store(s, balls, generals, arena);
  sc_stopwatch_switch(watch, before);
  return planned;
}

/* Sets the general contacts of a chunk that are not plain (sc_general_place). Stops after a law has
 * failed. */
static void place_generals(void *context, int64_t first, int64_t end) {
  sorter *s = context;
  sc_general_place at = s->generals[first / CHUNK];
  for (int64_t c = first; c < end && !__atomic_load_n(&s->failed, __ATOMIC_RELAXED); c++) {
    if (s->kind[c] < GENERAL) continue;
    const sc_general_place *size = entries_of(s, s->assembled->partners[c].rule, s->kind[c]);
    if (!size->plain &&
        sc_assemble_general(s->in, (int32_t)c, &at, size->row, s->problem, s->assembled, s->error) !=
            SCREE_OK)
      __atomic_store_n(&s->failed, 1, __ATOMIC_RELAXED);
    sc_general_place_add(&at, size);
  }
}

static scree_status set_generals(sorter *s, int32_t plain, scree_error *error) {
  sc_pool *pool = sc_problem_has_user_law(s->problem) ? NULL : s->in->pool;
  if (s->in->store && s->problem->generals) sc_assemble_groups(s->in, s->lane, s->problem);
  if (plain == s->problem->generals) return SCREE_OK;
  s->error = error;
  if (s->problem->generals) sc_pool_ranges(pool, s->in->contacts, CHUNK, place_generals, s);
  return s->failed ? SCREE_E_LAW : SCREE_OK;
}

/* Sets all ball contacts, in rows or in the store. Plans the general contacts of a store. Returns false if
 * out of memory. */
static bool set_balls(sorter *s, int32_t balls, int32_t generals, sc_arena *arena) {
  s->problem->balls = balls;
  s->mixed = 1;
  if (s->in->pull_at >= 0 && !(s->assembled->ball_pull = SC_TAKE(arena, double, balls))) return false;
  if (has_couples(s->in) && balls && !(s->problem->couple = SC_TAKE(arena, sc_ball_couple, balls)))
    return false;
  if (!(s->in->store ? plan_timed(s, balls, generals, arena) : allocate_rows(s, balls, generals, arena)))
    return false;
  s->assembled->closing = sc_pool_sum(s->in->pool, balls, place_balls, s);
  return true;
}

scree_status sc_assemble(const sc_assemble_in *in, sc_arena *arena, sc_problem *problem,
    sc_assembled *assembled, scree_error *error) {
  SC_ASSERT(in && arena && problem && in->dt > 0);
  sorter s = {.in = in, .problem = problem, .assembled = assembled};
  int32_t balls;
  sc_general_place generals;
  SC_ASSERT(in->dt > 0 && in->contacts >= 0);
  *assembled = (sc_assembled){0};
  *problem = (sc_problem){.law = (const sc_law **)in->law,
      .laws = in->laws,
      .dt = in->dt,
      .planar = in->bodies->planar,
      .springs = in->springs,
      .drifts = in->rates || (in->wrap && (in->bodies->cell->moves || in->driven)),
      .gravity = sc_norm(in->gravity)};
  sc_copy3(in->bodies->plane, problem->plane);
  if (!sort_contacts(&s, arena, &balls, &generals) || !sc_assemble_bodies(in, arena, problem) ||
      !sc_assemble_take_generals(in, &generals, arena, problem, assembled) ||
      !set_balls(&s, balls, generals.general, arena))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts", in->contacts);
  scree_status status = set_generals(&s, generals.plain, error);
  if (status == SCREE_OK && in->pull_at >= 0)
    sc_problem_pull_all(problem, assembled->ball_pull, assembled->general_pull, in->pool);
  return status;
}
