/* The registered laws, in alphabetical order, and the public single-contact interface. */
#include "law/law_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

extern const sc_law sc_law_cone, sc_law_coulomb, sc_law_decoupled, sc_law_directional, sc_law_frictionless,
    sc_law_hertz, sc_law_hooke, sc_law_joint, sc_law_max_dissipation, sc_law_polyhedral, sc_law_twisted;

static const sc_law *const laws[] = {&sc_law_cone, &sc_law_coulomb, &sc_law_decoupled, &sc_law_directional,
    &sc_law_frictionless, &sc_law_hertz, &sc_law_hooke, &sc_law_joint, &sc_law_max_dissipation,
    &sc_law_polyhedral, &sc_law_twisted};
enum { LAWS = sizeof laws / sizeof *laws };

const sc_law *sc_law_at(int index) { return index >= 0 && index < LAWS ? laws[index] : NULL; }

const sc_law *sc_law_find(const char *name) {
  SC_ASSERT(name);
  for (int i = 0; i < LAWS; i++)
    if (!strcmp(laws[i]->name, name)) return laws[i];
  return NULL;
}

void sc_law_form_solve(const sc_law_lane *lane, const double A[9], const double b[3], double x[3]) {
  static const sc_law *const of[SC_FORM_ELLIPTIC] = {[SC_FORM_COULOMB] = &sc_law_coulomb,
      [SC_FORM_CONE] = &sc_law_cone,
      [SC_FORM_SPLIT] = &sc_law_decoupled,
      [SC_FORM_ENERGY] = &sc_law_max_dissipation};
  const double par[SC_PAR_COUNT] = {[SC_PAR_MU] = lane->mu, [SC_PAR_MU_STATIC] = lane->mu_static};
  const sc_law *law = of[lane->form];
  law->solve(law, 3, A, b, par, x, NULL);
}

int scree_law_count(void) { return LAWS; }

const char *scree_law_name(int index) { return index >= 0 && index < LAWS ? laws[index]->name : NULL; }

const scree_param *scree_law_params(const char *law, int *count) {
  SC_DEMAND(law && count, NULL, NULL);
  const sc_law *found = sc_law_find(law);
  *count = found ? found->params_count : 0;
  return found ? found->params : NULL;
}

int scree_law_dim(const char *law, const double *params) {
  SC_DEMAND(law, NULL, 0);
  const sc_law *found = sc_law_find(law);
  if (!found) return -1;
  SC_DEMAND(params || !found->dim, NULL, -1);
  return found->dim ? found->dim(params) : 3;
}

static const char *nth_name(const void *context, int i) {
  (void)context;
  return laws[i]->name;
}

/* ---- where parameters are read ---- */

static const char *place_name(int index) {
  static const char *const places[] = {[SC_IN_WORLDS] = "worlds", [SC_IN_BARE_PROBLEMS] = "bare problems"};
  return index >= 0 && index <= SC_IN_BARE_PROBLEMS ? places[index] : NULL;
}

scree_status sc_law_check_place(
    const sc_law *law, const double *params, int place, const char *path, scree_error *error) {
  const scree_param_reader in = {"in", place_name(place), place_name};
  double given[SCREE_LAW_MAX_PARAMS];
  for (int i = 0; i < law->params_count; i++)
    given[i] = params[i] == 0 ? law->params[i].fallback
                              : params[i]; // a parameter that is 0 in a zeroed definition has its default
  return scree_param_check_read(law->params, law->params_count, given, &in, path, error);
}

/* ---- checks of arguments ---- */

static scree_status check_params(const sc_law *law, const double *params, scree_error *error) {
  const scree_status status = scree_param_check_all(law->params, law->params_count, params, "", error);
  if (status != SCREE_OK) return status;
  char path[64];
  snprintf(path, sizeof path, "law.%s", law->name);
  return sc_law_check_place(law, params, SC_IN_BARE_PROBLEMS, path, error);
}

static scree_status check_finite(int dim, const double *A, const double *b, scree_error *error) {
  static const char *const row[SCREE_LAW_MAX_DIM] = {"n", "t", "o", "torsion", "roll_t", "roll_o"};
  for (int i = 0; i < dim; i++) {
    if (!isfinite(b[i]))
      return sc_fail(error, SCREE_E_ARGUMENT, "b_%s is %s", row[i], isnan(b[i]) ? "NaN" : "infinite");
    for (int j = 0; j < dim; j++)
      if (!isfinite(A[dim * i + j]))
        return sc_fail(error, SCREE_E_ARGUMENT, "A_%s,%s is %s", row[i], row[j],
            isnan(A[dim * i + j]) ? "NaN" : "infinite");
  }
  return SCREE_OK;
}

/* Checks that A is symmetric to 1e-9, and positive definite by a Cholesky factorisation of the matrix scaled
 * to a unit diagonal. */
