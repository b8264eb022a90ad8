#include "verdict.h"
#include "remedies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const double cli_far = 0.25;

const char *cli_fault_words(const scree_fault *f, char out[CLI_FAULT_TEXT]) {
  if (!strcmp(f->name, "crossed"))
    snprintf(
        out, CLI_FAULT_TEXT, "bodies went into or through walls %.0f times (limit %g)", f->value, f->limit);
  else if (!strcmp(f->name, "overlap"))
    snprintf(out, CLI_FAULT_TEXT,
        "bodies have passed into each other, by %.2g of half the smaller one's width (limit %g)", f->value,
        f->limit);
  else if (!strcmp(f->name, "lost"))
    snprintf(out, CLI_FAULT_TEXT, "%.0f grains have left their servo box (limit %g)", f->value, f->limit);
  else if (!strcmp(f->name, "residual"))
    snprintf(out, CLI_FAULT_TEXT, "the mean residual of the solver is %.2g of the velocity scale (limit %g)",
        f->value, f->limit);
  else
    snprintf(out, CLI_FAULT_TEXT,
        "the time step added %.2g times the largest energy that loads, losses and motion explain (limit %g)",
        f->value, f->limit);
  return out;
}

/* ---- the likely cause ---- */

/* smallest depth of a contact with a mesh, over the bounding radius of the other body, that counts as
 * inside */
static const double INSIDE = 0.5;
static bool is_mesh(const scree_world *world, scree_id body) {
  scree_shape_info info;
  for (int64_t i = 0; i < scree_world_shapes_count(world); i++) {
    scree_world_shape(world, i, &info);
    if (info.body == body && info.type == SCREE_MESH) return true;
  }
  return false;
}

static double find_radius(scree_world *world, scree_id body) {
  void *ids, *radii;
  int64_t rows = 0;
  scree_world_view(world, SCREE_VIEW_ID, &ids, &rows);
  scree_world_view(world, SCREE_VIEW_RADIUS, &radii, &rows);
  for (int64_t i = 0; i < rows; i++)
    if (((const int64_t *)ids)[i] == (int64_t)body) return ((const double *)radii)[i];
  return INFINITY;
}

static scree_world *cast_writable(const scree_world *world) { return (scree_world *)world; }

/* Returns the deepest contact of this rank; its gap is 0 if there are no penetrations. */
static scree_contact find_deepest(const scree_world *world) {
  scree_contact deepest = {.gap = 0};
  for (int64_t i = 0; i < scree_world_contacts_count(world); i++) {
    scree_contact c;
    scree_world_contact(world, i, &c);
    if (c.gap < deepest.gap) deepest = c;
  }
  return deepest;
}

/* Returns whether the deepest contact is too deep and is a spring whose pair has a stiffness. limit: largest
 * overlap of a valid run (scree_report.overlap). */
static bool is_too_soft(const scree_world *world, const scree_report *report, double limit) {
  const scree_contact deepest = find_deepest(world);
  const scree_stiffness s = scree_world_get_stiffness(world, deepest.material1, deepest.material2);
  return report->overlap > limit && deepest.gap < 0 &&
      (s.stiffness > 0 || s.young > 0 || s.hardness > 0 || s.softness > 0 || s.kn > 0);
}

/* Returns whether the deepest contact is deep and is with a mesh. */
static bool is_in_mesh(const scree_world *world) {
  const scree_contact deepest = find_deepest(world);
  if (!(deepest.gap < 0)) return false;
  const bool first = is_mesh(world, deepest.body1);
  if (!first && !is_mesh(world, deepest.body2)) return false;
  return -deepest.gap > INSIDE * find_radius(cast_writable(world), first ? deepest.body2 : deepest.body1);
}

/* Returns the largest displacement of a dynamic body in a step over the smallest bounding radius. */
static double find_reach(const scree_world *world, const scree_report *report) {
  void *kinds, *radii;
  int64_t rows = 0;
  double least = INFINITY;
  if (!scree_world_view(cast_writable(world), SCREE_VIEW_KIND, &kinds, &rows) ||
      !scree_world_view(cast_writable(world), SCREE_VIEW_RADIUS, &radii, &rows))
    return 0;
  for (int64_t i = 0; i < rows; i++)
    if (((const int64_t *)kinds)[i] == SCREE_DYNAMIC) least = fmin(least, ((const double *)radii)[i]);
  return least > 0 ? report->max_speed * scree_world_get_def(world)->dt / least : 0;
}

