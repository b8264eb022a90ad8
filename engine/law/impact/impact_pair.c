/* Computes the impact problem of two bodies, and applies its impulse:
 *   W = sum over both of (1/m) E - [r]x J^-1 [r]x,
 *   r = contact point - centre of mass, J the inertia in world axes   (Jia & Wang 2016, (5)),
 * in the frame (x,y,z) of the contact; v = (v1 + w1 x r1) - (v2 + w2 x r2). */
#include <stdio.h>

#include "base/base.h"
#include "math/vec.h"
#include "model/relative.h"
#include "scree/impact.h"

#define BODY(member) offsetof(scree_impact_body, member)
const scree_param scree_impact_body_params[] = {
    {"mass", SCREE_REAL, SCREE_POSITIVE | SCREE_UNBOUNDED, "kg", INFINITY, 0, 0, BODY(mass), NULL,
        "mass; math.huge: immovable"},
    SCREE_ROW_VALUE("inertia", "kg m2", "in the body's frame: a number, {xx,yy,zz} or {xx,xy,xz,yy,yz,zz}"),
    SCREE_ROW_VEC3("position", BODY(position), "m", "centre of mass"),
    SCREE_ROW_QUAT("orientation", BODY(orientation), "quaternion (w,x,y,z)"),
    SCREE_ROW_VEC3("velocity", BODY(velocity), "m/s", "of the centre of mass"),
    SCREE_ROW_VEC3("spin", BODY(spin), "rad/s", "angular velocity, world axes"),
};
const int scree_impact_body_params_count = sizeof scree_impact_body_params / sizeof *scree_impact_body_params;

#define PAIR(member) offsetof(scree_impact_pair, member)
const scree_param scree_impact_pair_params[] = {
    SCREE_ROW_VALUE("body1", "", "the body the normal points into"),
    SCREE_ROW_VALUE("body2", "", "the other; without it: immovable"),
    SCREE_ROW_VEC3("point", PAIR(point), "m", "contact point"),
    {"normal", SCREE_VEC3, SCREE_NONZERO, "", 0, 0, 0, PAIR(normal), NULL,
        "from body 2 into body 1; (0,0,1) by default"},
    SCREE_ROW_VEC3("tangent", PAIR(tangent), "", "direction of x"),
};
const int scree_impact_pair_params_count = sizeof scree_impact_pair_params / sizeof *scree_impact_pair_params;

scree_impact_pair scree_impact_pair_defaults(void) {
  scree_impact_pair pair = {.normal = {0, 0, 1}};
  for (int i = 0; i < 2; i++) pair.body[i].mass = INFINITY, pair.body[i].orientation[0] = 1;
  return pair;
}

static bool finite_all(const double *values, int count) {
  for (int i = 0; i < count; i++)
    if (!isfinite(values[i])) return false;
  return true;
}

/* Sets out to the inverse of a symmetric matrix (xx,xy,xz,yy,yz,zz). Returns false if it is not positive
 * definite. */
static bool invert_symmetric(const double J[6], double out[9]) {
  double a = J[3] * J[5] - J[4] * J[4], b = J[2] * J[4] - J[1] * J[5], c = J[1] * J[4] - J[2] * J[3];
  double determinant = J[0] * a + J[1] * b + J[2] * c, minor = J[0] * J[3] - J[1] * J[1];
  if (!(J[0] > 0 && minor > 0 && determinant > 0)) return false;
  double full[9] = {
      a, b, c, b, J[0] * J[5] - J[2] * J[2], J[1] * J[2] - J[0] * J[4], c, J[1] * J[2] - J[0] * J[4], minor};
  for (int i = 0; i < 9; i++) out[i] = full[i] / determinant;
  return true;
}

static scree_status check_body(const scree_impact_body *b, int index, scree_error *error) {
  double inverse[9], q = 0;
  char path[32];
  snprintf(path, sizeof path, "impact.body[%d]", index + 1);
  scree_status status = scree_param_check_all(
      scree_impact_body_params, scree_impact_body_params_count, b, path, error);
  if (status) return status;
  for (int i = 0; i < 4; i++) q += b->orientation[i] * b->orientation[i];
  if (!(q > 0)) return sc_fail(error, SCREE_E_ARGUMENT, "%s.orientation must not be zero", path);
  if (isfinite(b->mass) && (!finite_all(b->inertia, 6) || !invert_symmetric(b->inertia, inverse)))
    return sc_fail(error, SCREE_E_ARGUMENT, "%s.inertia is not positive definite", path);
  return SCREE_OK;
}

