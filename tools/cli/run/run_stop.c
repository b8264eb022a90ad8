/* Ends a run by a condition (`stop_when`). The condition is evaluated with every row of the series, or
 * after every step if no series is written. */
#include "run/run.h"

#include <string.h>

int run_judge(run *r, const scree_report *report, int own) {
  char text[SL_COLUMN_TEXT];
  return sl_scene_judge(&r->scene, &r->columns, report, own, text) ? CLI_OK
                                                                   : run_fail(r, CLI_USAGE, "%s", text);
}

int run_try_condition(run *r, int ask) {
  lua_State *L = sl_runtime_lua(r->runtime);
  scree_report report;
  char text[SL_COLUMN_TEXT];
  bool own = sl_scene_has_values(&r->scene);
  if (own ? !ask : !r->scene.stop_when.terms) return CLI_OK;
  sl_trouble trouble = sl_scene_values(&r->scene);
  if (trouble) {
    snprintf(r->trouble, sizeof r->trouble, "%s", sl_message(r->runtime));
    return cli_report_trouble(r->runtime, trouble, "output.series.values", 1);
  }
  if (own && (!lua_istable(L, -1) || !sl_columns_take(L, &r->columns, text))) {
    if (!lua_istable(L, -1)) snprintf(text, sizeof text, "must return a table");
    return lua_settop(L, 0), run_values_trouble(r, text);
  }
  scree_world_report(r->scene.world->world, &report);
  int code = run_judge(r, &report, own);
  return lua_settop(L, 0), code;
}

int run_judge_step(run *r) {
  scree_report report;
  if (!r->scene.stop_when.terms || r->scene.series.time > 0 || r->scene.series.steps > 0) return CLI_OK;
  scree_world_report(r->scene.world->world, &report);
  return run_judge(r, &report, 0);
}
