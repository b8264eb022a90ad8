/* Uncertainty of a calibration, and its output.
 *
 * Near the best place the residuals r = (figure - target)/sigma are linear in the parameters x: r0 + J x,
 * so the error is a quadratic with the matrix H = J^T J. Errors of the targets (variance 1) and of the means
 * over n seeds (variance s^2/(n sigma^2)) move the minimum. The covariance of the minimum is
 * H^-1 J^T D J H^-1 with D = diag(1 + s^2/(n sigma^2)). H has only the parameters on which a figure
 * depends by more than rounding errors. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "calibrate/calibrate.h"
#include "csv.h"
#include "files.h"
#include "student.h"

/* Change of a figure, as a share of the figure and of sigma, that may come from rounding errors. Sums over
 * the steps of a run make rounding errors of 1e-16 larger. */
#define ROUNDING 1e-9

typedef struct model {
  int active[SL_VARIED_MOST], count; /* the parameters on which a figure depends, and their number */
  double slope[SL_TARGETS_MOST][SL_VARIED_MOST]; /* J: [target][place in `active`] */
  double noise[SL_TARGETS_MOST];                 /* variance of each mean residual by the seeds */
  double factor[SEARCH_MOST][SEARCH_MOST];       /* Cholesky factor of H */
  bool is_determined; /* whether H has a factor: the figures determine all parameters of `active` */
} model;

static const outcome *find_best(const calibration *c) {
  const outcome *best = c->place;
  for (int k = 1; k < c->places; k++)
    if (c->place[k].error < best->error) best = c->place + k;
  return best;
}

/* Returns whether a figure differs between two places by more than chance. The mean of its differences at
 * equal seeds must exceed Student's t (95 %) times the standard error of this mean. With one seed any
 * difference counts. */
static bool differs_surely(const outcome *a, const outcome *b, int target, int seeds) {
  const double mean = a->mean[target] - b->mean[target];
  double square = 0;
  for (int s = target * seeds; s < (target + 1) * seeds; s++)
    square += pow(a->value[s] - b->value[s] - mean, 2);
  return mean != 0 && (seeds == 1 || fabs(mean) > cli_student(seeds) * sqrt(square / (seeds - 1) / seeds));
}

/* Returns whether a figure differs between two places by more than rounding errors. */
static bool is_changed(const outcome *a, const outcome *b, const calibration *c, int target) {
  const double scale = fmax(fabs(a->mean[target]), fabs(b->mean[target]));
  return fabs(a->mean[target] - b->mean[target]) > ROUNDING * fmax(scale, c->plan.target[target].sigma);
}

/* Lists the parameters on which a figure depends. side: two places for each parameter. */
static void list_active(const calibration *c, const outcome *side, model *m, estimate *e) {
  m->count = 0;
  for (int i = 0; i < c->plan.parameters; i++) {
    e->has_influence[i] = false;
    for (int t = 0; t < c->plan.targets; t++)
      if (is_changed(side + 2 * i, side + 2 * i + 1, c, t)) e->has_influence[i] = true;
    if (e->has_influence[i]) m->active[m->count++] = i;
  }
}

/* Computes slopes and noise from the places on both sides of the best one. side: two places for each
 * parameter. */
static void fit_model(const calibration *c, const outcome *best, const outcome *side, model *m, estimate *e) {
  const int n = c->plan.parameters, seeds = c->plan.seeds;
  memset(m, 0, sizeof *m);
  list_active(c, side, m, e);
  for (int i = 0; i < n; i++) e->is_uncertain[i] = true;
  for (int t = 0; t < c->plan.targets; t++) {
    const double sigma = c->plan.target[t].sigma;
    double variance = best->spread[t] * best->spread[t];
    for (int k = 0; k < 2 * n; k++) variance += side[k].spread[t] * side[k].spread[t];
    m->noise[t] = variance / (2 * n + 1) / seeds / (sigma * sigma);
    for (int k = 0; k < m->count; k++) {
      const int i = m->active[k];
      const outcome *a = side + 2 * i, *b = a + 1;
      m->slope[t][k] = (a->mean[t] - b->mean[t]) / sigma / (a->x[i] - b->x[i]);
      if (is_changed(a, b, c, t) && differs_surely(a, b, t, seeds)) e->is_uncertain[i] = false;
    }
  }
  for (int i = 0; i < m->count; i++)
    for (int j = 0; j < m->count; j++)
      for (int t = 0; t < c->plan.targets; t++) m->factor[i][j] += m->slope[t][i] * m->slope[t][j];
  m->is_determined = m->count && search_factor(m->factor, m->count);
}

/* Solves H x = b in place of b. */
static void solve_model(const model *m, int n, double *b) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) b[i] -= m->factor[i][k] * b[k];
    b[i] /= m->factor[i][i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) b[i] -= m->factor[k][i] * b[k];
    b[i] /= m->factor[i][i];
  }
}

