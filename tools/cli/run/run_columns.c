/* Columns of accuracy, and the message about refused values of the series. */
#include "run/run.h"

const run_accuracy_column run_accuracy_columns[RUN_ACCURACY_COLUMNS] = {
    {"unbalanced_mean", "unbalanced_mean"}, {"overlap_max", "overlap_max"},
    {"residual_max", "largest_relative_residual"}, {"crossed", "crossed"}, {"bodies_lost", "bodies_lost"},
    {"softened", "solver.softened"}};

int run_values_trouble(run *r, const char *text) {
  char place[SL_PLACE];
  return run_fail(
      r, CLI_SCRIPT, "%s: output.series.values %s", sl_scene_place(&r->scene, SL_SERIES_VALUES, place), text);
}
