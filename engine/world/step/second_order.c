/* Steps of second order: velocities change by halves at both ends of the way, and steps are cut where
 * contacts close.
 *
 * A part of a step, of length h, from positions x and velocities v:
 *     leave     u' = v + h/2 M^-1 f + M^-1 J(x)' p     with the contact law for the motion x' = x + h u'
 *     move      x' = x + h u', q' likewise; contacts are found again
 *     arrive    v' = u' + h/2 M^-1 f' + M^-1 J(x')' p'  with the contact law for v' at x'
 * This is RATTLE (Andersen 1983) for contacts. While bodies move, the velocity J u' at a contact changes at
 * a rate k, by the curvature of paths and surfaces. The law for the motion is that for its middle, J(x) u' +
 * h k/2: k is the rate measured in the part before (curve.c). Without it a contact that pivots or rolls
 * loses energy of first order.
 *
 * A contact that closes fast changes velocities at once. A part ends where the first of these contacts closes
 * (closing.c). There the contacts are solved once more, without forces:
 *     strike    v" = v' + M^-1 J(x')' p",  J v" >= 0 where closed
 * behind the impacts of pairs with restitution. Before, fast contacts are left out: a contact that is made
 * to end at a gap of 0 takes the impact too early. After MOST_CUTS cuts the rest of the step takes all
 * contacts as they are. */
#include "world/step/second_order.h"

#include <string.h>
#include "math/vec.h"
#include "world/cell/cell_drive.h"
#include "world/step/losses.h"
#include "world/step/solve.h"

enum { MOST_CUTS = 8, MOST_STRIKES = 4 };
static const double END = 1e-6; /* of a part: a contact that closes later closes at its end */

typedef struct flow {
  scree_world *world;
  double dt, left; /* the step; what is left of it */
  double kick;     /* time for which forces acted in the impulses that contacts have; 0: in none */
  uint8_t *kind;   /* per contact (closing.c) */
  double widest;   /* gap of those that are struck */
  int64_t iterations, impacts;
  sc_arena_mark mark;
} flow;

static scree_status no_memory(const scree_world *world, scree_error *error) {
  return sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts", world->contacts);
}

/* Finds contacts at the present positions, and their kinds after a way. */
static scree_status find(flow *f, double way, scree_error *error) {
  scree_world *world = f->world;
  sc_arena_back(&world->arena, f->mark);
  scree_status status = sc_world_contacts(world, f->dt, error);
  if (status != SCREE_OK) return status;
  f->kind = SC_TAKE(&world->arena, uint8_t, world->contacts + 1);
  if (!f->kind) return no_memory(world, error);
  sc_closing_find(world, f->dt, way, f->kind, &f->widest);
  return SCREE_OK;
}

/* The contacts to be left out: those of kinds from `kind` on, NULL for none. */
static scree_status leave_out(flow *f, int kind, const uint8_t **skip, scree_error *error) {
  uint8_t *out = SC_TAKE(&f->world->arena, uint8_t, f->world->contacts + 1);
  if (!out) return no_memory(f->world, error);
  for (int32_t c = 0; c < f->world->contacts; c++) out[c] = f->kind[c] != SC_SLOW && f->kind[c] <= kind;
  *skip = out;
  return SCREE_OK;
}

/* Share of the impulses of contacts that a solution starts from whose forces act for `kick`. Impulses of
 * impacts do not grow with time. */
static double start_share(const flow *f, double kick) { return f->kick > 0 ? fmin(1, kick / f->kick) : 0; }

/* Solves a stage whose forces act for `kick`; velocities are those of the problem. */
static scree_status solve(
    flow *f, sc_stage *stage, double kick, sc_solver_report *report, scree_error *error) {
  scree_world *world = f->world;
  const scree_world_def *def = &world->def;
  double start = sc_clock_wall();
  stage->warm = start_share(f, kick);
  world->stage = stage;
  scree_status status = sc_world_assemble(
      world, sc_world_solver(world), kick, def->erp, def->drift_time, false, NULL, error);
  world->seconds[SCREE_STAGE_ASSEMBLE] += sc_clock_wall() - start;
  start = sc_clock_wall();
  if (status == SCREE_OK) status = sc_world_solve(world, report, error);
  if (status == SCREE_OK) status = sc_world_check_finite(world, error);
  world->seconds[SCREE_STAGE_SOLVE] += sc_clock_wall() - start;
  f->iterations += world->iterations;
  return status;
}