/* Computes standard errors and correlations. They are NAN for parameters without influence, and for all
 * parameters if the figures do not determine those that have. */
static void find_covariance(const calibration *c, const model *m, estimate *e) {
  double covariance[SL_VARIED_MOST][SL_VARIED_MOST] = {{0}};
  for (int t = 0; m->is_determined && t < c->plan.targets; t++) {
    double lever[SEARCH_MOST];
    for (int i = 0; i < m->count; i++) lever[i] = m->slope[t][i];
    solve_model(m, m->count, lever);
    for (int i = 0; i < m->count; i++)
      for (int j = 0; j < m->count; j++) covariance[i][j] += (1 + m->noise[t]) * lever[i] * lever[j];
  }
  for (int i = 0; i < c->plan.parameters; i++) {
    e->uncertainty[i] = NAN;
    for (int j = 0; j < c->plan.parameters; j++) e->correlation[i][j] = i == j ? 1 : NAN;
  }
  for (int k = 0; m->is_determined && k < m->count; k++) {
    const sl_varied *p = c->plan.parameter + m->active[k];
    e->uncertainty[m->active[k]] = sqrt(covariance[k][k]) * (p->high - p->low);
    for (int j = 0; j < m->count; j++)
      e->correlation[m->active[k]][m->active[j]] = covariance[k][j] /
          sqrt(covariance[k][k] * covariance[j][j]);
  }
}

/* Measures the minimum of the local quadratic, if the figures determine it. Returns an exit code. */
static int try_minimum(calibration *c, const outcome *best, const model *m) {
  double step[SEARCH_MOST] = {0};
  search_place place = {0};
  if (!m->is_determined) return CLI_OK;
  for (int t = 0; t < c->plan.targets; t++) {
    const double residual = (best->mean[t] - c->plan.target[t].value) / c->plan.target[t].sigma;
    for (int k = 0; k < m->count; k++) step[k] -= m->slope[t][k] * residual;
  }
  solve_model(m, m->count, step);
  memcpy(place, best->x, sizeof place);
  for (int k = 0; k < m->count; k++) {
    const int i = m->active[k];
    place[i] = fmin(fmax(best->x[i] + step[k], 0), 1);
  }
  return calibrate_measure(c, (const search_place *)&place, 1, NULL);
}

int calibrate_estimate(calibration *c, estimate *e) {
  const int n = c->plan.parameters;
  search_place side[2 * SEARCH_MOST];
  model m;
  const outcome best = *find_best(c);
  memset(side, 0, sizeof side);
  for (int k = 0; k < 2 * n; k++) {
    memcpy(side[k], best.x, sizeof *side);
    side[k][k / 2] = fmin(fmax(best.x[k / 2] + (k % 2 ? -1 : 1) * c->plan.step, 0), 1);
  }
  int code = calibrate_measure(c, (const search_place *)side, 2 * n, NULL);
  if (code) return code;
  fit_model(c, &best, c->place + c->places - 2 * n, &m, e);
  find_covariance(c, &m, e);
  if ((code = try_minimum(c, &best, &m))) return code;
  e->best = find_best(c);
  for (int i = 0; i < n; i++) {
    const double x = e->best->x[i];
    e->value[i] = calibrate_value(c, i, x);
    e->is_at_bound[i] = x < c->plan.tolerance || x > 1 - c->plan.tolerance;
  }
  for (int t = 0; t < c->plan.targets; t++)
    e->error[t] = c->plan.seeds > 1 ? sqrt(m.noise[t]) * c->plan.target[t].sigma : NAN;
  return CLI_OK;
}

/* ---- output ---- */

static const char *describe_parameter(const estimate *e, int i) {
  return !e->has_influence[i]        ? "not determined by the targets: no figure depends on it"
      : !isfinite(e->uncertainty[i]) ? "not determined by the targets"
      : e->is_uncertain[i]           ? "no figure tells its change from chance: more seeds, or a larger step"
      : e->is_at_bound[i]            ? "at its bound"
                                     : "";
}

/* Writes a standard error, "-" for NAN. Returns text. */
static const char *write_error(double error, char text[24]) {
  snprintf(text, 24, isnan(error) ? "-" : "%.3g", error);
  return text;
}