static scree_status check_spd(int dim, const double *A, scree_error *error) {
  double L[SCREE_LAW_MAX_DIM][SCREE_LAW_MAX_DIM], s[SCREE_LAW_MAX_DIM];
  for (int i = 0; i < dim; i++) {
    if (!(A[(dim + 1) * i] > 0))
      return sc_fail(error, SCREE_E_NUMERIC, "A is not positive definite: diagonal entry %d is %g", i + 1,
          A[(dim + 1) * i]);
    s[i] = sqrt(A[(dim + 1) * i]);
  }
  for (int i = 0; i < dim; i++)
    for (int j = 0; j <= i; j++) {
      double upper = A[dim * j + i] / s[i] / s[j], sum = A[dim * i + j] / s[i] / s[j];
      if (fabs(sum - upper) > 1e-9)
        return sc_fail(error, SCREE_E_NUMERIC, "A is not symmetric: entries (%d,%d) and (%d,%d) differ",
            i + 1, j + 1, j + 1, i + 1);
      for (int k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
      if (i == j && !(sum > 0))
        return sc_fail(
            error, SCREE_E_NUMERIC, "A is not positive definite (leading block of %d rows)", i + 1);
      L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
    }
  return SCREE_OK;
}

static scree_status check_problem(const char *name, int dim, const double *A, const double *b,
    const double *params, const sc_law **law, scree_error *error) {
  *law = sc_law_find(name);
  if (!*law) {
    const char *near = scree_nearest_name(name, LAWS, nth_name, NULL);
    return near ? sc_fail(error, SCREE_E_ARGUMENT, "unknown law \"%s\"; did you mean \"%s\"?", name, near)
                : sc_fail(error, SCREE_E_ARGUMENT, "unknown law \"%s\"", name);
  }
  if ((*law)->params_count && !params)
    return sc_fail(error, SCREE_E_ARGUMENT, "law \"%s\" wants parameters", name);
  scree_status status = check_params(*law, params, error);
  if (status) return status;
  int want = scree_law_dim(name, params);
  if (dim != want)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "law \"%s\" with these parameters wants %d rows, not %d", name, want, dim);
  if ((status = check_finite(dim, A, b, error))) return status;
  return check_spd(dim, A, error);
}

/* ---- solving ---- */

static void compute_outcome(int dim, const double *A, const double *b, scree_law_result *result) {
  result->energy = 0;
  for (int i = 0; i < dim; i++) {
    double sum = 0;
    for (int j = 0; j < dim; j++) sum += A[dim * i + j] * result->x[j];
    result->v[i] = sum - b[i];
    result->energy += result->x[i] * (sum / 2 - b[i]);
  }
}

scree_status scree_law_solve(const char *name, int dim, const double *A, const double *b,
    const double *params, scree_law_result *result, scree_error *error) {
  SC_DEMAND(name && A && b && result, error, SCREE_E_ARGUMENT);
  const sc_law *law;
  scree_status status = check_problem(name, dim, A, b, params, &law, error);
  if (status) return status;
  memset(result, 0, sizeof *result);
  result->state = law->solve(law, dim, A, b, params, result->x, &result->iterations);
  compute_outcome(dim, A, b, result);
  return SCREE_OK;
}

/* Returns the state of a solution from its impulse and slip. */
static scree_contact_state state_of(int dim, const double *b, const scree_law_result *result) {
  double size = 0, slip = 0, impulse = 0;
  for (int i = 0; i < dim; i++) {
    size = fmax(size, fabs(b[i]));
    impulse = fmax(impulse, fabs(result->x[i]));
    if (i) slip = fmax(slip, fabs(result->v[i]));
  }
  return impulse == 0 ? SCREE_SEPARATING : slip <= 1e-12 * size ? SCREE_STICKING : SCREE_SLIDING;
}

scree_status scree_law_solutions(const char *name, int dim, const double *A, const double *b,
    const double *params, scree_law_result *results, int *count, scree_error *error) {
  SC_DEMAND(name && A && b && results && count, error, SCREE_E_ARGUMENT);
  *count = 0;
  const sc_law *law;
  scree_status status = check_problem(name, dim, A, b, params, &law, error);
  if (status) return status;
  if (!law->solutions) {
    *count = 1;
    return scree_law_solve(name, dim, A, b, params, results, error);
  }
  double x[SCREE_LAW_MAX_SOLUTIONS * SCREE_LAW_MAX_DIM];
  *count = law->solutions(law, dim, A, b, params, x);
  for (int i = 0; i < *count; i++) {
    memset(results + i, 0, sizeof *results);
    memcpy(results[i].x, x + dim * i, (size_t)dim * sizeof *x);
    compute_outcome(dim, A, b, results + i);
    results[i].state = state_of(dim, b, results + i);
  }
  return SCREE_OK;
}