static scree_status store(flow *f, double kick, scree_error *error) {
  scree_world *world = f->world;
  sc_losses_begin(world);
  sc_world_store_solution(world, NULL, NULL);
  sc_losses_add_half(world);
  f->kick = kick;
  sc_curves_add(world);
  return sc_losses_close(world, error);
}

/* ---- impacts ---- */

/* Impulses of contacts and the pulls of cohesion among them, which a strike must not change: it has its own.
 * */
typedef struct kept {
  double (*impulse)[3], *pull;
} kept;

static scree_status keep_impulses(flow *f, kept *k, scree_error *error) {
  scree_world *world = f->world;
  k->impulse = sc_arena_take(&world->arena, (size_t)(world->contacts + 1) * sizeof *k->impulse);
  k->pull = SC_TAKE(&world->arena, double, world->contacts + 1);
  if (!k->impulse || !k->pull) return no_memory(world, error);
  for (int32_t c = 0; c < world->contacts; c++) {
    sc_copy3(sc_collide_impulse(world->collide, c), k->impulse[c]);
    k->pull[c] = sc_world_pull(world, c);
  }
  return SCREE_OK;
}

static void restore_impulses(const flow *f, const kept *k) {
  scree_world *world = f->world;
  const int at = sc_world_pull_at(world);
  for (int32_t c = 0; c < world->contacts; c++) {
    sc_collide_keep(world->collide, c, k->impulse[c], SCREE_STICKING);
    if (at >= 0) world->state[(size_t)c * (size_t)world->state_stride + (size_t)at] = k->pull[c];
  }
}

/* Impacts of pairs with restitution among the contacts that are struck. */
static scree_status rebound(flow *f, double way, scree_error *error) {
  scree_world *world = f->world;
  scree_status status = sc_world_impacts_within(world, SC_CLOSED_PART * way, f->dt, error);
  if (status != SCREE_OK || !world->blows) return status;
  f->impacts += world->impacts;
  for (int32_t c = 0; c < world->contacts; c++) {
    double *sum = sc_world_curve(world, c)->impulse;
    sc_add(sum, world->blow[c], sum);
  }
  world->blows = 0;
  return SCREE_OK;
}

static scree_status strike(flow *f, double way, scree_error *error) {
  const double kick = f->kick;
  kept k;
  scree_status status = keep_impulses(f, &k, error);
  if (status == SCREE_OK) status = rebound(f, way, error);
  if (status != SCREE_OK) return status;
  sc_stage stage = {.way = way, .strikes = true, .closed = f->widest};
  sc_solver_report report = {0};
  f->kick = 0;
  status = leave_out(f, SC_FAST, &stage.skip, error);
  if (status == SCREE_OK) status = solve(f, &stage, way / 2, &report, error);
  if (status == SCREE_OK) status = store(f, 0, error);
  restore_impulses(f, &k);
  f->kick = kick;
  return status;
}

/* Strikes until none is left, for a way before or behind. */
static scree_status settle(flow *f, double way, scree_error *error) {
  scree_status status = SCREE_OK;
  for (int round = 0; status == SCREE_OK && round < MOST_STRIKES; round++) {
    if (!sc_closing_find(f->world, f->dt, way, f->kind, &f->widest)) break;
    status = strike(f, way, error);
  }
  return status;
}

/* ---- a part of a step ---- */

/* Velocities for the way, which ends where the first contact closes; *way: its length. */
static scree_status leave(flow *f, bool cuts, double *way, const sc_solver_body **shift, scree_error *error) {
  scree_world *world = f->world;
  sc_stage stage = {.way = *way, .rate_time = *way / 2};
  sc_solver_report report = {0};
  scree_status status = SCREE_OK;
  sc_closing_find(world, f->dt, *way, f->kind, &f->widest);
  if (cuts) status = leave_out(f, SC_FAST, &stage.skip, error);
  if (status == SCREE_OK) status = solve(f, &stage, *way / 2, &report, error);
  if (status != SCREE_OK) return status;
  const double closes = cuts ? sc_closing_time(world, *way, f->kind) : *way;
  if (closes < (1 - END) * *way) {
    *way = closes;
    stage.way = closes, stage.rate_time = closes / 2;
    status = solve(f, &stage, closes / 2, &report, error);
  }
  if (status == SCREE_OK) status = sc_world_correct_positions(world, &report, shift, error);
  return status == SCREE_OK ? store(f, *way / 2, error) : status;
}