static void print_estimate(const calibration *c, const estimate *e) {
  char text[24];
  printf("%-28s %14s %12s\n", "parameter", "value", "+-");
  for (int i = 0; i < c->plan.parameters; i++) {
    const char *words = describe_parameter(e, i);
    printf("%-28s %14.6g %12s%s%s\n", c->plan.parameter[i].path, e->value[i],
        write_error(e->uncertainty[i], text), *words ? "  " : "", words);
  }
  printf("\n%-28s %14s %12s %14s %12s\n", "figure", "value", "+-", "target", "sigma");
  for (int t = 0; t < c->plan.targets; t++)
    printf("%-28s %14.6g %12s %14.6g %12.3g\n", c->plan.target[t].figure, e->best->mean[t],
        write_error(e->error[t], text), c->plan.target[t].value, c->plan.target[t].sigma);
  for (int i = 0; i < c->plan.parameters; i++)
    for (int j = 0; j < i; j++)
      if (fabs(e->correlation[i][j]) > 0.9)
        printf("The errors of %s and %s go together: correlation %.2f.\n", c->plan.parameter[j].path,
            c->plan.parameter[i].path, e->correlation[i][j]);
  printf("error %.4g for %d targets after %d places with %d seeds%s\n", e->best->error, c->plan.targets,
      c->places, c->plan.seeds, e->converged ? "" : "; the search has not converged: a larger budget");
  if (c->failed) printf("%lld runs have no figures\n", (long long)c->failed);
  if (c->softened)
    printf("in %lld of %lld runs rigid contacts became springs (solver.soften)\n", (long long)c->softened,
        (long long)c->places * c->plan.seeds);
}

static void print_estimate_json(const calibration *c, const estimate *e) {
  const int n = c->plan.parameters;
  fputs("{\"parameters\": [", stdout);
  for (int i = 0; i < n; i++) {
    printf("%s{\"path\": ", i ? ", " : "");
    cli_json_text(stdout, c->plan.parameter[i].path);
    cli_json_member(stdout, "value", e->value[i]);
    cli_json_member(stdout, "uncertainty", e->uncertainty[i]);
    printf(", \"is_at_bound\": %s, \"is_uncertain\": %s, \"has_influence\": %s}",
        e->is_at_bound[i] ? "true" : "false", e->is_uncertain[i] ? "true" : "false",
        e->has_influence[i] ? "true" : "false");
  }
  fputs("], \"figures\": [", stdout);
  for (int t = 0; t < c->plan.targets; t++) {
    printf("%s{\"name\": ", t ? ", " : "");
    cli_json_text(stdout, c->plan.target[t].figure);
    cli_json_member(stdout, "value", e->best->mean[t]);
    cli_json_member(stdout, "error", e->error[t]);
    cli_json_member(stdout, "target", c->plan.target[t].value);
    cli_json_member(stdout, "sigma", c->plan.target[t].sigma);
    putchar('}');
  }
  fputs("], \"correlation\": [", stdout);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      fputs(j ? ", " : i ? "], [" : "[", stdout);
      cli_json_number(stdout, e->correlation[i][j]);
    }
  fputs("]]", stdout);
  cli_json_member(stdout, "error", e->best->error);
  printf(
      ", \"places\": %d, \"seeds\": %d, \"failed_runs\": %lld, \"softened_runs\": %lld, \"converged\": %s}\n",
      c->places, c->plan.seeds, (long long)c->failed, (long long)c->softened,
      e->converged ? "true" : "false");
}

void calibrate_print(const calibration *c, const estimate *e, int json) {
  if (json) print_estimate_json(c, e);
  else print_estimate(c, e);
}

/* Writes the names of the two columns of a figure. */
static void put_figure_names(FILE *out, const char *figure) {
  char spread[512];
  snprintf(spread, sizeof spread, "%s spread", figure);
  fputc(',', out), csv_put_cell(out, figure);
  fputc(',', out), csv_put_cell(out, spread);
}

int calibrate_write(const calibration *c) {
  char path[RUN_PATH + 32];
  snprintf(path, sizeof path, "%s/calibrate.csv", c->directory);
  FILE *out = fopen(path, "w");
  if (!out) return cli_fail(CLI_IO, "calibrate", "cannot write %s: %s", path, strerror(errno));
  fputs("batch", out);
  for (int i = 0; i < c->plan.parameters; i++) fputc(',', out), csv_put_cell(out, c->plan.parameter[i].path);
  for (int t = 0; t < c->plan.targets; t++) put_figure_names(out, c->plan.target[t].figure);
  fputs(",error\n", out);
  for (const outcome *o = c->place; o < c->place + c->places; o++) {
    fprintf(out, "%d", o->batch);
    for (int i = 0; i < c->plan.parameters; i++) fprintf(out, ",%.9g", calibrate_value(c, i, o->x[i]));
    for (int t = 0; t < c->plan.targets; t++) fprintf(out, ",%.9g,%.3g", o->mean[t], o->spread[t]);
    fprintf(out, ",%.6g\n", o->error);
  }
  return fclose(out) ? cli_fail(CLI_IO, "calibrate", "cannot write %s: %s", path, strerror(errno)) : CLI_OK;
}
