#include "remedies.h"

#include <stdio.h>
#include <string.h>

const double cli_unbalanced_limit = 0.01;

/* Returns true if some contacts are rigid and solver.softness would make springs of them. */
static bool can_become_springs(const scree_world *world, const scree_report *report) {
  return report->rigid > 0 && scree_world_get_def(world)->stepper == SCREE_STEPPER_SEMI_IMPLICIT;
}

bool cli_could_soften(const scree_world *world, const scree_report *report) {
  const scree_solver_def *solver = &scree_world_get_def(world)->solver;
  return can_become_springs(world, report) && solver->soften && solver->tolerance > 0 &&
      solver->iterations >= SCREE_SOFTEN_SWEEPS;
}

/* Returns true if all contacts with an impulse are springs because their pair has a stiffness. */
static bool has_stiff_pairs_only(const scree_world *world, const scree_report *report) {
  const scree_world_def *def = scree_world_get_def(world);
  return report->active > 0 && !report->rigid && !report->softened && !(def->solver.softness > 0) &&
      def->stepper == SCREE_STEPPER_SEMI_IMPLICIT;
}

const char *cli_list_remedies(
    const scree_world *world, const scree_report *report, const char *smaller_dt, char out[CLI_REMEDIES]) {
  const scree_solver_def *solver = &scree_world_get_def(world)->solver;
  const bool sweeps = strcmp(solver->name, "lemke") != 0; /* lemke does not read `iterations` */
  const char *list[3];
  int count = 0;
  if (can_become_springs(world, report))
    list[count++] = sweeps && solver->iterations < SCREE_SOFTEN_SWEEPS
        ? "solver = { softness = 0.01, iterations = 30 }"
        : "solver = { softness = 0.01 }";
  else if (has_stiff_pairs_only(world, report)) list[count++] = "a smaller stiffness of the pairs";
  if (sweeps) list[count++] = "more iterations";
  if (smaller_dt) list[count++] = smaller_dt;
  size_t used = 0;
  *out = 0;
  for (int i = 0; i < count && used < CLI_REMEDIES; i++)
    used += (size_t)snprintf(out + used, CLI_REMEDIES - used, "%s%s",
        !i                  ? ""
            : i + 1 < count ? ", "
                            : " or ",
        list[i]);
  return out;
}