static scree_status move(flow *f, double way, const sc_solver_body *shift, scree_error *error) {
  scree_world *world = f->world;
  uint8_t *held;
  sc_curves_leave(world);
  scree_status status = sc_world_mark_held(world, &held, error);
  if (status != SCREE_OK) return status;
  double start = sc_clock_wall();
  sc_world_advance(world, way, held, shift);
  status = sc_world_correct_joints(world, NULL, error);
  world->seconds[SCREE_STAGE_INTEGRATE] += sc_clock_wall() - start;
  return status == SCREE_OK ? sc_world_check_state(world, error) : status;
}

static scree_status arrive(flow *f, double way, scree_error *error) {
  sc_solver_report report = {0};
  scree_status status = find(f, way, error);
  if (status != SCREE_OK) return status;
  sc_curves_measure(f->world, f->dt, way);
  sc_stage stage = {.way = way, .arrives = true};
  status = leave_out(f, SC_STRUCK, &stage.skip, error);
  if (status == SCREE_OK) status = solve(f, &stage, way / 2, &report, error);
  if (status == SCREE_OK) status = store(f, way / 2, error);
  return status == SCREE_OK ? settle(f, way, error) : status;
}

static scree_status part(flow *f, bool cuts, scree_error *error) {
  const sc_solver_body *shift = NULL;
  double way = f->left;
  scree_status status = leave(f, cuts, &way, &shift, error);
  if (status == SCREE_OK) status = move(f, way, shift, error);
  if (status == SCREE_OK) status = arrive(f, way, error);
  f->left = way < f->left ? f->left - way : 0;
  return status;
}

/* ---- the step ---- */

/* Contacts get the impulses to start from, in place of the sums that readers see between steps. */
static scree_status begin(flow *f, scree_error *error) {
  scree_status status = find(f, f->dt, error);
  if (status != SCREE_OK) return status;
  for (int32_t c = 0; c < f->world->contacts; c++) {
    sc_curve *curve = sc_world_curve(f->world, c);
    sc_collide_keep(f->world->collide, c, curve->start, SCREE_STICKING);
    sc_set3(0, 0, 0, curve->impulse);
  }
  return settle(f, f->dt, error);
}

static void finish(flow *f) {
  scree_world *world = f->world;
  world->iterations = f->iterations, world->impacts = f->impacts;
  world->contact_age = 0;
  for (int32_t c = 0; c < world->contacts; c++) {
    sc_curve *curve = sc_world_curve(world, c);
    const double *impulse = curve->impulse;
    sc_contact contact;
    sc_world_contact(world, c, &contact);
    sc_scale(start_share(f, f->dt / 2), contact.impulse, curve->start);
    const bool any = impulse[0] != 0 || impulse[1] != 0 || impulse[2] != 0;
    const int state = !any                  ? SCREE_SEPARATING
        : contact.state == SCREE_SEPARATING ? SCREE_STICKING
                                            : contact.state;
    sc_collide_keep(world->collide, c, impulse, state);
  }
  for (int32_t row = 0; row < world->bodies.count; row++) sc_bodies_clear_load(&world->bodies, row);
}

scree_status sc_world_second_order_step(scree_world *world, double dt, scree_error *error) {
  flow f = {.world = world, .dt = dt, .left = dt, .kick = dt / 2};
  sc_arena_reset(&world->arena);
  f.mark = sc_arena_here(&world->arena);
  world->rollings = 0;
  const bool stay = world->bodies.loads_stay;
  world->bodies.loads_stay = true;
  scree_status status = begin(&f, error);
  for (int cut = 0; status == SCREE_OK && f.left > 0; cut++) status = part(&f, cut < MOST_CUTS, error);
  world->stage = NULL;
  world->bodies.loads_stay = stay;
  if (status != SCREE_OK) return status;
  finish(&f);
  return sc_world_break_joints(world, error);
}
