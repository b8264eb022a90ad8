#include "verdict.h"

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
/* smallest unbalanced share that counts as too few sweeps */
static const double UNSOLVED = 0.01;

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

/* Returns whether the deepest contact is deep and is with a mesh. */
static bool is_in_mesh(const scree_world *world) {
  scree_contact deepest = {.gap = 0};
  for (int64_t i = 0; i < scree_world_contacts_count(world); i++) {
    scree_contact c;
    scree_world_contact(world, i, &c);
    if (c.gap < deepest.gap) deepest = c;
  }
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

static void find_cause(const scree_world *world, const scree_report *r, char out[CLI_CAUSE]) {
  const char *solver = scree_world_get_def(world)->solver.name;
  const double dt = scree_world_get_def(world)->dt, reach = find_reach(world, r);
  if (r->ranks <= 1 && is_in_mesh(world))
    snprintf(
        out, CLI_CAUSE, "bodies lie inside a solid mesh: place them outside, or make the mesh a container");
  else if (reach > cli_far)
    snprintf(out, CLI_CAUSE,
        "the step of %.3g s is too long: the fastest body moves %.2g times the smallest radius in a step "
        "(at most %g); take a smaller dt, or fast = true",
        dt, reach, cli_far);
  else if (r->unbalanced_mean > UNSOLVED || r->steps_gaining > 0)
    snprintf(out, CLI_CAUSE,
        "too few sweeps, or too long a step: forces are off by %.2g %% of the load (at most %g %%); take "
        "more iterations, %sor a dt below %.3g s",
        100 * r->unbalanced_mean, 100 * UNSOLVED, strcmp(solver, "auto") ? "solver auto, " : "", dt);
  else
    snprintf(out, CLI_CAUSE,
        "too long a step of %.3g s while bodies were struck or pushed, or bodies placed in each other: take "
        "a "
        "smaller dt, fast = true, or more room at the start",
        dt);
}

void cli_judge(const scree_world *world, const scree_report *report, int64_t lost, const char *misplaced,
    cli_verdict *out) {
  *out = (cli_verdict){0};
  out->count = scree_world_faults(world, report, out->fault);
  if (lost > 0) out->fault[out->count++] = (scree_fault){"lost", (double)lost, 0};
  if (out->count && *misplaced) snprintf(out->cause, sizeof out->cause, "%s", misplaced);
  else if (out->count) find_cause(world, report, out->cause);
}

void cli_print_verdict(const cli_verdict *verdict, const char *head) {
  char words[CLI_FAULT_TEXT];
  for (int i = 0; i < verdict->count; i++)
    fprintf(stderr, "scree: %s: %s\n", head, cli_fault_words(verdict->fault + i, words));
  if (verdict->count)
    fprintf(stderr, "       likely cause: %s; see docs/solvers.md, Invalid runs\n", verdict->cause);
}
