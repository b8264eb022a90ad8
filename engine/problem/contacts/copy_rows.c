/* Copies the contacts of a problem in rows to a store, and impulses of the store back to the rows. */
#include <string.h>

#include "problem/contacts/contacts.h"
#include "problem/contacts/generals.h"

enum { CHUNK = 512 }; /* contacts that a thread copies at a time */

typedef struct copier {
  const sc_problem *problem;
  sc_problem with;            /* the problem with the store of copies */
  uint8_t *form;              /* [generals] form of the contact's law */
  int holds, elliptic, rolls; /* nonzero: some contact needs the array of this name in sc_contact_pairs */
} copier;

/* ---- ball contacts ---- */

static bool plan_balls(const copier *f, sc_arena *arena) {
  const sc_problem *problem = f->problem;
  const int32_t balls = problem->balls;
  sc_contact_pairs pairs = {.stride = sizeof *problem->ball / sizeof(int32_t),
      .one_mu = true,
      .gaps = problem->gap != NULL,
      .springs = problem->springs};
  if (balls) pairs.first = &problem->ball->i, pairs.second = &problem->ball->j, pairs.mu = problem->ball->mu;
  for (int32_t c = 1; c < balls && pairs.one_mu; c++) pairs.one_mu = problem->ball[c].mu == problem->ball->mu;
  return sc_contacts_plan_balls(f->with.store, problem, &pairs, sc_arena_here(arena), arena);
}

static void put_balls(void *context, int64_t first, int64_t end) {
  const copier *f = context;
  const sc_problem *problem = f->problem;
  sc_problem_put_balls(&f->with, (int32_t)first, (int32_t)(end - first), problem->ball + first,
      problem->gap ? problem->gap + first : NULL);
}

/* ---- general contacts ---- */

/* Returns the form and the coefficients of a contact's law. The form is SC_FORM_NONE if the contact must
 * remain a row. */
static sc_law_lane lane_of(const sc_problem *problem, const sc_general_contact *c) {
  const sc_law *law = problem->law[c->law];
  sc_law_lane none = {.form = SC_FORM_NONE};
  if ((problem->drifts && c->drifts) || !law->lane) return none;
  sc_law_lane lane = law->lane(problem->par + c->par);
  return sc_law_rolls((int)lane.form) == (c->dim > 3) ? lane : none;
}

static void set_flag(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELAXED); }

static void find_forms(void *context, int64_t first, int64_t end) {
  copier *f = context;
  for (int64_t c = first; c < end; c++) {
    sc_law_lane lane = lane_of(f->problem, f->problem->general + c);
    f->form[c] = (uint8_t)lane.form;
    if (lane.form != SC_FORM_NONE && lane.mu_static > lane.mu) set_flag(&f->holds);
    if (sc_law_elliptic((int)lane.form)) set_flag(&f->elliptic);
    if (sc_law_rolls((int)lane.form)) set_flag(&f->rolls);
  }
}

static bool plan_general_copies(copier *f, sc_arena *arena) {
  const sc_problem *problem = f->problem;
  const int32_t generals = problem->generals;
  if (!generals) return true;
  const sc_arena_mark mark = sc_arena_here(arena);
  f->form = SC_TAKE(arena, uint8_t, generals);
  if (!f->form) return false;
  sc_pool_ranges(f->with.store->generals->slots.pool, generals, CHUNK, find_forms, f);
  const sc_contact_pairs pairs = {.first = &problem->general->i,
      .second = &problem->general->j,
      .stride = sizeof *problem->general / sizeof(int32_t),
      .holds = f->holds,
      .elliptic = f->elliptic,
      .rolls = f->rolls,
      .springs = problem->springs};
  return sc_contacts_plan_generals(f->with.store, problem, &pairs, f->form, mark, arena);
}

static void put_generals(void *context, int64_t first, int64_t end) {
  const copier *f = context;
  const sc_problem *problem = f->problem;
  for (int64_t c = first; c < end; c++) {
    const sc_general row = sc_problem_row(problem, problem->general + c);
    const double gap = problem->gap ? problem->gap[problem->balls + c] : 0;
    sc_problem_put_general(&f->with, (int32_t)c, &row, gap);
  }
}

sc_contacts *sc_contacts_of_rows(const sc_problem *problem, sc_pool *pool, sc_arena *arena) {
  copier f = {.problem = problem, .with = *problem};
  sc_contacts *store = f.with.store = sc_contacts_create(0, sc_problem_exchange(problem), pool, arena);
  const bool user_law = sc_problem_has_user_law(problem);
  if (!store || !sc_contacts_open(store, problem->balls, problem->generals, user_law, arena) ||
      !plan_balls(&f, arena) || !plan_general_copies(&f, arena))
    return NULL;
  sc_pool_ranges(store->pool, problem->balls, SC_RANGE, put_balls, &f);
  sc_pool_ranges(store->generals->slots.pool, problem->generals, CHUNK, put_generals, &f);
  return store;
}

/* ---- impulses back to the rows ---- */

static void get_balls(void *context, int64_t first, int64_t end) {
  const copier *f = context;
  const sc_problem *problem = f->problem;
  for (int64_t c = first; c < end; c++) {
    if (problem->couple) sc_couple_get(f->with.store, (int32_t)c, problem->couple[c].m);
    if (problem->store) continue;
    sc_copy3(sc_problem_ball(&f->with, (int32_t)c).p, problem->ball[c].p);
  }
}

static void get_generals(void *context, int64_t first, int64_t end) {
  const copier *f = context;
  const sc_generals *from = f->with.store->generals;
  for (int64_t c = first; c < end; c++) {
    const uint32_t slot = (uint32_t)from->slots.slot[c], group = slot / SC_LANES, l = slot % SC_LANES;
    const sc_general_contact *g = f->problem->general + c;
    double *x = f->problem->x + g->x;
    if (sc_slot_kind(from->taken[group]) == SC_BUNDLE_ROWS) continue;
    for (int k = 0; k < 3; k++) x[k] = from->bundle[group].x[k][l];
    for (int k = 3; k < g->dim; k++) x[k] = g->scale1 * from->couple[group].m[k - 3][l];
  }
}

/* Computes the moments that sc_problem_general reads, from those of sweeps, which are divided by s1. */
static void get_moments(void *context, int64_t first, int64_t end) {
  const sc_generals *g = ((const copier *)context)->with.store->generals;
  for (int64_t at = first; at < end; at++) {
    if (!sc_law_rolls(sc_slot_kind(g->taken[at]))) continue;
    for (int k = 0; k < 3; k++)
      for (int l = 0; l < SC_LANES; l++)
        g->moments[at].x[k][l] = g->moments[at].scale1[l] * g->couple[at].m[k][l];
  }
}

void sc_contacts_copy_back(const sc_contacts *store, const sc_problem *problem) {
  copier f = {.problem = problem, .with = {.store = (sc_contacts *)store}};
  const sc_generals *g = store->generals;
  if (!problem->store || problem->couple)
    sc_pool_ranges(store->pool, problem->balls, SC_RANGE, get_balls, &f);
  if (!problem->store) sc_pool_ranges(g->slots.pool, problem->generals, CHUNK, get_generals, &f);
  else if (g->moments) sc_pool_ranges(g->slots.pool, g->slots.count, CHUNK / SC_LANES, get_moments, &f);
}