/* Writes the cause if forces did not balance, and settings that help. Returns false if forces balanced. */
static bool find_unbalanced(const scree_world *world, const scree_report *r, char out[CLI_CAUSE]) {
  const scree_world_def *def = scree_world_get_def(world);
  const char *solver = strcmp(def->solver.name, "auto") ? "solver = { name = \"auto\" }, " : "";
  char smaller[64], remedies[CLI_REMEDIES];
  snprintf(smaller, sizeof smaller, "a dt below %.3g s", def->dt);
  cli_list_remedies(world, r, smaller, remedies);
  if (r->unbalanced_mean > cli_unbalanced_limit)
    snprintf(out, CLI_CAUSE,
        "too few sweeps, or too long a step: forces are off by %.2g %% of the load (at most %g %%); take "
        "%s%s",
        100 * r->unbalanced_mean, 100 * cli_unbalanced_limit, solver, remedies);
  else if (r->softened > 0)
    snprintf(out, CLI_CAUSE,
        "forces were off by more than %g %% of the load until contacts became springs after step %lld; take "
        "solver = { softness = 0.01 }, %s",
        100 * cli_unbalanced_limit, (long long)r->softened, remedies);
  else if (r->steps_gaining > 0)
    snprintf(out, CLI_CAUSE, "the solutions of %lld steps added energy; take %s%s",
        (long long)r->steps_gaining, solver, remedies);
  else return false;
  return true;
}

/* Writes the likely cause of an invalid run. limit: largest overlap of a valid run. */
static void find_cause(const scree_world *world, const scree_report *r, double limit, char out[CLI_CAUSE]) {
  const double dt = scree_world_get_def(world)->dt, reach = find_reach(world, r);
  if (r->ranks <= 1 && is_in_mesh(world))
    snprintf(
        out, CLI_CAUSE, "bodies lie inside a solid mesh: place them outside, or make the mesh a container");
  else if (reach > cli_far)
    snprintf(out, CLI_CAUSE,
        "the step of %.3g s is too long: the fastest body moves %.2g times the smallest radius in a step "
        "(at most %g); take a smaller dt, or fast = true",
        dt, reach, cli_far);
  else if (find_unbalanced(world, r, out)) return;
  else if (r->ranks <= 1 && is_too_soft(world, r, limit))
    snprintf(out, CLI_CAUSE,
        "contacts with the stiffness of their pair are too soft for the load: take a larger stiffness");
  else
    snprintf(out, CLI_CAUSE,
        "too long a step of %.3g s while bodies were struck or pushed, or bodies placed in each other: take "
        "a "
        "smaller dt, fast = true, or more room at the start",
        dt);
}

/* Returns the limit of the fault `overlap`; INFINITY if the run does not have this fault. */
static double overlap_limit(const cli_verdict *verdict) {
  for (int i = 0; i < verdict->count; i++)
    if (!strcmp(verdict->fault[i].name, "overlap")) return verdict->fault[i].limit;
  return INFINITY;
}

void cli_judge(const scree_world *world, const scree_report *report, int64_t lost, const char *misplaced,
    cli_verdict *out) {
  *out = (cli_verdict){0};
  out->count = scree_world_faults(world, report, out->fault);
  if (lost > 0) out->fault[out->count++] = (scree_fault){"lost", (double)lost, 0};
  if (out->count && *misplaced) snprintf(out->cause, sizeof out->cause, "%s", misplaced);
  else if (out->count) find_cause(world, report, overlap_limit(out), out->cause);
}

void cli_print_verdict(const cli_verdict *verdict, const char *head) {
  char words[CLI_FAULT_TEXT];
  for (int i = 0; i < verdict->count; i++)
    fprintf(stderr, "scree: %s: %s\n", head, cli_fault_words(verdict->fault + i, words));
  if (verdict->count)
    fprintf(stderr, "       likely cause: %s; see docs/solvers.md, Invalid runs\n", verdict->cause);
}
