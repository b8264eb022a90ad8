/* Writes problems that a solver could not solve to files.
 *
 * If a directory is set (scree_world_set_dump_directory), the problem is copied to the step's arena before
 * the solver runs, with free velocities and warm-start impulses. The copy of step N (N >= 1) is written to
 * DIRECTORY/step-N.prob depending on solver.dump:
 *     failed   if the solver ends with an error. Only `lemke` can, with a ray.
 *     unmet    if the solver fails or the residual is above the tolerance. At most MOST_UNMET files. */
#include "world/world.h"
#include "world/steps.h"

#include <stdio.h>
#include <string.h>
#include "io/trajectory/problem_dump.h"
#include "scree/problem.h"

enum { MOST_UNMET = 10 };

scree_status scree_world_set_dump_directory(scree_world *world, const char *directory, scree_error *error) {
  SC_DEMAND(world, error, SCREE_E_ARGUMENT);
  if (directory &&
      sc_ranks_check_whole(world->ranks, "problems are written",
          "go on from a checkpoint alone, with scree dump", error) != SCREE_OK)
    return SCREE_E_ARGUMENT;
  size_t size = directory ? strlen(directory) + 1 : 0;
  char *copy = size ? sc_alloc(size) : NULL;
  if (size && !copy) return sc_fail(error, SCREE_E_MEMORY, "no memory for the name of a directory");
  if (size) memcpy(copy, directory, size);
  sc_free(world->dump.directory);
  world->dump.directory = copy;
  return SCREE_OK;
}

static void *copy_of(sc_arena *arena, const void *from, size_t bytes) {
  void *copy = sc_arena_take(arena, bytes);
  if (copy && bytes) memcpy(copy, from, bytes);
  return copy;
}

bool sc_world_keeps_problem(const scree_world *world) {
  const int when = world->def.solver.dump;
  bool wanted = when == SCREE_DUMP_UNMET ? world->dump.count < MOST_UNMET : world->solver->may_fail;
  if (world->cell.moves) return false; /* files do not contain velocities of images */
  return world->dump.directory && when != SCREE_DUMP_NEVER && wanted;
}

scree_status sc_world_keep_problem(scree_world *world, sc_problem *kept, scree_error *error) {
  const sc_problem *problem = &world->problem;
  sc_arena *arena = &world->arena;
  kept->body = NULL;
  if (!sc_world_keeps_problem(world)) return SCREE_OK;
  size_t rows = 0;
  for (int32_t c = 0; c < problem->generals; c++) rows += (size_t)problem->general[c].dim;
  *kept = *problem;
  kept->ball = copy_of(arena, problem->ball, (size_t)problem->balls * sizeof *problem->ball);
  if (problem->couple)
    kept->couple = copy_of(arena, problem->couple, (size_t)problem->balls * sizeof *problem->couple);
  kept->x = copy_of(arena, problem->x, rows * sizeof *problem->x);
  kept->joint_row = copy_of(
      arena, problem->joint_row, (size_t)problem->joint_rows * sizeof *problem->joint_row);
  if (problem->thirds)
    kept->third = copy_of(arena, problem->third, (size_t)problem->thirds * sizeof *problem->third);
  kept->body = copy_of(arena, problem->body, (size_t)problem->bodies * sizeof *problem->body);
  bool fine = kept->body && kept->ball && (kept->couple || !problem->couple) && kept->x && kept->joint_row &&
      (kept->third || !problem->thirds);
  return fine ? SCREE_OK : sc_fail(error, SCREE_E_MEMORY, "no memory to keep the problem of a step");
}

/* Appends the path of the problem's file to the text of *error. If the file could not be written, appends the
 * reason (`trouble`) instead. */
static void append_path(scree_error *error, const char *path, const scree_error *trouble) {
  if (!error) return;
  size_t used = strlen(error->text);
  if (trouble->status)
    snprintf(error->text + used, sizeof error->text - used, "; the problem could not be written: %.200s",
        trouble->text);
  else
    snprintf(error->text + used, sizeof error->text - used, "; its problem is in %.300s (scree solve)", path);
}

scree_status sc_world_dump_kept(
    scree_world *world, const sc_problem *kept, scree_status solved, double excess, scree_error *error) {
  char path[4096];
  scree_error trouble = {SCREE_OK, ""};
  bool failed = solved == SCREE_E_NUMERIC,
       unmet = solved == SCREE_OK && excess > 0 && world->def.solver.dump == SCREE_DUMP_UNMET;
  if (!kept->body || !(failed || unmet)) return solved;
  snprintf(path, sizeof path, "%s/step-%lld.prob", world->dump.directory, (long long)world->step + 1);
  sc_problem_save(kept, path, &trouble);
  world->dump.count += unmet;
  if (failed) append_path(error, path, &trouble);
  else if (trouble.status)
    return sc_fail(error, trouble.status, "the problem of step %lld could not be written: %.300s",
        (long long)world->step + 1, trouble.text);
  return solved;
}
