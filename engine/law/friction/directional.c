/* Anisotropic friction by direction vectors (Stewart & Trinkle 1996, section 2, with the columns of D of any
 * direction and length).
 *
 * The friction impulse acts on the body of the pair's first material. It lies in x_n times the convex hull of
 * 0 and the vectors mu v_i, projected on the contact plane. Unless one_sided, the opposite vectors are in the
 * hull, too. The friction impulse is the point of the hull that opposes the end-of-step slip most. The length
 * of a vector is the coefficient of friction along it. Vectors rotate with the body of the first material or
 * are fixed in the world. Two vectors at right angles make a diamond. Many vectors on an ellipse approximate
 * the elliptic cone. A single vector makes friction along a line, as of a skate. One-sided sets make
 * ratchets.
 *
 * refresh writes the (t,o) components of the vectors into their x and y, which solve reads. */
#include <string.h>
#include "law/law_parts.h"
#include "math/vec.h"

enum { VECTORS = 6, MU = 0, FIRST = 1, WORLD_FRAME = FIRST + 3 * VECTORS, ONE_SIDED, COUNT };

#define VECTOR(k) \
  SC_LAW_PAR(FIRST + 3 * (k)-3, "v" #k "_x", "", 0, -1e300, 1e300, \
      "vector " #k ": coefficient of friction along it; in a bare problem x is t"), \
      SC_LAW_PAR(FIRST + 3 * (k)-2, "v" #k "_y", "", 0, -1e300, 1e300, \
          "its y component; in a bare problem y is o"), \
      SC_LAW_PAR( \
          FIRST + 3 * (k)-1, "v" #k "_z", "", 0, -1e300, 1e300, "its z component; unused in a bare problem")
static const scree_param params[COUNT] = {
    SC_LAW_PAR(MU, "mu", "", 1, 0, INFINITY, "factor on all vectors"),
    VECTOR(1),
    VECTOR(2),
    VECTOR(3),
    VECTOR(4),
    VECTOR(5),
    VECTOR(6),
    SC_LAW_PAR(WORLD_FRAME, "world_frame", "", 0, 0, 1,
        "1: vectors are fixed in the world; 0: in the body of the pair's first material"),
    SC_LAW_PAR(ONE_SIDED, "one_sided", "", 0, 0, 1, "1: vectors as they are; 0: their opposites too"),
};

/* Sets P to the hull of the vectors (t,o), unscaled by mu. */
static void read_polygon(const double *par, sc_polygon *P) {
  double point[2 * VECTORS][2];
  int n = 0;
  for (int i = 0; i < VECTORS; i++) {
    const double *v = par + FIRST + 3 * i;
    if (v[0] == 0 && v[1] == 0) continue;
    point[n][0] = v[0];
    point[n++][1] = v[1];
    if (par[ONE_SIDED] != 0) continue;
    point[n][0] = -v[0];
    point[n++][1] = -v[1];
  }
  sc_polygon_hull((const double(*)[2])point, n, P);
}

static int corners_of_directional(const double *par, double (*corner)[2]) {
  _Static_assert(2 * VECTORS + 1 <= SC_LAW_MOST_CORNERS, "every vector, its opposite and 0");
  sc_polygon P;
  read_polygon(par, &P);
  for (int i = 0; i < P.count; i++)
    corner[i][0] = par[MU] * P.corner[i][0], corner[i][1] = par[MU] * P.corner[i][1];
  return P.count;
}

static scree_contact_state solve_directional(const sc_law *law, int dim, const double *A, const double *b,
    const double *par, double *x, int *iterations) {
  (void)law, (void)dim;
  sc_polygon P;
  if (iterations) *iterations = 0;
  read_polygon(par, &P);
  scree_contact_state state = sc_polygon_solve(&P, A, b, par[MU], par[MU], x);
  double sum = x[0] + x[1] + x[2];
  return sum == sum ? state : sc_law_zero(x);
}

static int solutions_of_directional(
    const sc_law *law, int dim, const double *A, const double *b, const double *par, double *x) {
  (void)law, (void)dim;
  sc_polygon P;
  read_polygon(par, &P);
  return sc_polygon_solutions(&P, A, b, par[MU], par[MU], x);
}

static bool slides_directional(const double *par, const double x[3]) {
  sc_polygon P;
  read_polygon(par, &P);
  return sc_polygon_slides(&P, par[MU], par[MU], x);
}

/* Replaces the vectors by two one-sided vectors: the ends of their hull's section along t. In a planar world
 * friction acts along t only. */
static void flatten_vectors(double *par) {
  sc_polygon P;
  double range[2];
  read_polygon(par, &P);
  sc_polygon_section(&P, range);
  memset(par + FIRST, 0, 3 * VECTORS * sizeof *par);
  par[FIRST] = range[1];
  par[FIRST + 3] = range[0];
  par[ONE_SIDED] = 1;
}

static int refresh_directional(
    const sc_law *law, double *par, double *state, const scree_contact_info *info, scree_error *error) {
  (void)law, (void)state, (void)error;
  const double *q = info->swapped ? info->orientation2 : info->orientation1, sign = info->swapped ? -1 : 1;
  double o[3];
  sc_cross(info->normal, info->t, o);
  for (int i = 0; i < VECTORS; i++) {
    double *v = par + FIRST + 3 * i, world[3];
    if (par[WORLD_FRAME] != 0) sc_copy3(v, world);
    else sc_quat_rotate(q, v, world);
    v[0] = sign * sc_dot(world, info->t);
    v[1] = sign * sc_dot(world, o);
    v[2] = 0;
  }
  if (info->planar) flatten_vectors(par);
  return 0;
}

const sc_law sc_law_directional = {
    .name = "directional",
    .doc = "anisotropic Coulomb friction: a polygon of the user's direction vectors in place of the circle, "
           "exact",
    .params = params,
    .params_count = COUNT,
    .solve = solve_directional,
    .solutions = solutions_of_directional,
    .refresh = refresh_directional,
    .corners = corners_of_directional,
    .slides = slides_directional,
};
