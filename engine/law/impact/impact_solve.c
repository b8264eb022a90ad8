/* Public functions of the impact solver: checks of the definition, and invariant directions. */
#include "base/base.h"
#include "scree/param.h"
#include "law/impact/impact.h"
#include "math/vec.h"

#define AT(member) offsetof(scree_impact_def, member)
const scree_param scree_impact_params[] = {
    SCREE_ROW_VALUE("W", "1/kg", "inverse inertia matrix, three rows, order (x,y,z)"),
    {"v", SCREE_VEC3, SCREE_REQUIRED, "m/s", 0, 0, 0, AT(v), NULL,
        "velocity of body 1 against body 2 at the contact"},
    {"mu", SCREE_REAL, SCREE_REQUIRED, "", 0, 0, INFINITY, AT(mu), NULL, "friction coefficient"},
    {"e", SCREE_REAL, SCREE_REQUIRED, "", 0, 0, 1, AT(e), NULL, "coefficient of restitution"},
    SCREE_ROW_CHOICE("law", AT(law), SCREE_STRONGE, "stronge|poisson|newton", "what e means"),
    SCREE_ROW_REAL("line_tolerance", AT(line_tolerance), "rad", 0, 0, 0.78539816339744831,
        "slip this close to an invariant direction is taken as straight (event l); 0: never"),
    SCREE_ROW_VALUE(
        "hodograph", "", "true, or a number of points: the way through the impact is returned too"),
};
const int scree_impact_params_count = sizeof scree_impact_params / sizeof *scree_impact_params;

scree_impact_def scree_impact_defaults(void) { return (scree_impact_def){.law = SCREE_STRONGE}; }

static scree_status check_numbers(const char *name, const double *values, int count, scree_error *error) {
  for (int i = 0; i < count; i++)
    if (!isfinite(values[i]))
      return sc_fail(
          error, SCREE_E_ARGUMENT, "impact.%s[%d] is %s", name, i + 1, isnan(values[i]) ? "NaN" : "infinite");
  return SCREE_OK;
}

/* Checks that W is symmetric to 1e-9 of sqrt(W_ii W_jj), and positive definite by the signs of its minors. */
static scree_status check_matrix(const double W[9], scree_error *error) {
  scree_status status = check_numbers("W", W, 9, error);
  if (status) return status;
  for (int i = 0; i < 3; i++)
    if (!(W[4 * i] > 0))
      return sc_fail(error, SCREE_E_NUMERIC, "impact.W is not positive definite: W[%d][%d] is %g", i + 1,
          i + 1, W[4 * i]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < i; j++) {
      double scale = sqrt(W[4 * i]) * sqrt(W[4 * j]);
      if (fabs(W[3 * i + j] - W[3 * j + i]) > 1e-9 * scale)
        return sc_fail(error, SCREE_E_ARGUMENT,
            "impact.W is not symmetric: W[%d][%d] = %.17g but W[%d][%d] = %.17g", i + 1, j + 1, W[3 * i + j],
            j + 1, i + 1, W[3 * j + i]);
    }
  // scales W to correlations, so that the minors do not depend on units
  double r[3];
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    r[k] = (W[3 * i + j] + W[3 * j + i]) / 2 / (sqrt(W[4 * i]) * sqrt(W[4 * j]));
  }
  double determinant = 1 - (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) + 2 * r[0] * r[1] * r[2];
  if (fabs(r[0]) >= 1 || fabs(r[1]) >= 1 || fabs(r[2]) >= 1 || !(determinant > 0))
    return sc_fail(error, SCREE_E_NUMERIC, "impact.W is not positive definite: a minor is not positive");
  return SCREE_OK;
}

static scree_status check_def(const scree_impact_def *def, scree_error *error) {
  scree_status status = check_matrix(def->W, error);
  if (!status)
    status = scree_param_check_all(scree_impact_params, scree_impact_params_count, def, "impact", error);
  if (status) return status;
  if (!(def->v[2] < 0))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "impact.v: the bodies do not approach, v_z is %.17g and must be negative", def->v[2]);
  if (def->points_max < 0 || (def->points_max > 0 && !def->points))
    return sc_fail(
        error, SCREE_E_ARGUMENT, "impact.points_max is %d without room for as many points", def->points_max);
  return SCREE_OK;
}

scree_status scree_impact_solve(
    const scree_impact_def *def, scree_impact_result *result, scree_error *error) {
  SC_DEMAND(def && result, error, SCREE_E_ARGUMENT);
  scree_status status = check_def(def, error);
  if (status) return status;
  if (!sc_impact_run(def, result))
    return sc_fail(
        error, SCREE_E_NUMERIC, "impact: the sliding did not come to an end; W is too close to singular");
  return SCREE_OK;
}

int scree_impact_directions(const double W[9], double mu, double directions[4][2], double rates[4]) {
  SC_DEMAND(W, NULL, 0);
  if (check_matrix(W, NULL) || !(mu >= 0 && mu < INFINITY)) return 0;
  sc_impact_matter matter;
  double axis[2], T;
  sc_impact_principal(W, mu, &matter, axis);
  int count = sc_impact_all_directions(&matter, directions);
  for (int i = 0; i < count; i++) {
    double x = directions[i][0], y = directions[i][1];
    sc_impact_rates(&matter, directions[i], &rates[i], &T);
    directions[i][0] = axis[0] * x - axis[1] * y;
    directions[i][1] = axis[1] * x + axis[0] * y;
  }
  return count;
}
