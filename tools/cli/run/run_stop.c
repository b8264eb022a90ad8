/* The end of a run by a condition (`stop_when`): looked at with every row of the series, or after every
 * step where no series is kept. */
#include "run/run.h"

#include <math.h>
#include <string.h>

static const char *column_name(const void *context, int i) {
  const run *r = context;
  return i < RUN_REPORT_COLUMNS ? run_report_column(i)->name : r->columns[i - RUN_REPORT_COLUMNS];
}

static int unknown(run *r, const char *name) {
  const char *near = scree_nearest_name(name, RUN_REPORT_COLUMNS + r->columns_count, column_name, r);
  return run_fail(r, CLI_USAGE, "stop_when: the series has no column %s%s%s%s", name,
      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static int misfit(run *r, const sl_term *term, const char *unit) {
  return run_fail(r, CLI_USAGE, "stop_when: %s is in %s, not like %s", term->name,
      *unit ? unit : "pure numbers", term->quantity);
}

/* Value of a term's column: of the report, or of the scene's own values in the table on top of the stack. */
static int value_of(run *r, const sl_term *term, const scree_report *report, int own, double *out) {
  for (int i = 0; i < RUN_REPORT_COLUMNS; i++) {
    const run_column *column = run_report_column(i);
    if (strcmp(column->name, term->name)) continue;
    *out = run_column_value(column, report);
    return sl_term_fits(term, column->unit) ? CLI_OK : misfit(r, term, column->unit);
  }
  lua_State *L = sl_runtime_lua(r->runtime);
  if (!own) return unknown(r, term->name);
  lua_pushstring(L, term->name);
  lua_rawget(L, -2);
  const char *unit;
  const bool good = run_read_value(L, out, &unit);
  const int code = !good                   ? unknown(r, term->name)
      : !*unit || sl_term_fits(term, unit) ? CLI_OK
                                           : misfit(r, term, unit);
  *out *= sl_term_factor(term, unit);
  lua_pop(L, 1);
  return code;
}

int run_judge(run *r, const scree_report *report, int own) {
  sl_condition *c = &r->scene.stop_when;
  bool now = c->terms > 0;
  for (int i = 0; i < c->terms; i++) {
    double value = NAN;
    int code = value_of(r, c->term + i, report, own, &value);
    if (code) return code;
    now = now && sl_term_true(c->term + i, value);
  }
  /* the state that setup made is not judged: everything may be at rest there */
  if (report->step > 0) sl_condition_look(c, report->time, now);
  return CLI_OK;
}

int run_try_condition(run *r, int ask) {
  lua_State *L = sl_runtime_lua(r->runtime);
  scree_report report;
  bool own = sl_scene_has_values(&r->scene);
  if (own ? !ask : !r->scene.stop_when.terms) return CLI_OK;
  sl_trouble trouble = sl_scene_values(&r->scene);
  if (trouble) {
    snprintf(r->trouble, sizeof r->trouble, "%s", sl_message(r->runtime));
    return cli_report_trouble(r->runtime, trouble, "output.series.values", 1);
  }
  if (own && (!lua_istable(L, -1) || run_take_columns(r))) return lua_settop(L, 0), run_refuse_values(r);
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