/* Computes the axes x, y, z of the contact as rows. */
static scree_status compute_contact_frame(
    const scree_impact_pair *pair, double frame[9], scree_error *error) {
  double *x = frame, *y = frame + 3, *z = frame + 6, size, world[2][3] = {{1, 0, 0}, {0, 1, 0}};
  scree_status status = scree_param_check_all(
      scree_impact_pair_params, scree_impact_pair_params_count, pair, "impact", error);
  if (status) return status;
  sc_normalise(pair->normal, z);
  bool given = sc_norm(pair->tangent) > 0;
  const double *wish = given ? pair->tangent : fabs(z[0]) < 0.9 ? world[0] : world[1];
  sc_normalise(wish, x);
  sc_axpy(-sc_dot(x, z), z, x, x);
  size = sc_normalise(x, x);
  if (!(size > 1e-9)) return sc_fail(error, SCREE_E_ARGUMENT, "impact.tangent lies along the normal");
  sc_cross(z, x, y);
  return SCREE_OK;
}

/* Computes the inverse inertia in world axes; zero for an immovable body. */
static void compute_world_inverse(const scree_impact_body *b, double out[9]) {
  double R[9], K[9], RK[9], q[4];
  memset(out, 0, 9 * sizeof *out);
  if (isinf(b->mass) || !invert_symmetric(b->inertia, K)) return;
  sc_quat_normalise(b->orientation, q);
  sc_quat_matrix(q, R);
  sc_mat_mul(R, K, RK);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out[3 * i + j] = sc_dot(RK + 3 * i, R + 3 * j);
}

static scree_status check_pair(const scree_impact_pair *pair, double frame[9], scree_error *error) {
  scree_status status = compute_contact_frame(pair, frame, error);
  for (int i = 0; i < 2 && !status; i++) status = check_body(pair->body + i, i, error);
  if (!status && isinf(pair->body[0].mass) && isinf(pair->body[1].mass))
    status = sc_fail(error, SCREE_E_ARGUMENT, "impact: both bodies are immovable");
  return status;
}

scree_status scree_impact_inverse_inertia(
    const scree_impact_pair *pair, double W[9], double frame[9], scree_error *error) {
  SC_DEMAND(pair, error, SCREE_E_ARGUMENT);
  double axes[9], K[9];
  scree_status status = check_pair(pair, axes, error);
  if (status) return status;
  memset(W, 0, 9 * sizeof *W);
  for (int k = 0; k < 2; k++) {
    const scree_impact_body *b = pair->body + k;
    double r[3], arm[3][3], turned[3];
    sc_sub(pair->point, b->position, r);
    compute_world_inverse(b, K);
    // W_ij = e_i.e_j / m + (r x e_i).K (r x e_j)
    for (int i = 0; i < 3; i++) sc_cross(r, axes + 3 * i, arm[i]), W[4 * i] += 1 / b->mass;
    for (int i = 0; i < 3; i++) {
      sc_mat_vec(K, arm[i], turned);
      for (int j = 0; j < 3; j++) W[3 * i + j] += sc_dot(turned, arm[j]);
    }
  }
  // entries on both sides of the diagonal get the same value
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < i; j++) W[3 * i + j] = W[3 * j + i] = (W[3 * i + j] + W[3 * j + i]) / 2;
  if (frame) memcpy(frame, axes, sizeof axes);
  return SCREE_OK;
}

scree_status scree_impact_velocity(const scree_impact_pair *pair, double v[3], scree_error *error) {
  SC_DEMAND(pair, error, SCREE_E_ARGUMENT);
  double frame[9], relative[3] = {0, 0, 0};
  scree_status status = check_pair(pair, frame, error);
  if (status) return status;
  for (int k = 0; k < 2; k++) {
    const scree_impact_body *b = pair->body + k;
    double r[3], u[3];
    sc_sub(pair->point, b->position, r);
    sc_rigid_velocity(b->velocity, b->spin, r, u);
    sc_axpy(k ? -1 : 1, u, relative, relative);
  }
  sc_mat_vec(frame, relative, v);
  return SCREE_OK;
}

scree_status scree_impact_apply(scree_impact_pair *pair, const double impulse[3], scree_error *error) {
  SC_DEMAND(pair, error, SCREE_E_ARGUMENT);
  double frame[9], world[3], K[9];
  scree_status status = check_pair(pair, frame, error);
  if (status) return status;
  if (!finite_all(impulse, 3)) return sc_fail(error, SCREE_E_ARGUMENT, "impact.impulse must be finite");
  sc_mat_tvec(frame, impulse, world);
  for (int k = 0; k < 2; k++) {
    scree_impact_body *b = pair->body + k;
    double r[3], turn[3], sign = k ? -1 : 1;
    sc_axpy(sign / b->mass, world, b->velocity, b->velocity);
    sc_sub(pair->point, b->position, r);
    sc_cross(r, world, turn);
    compute_world_inverse(b, K);
    sc_mat_vec(K, turn, turn);
    sc_axpy(sign, turn, b->spin, b->spin);
  }
  return SCREE_OK;
}
