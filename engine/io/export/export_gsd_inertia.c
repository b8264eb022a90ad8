/* Principal axes of inertia and angular momenta for GSD files.
 *
 * Jacobi's method: rotations about the axes in turn make the tensor diagonal. Each rotation makes one pair of
 * elements zero. The product of the rotations is collected as a quaternion. */
#include "io/export/export_gsd_inertia.h"

#include <math.h>
#include <string.h>
#include "math/vec.h"

enum { TURNS = 30 }; /* largest number of Jacobi rotations; about nine suffice, convergence is quadratic */

/* Rotates A about axis k so that the element (i,j) of the two other axes becomes 0. Applies the same rotation
 * to q. */
static void rotate_pair(double A[3][3], int k, double q[4]) {
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  const double theta = 0.5 * atan2(2 * A[i][j], A[i][i] - A[j][j]), c = cos(theta), s = sin(theta);
  double R[3][3] = {{0}}, B[3][3], turn[4] = {cos(theta / 2), 0, 0, 0}, product[4];
  R[i][i] = c, R[j][j] = c, R[k][k] = 1, R[i][j] = -s, R[j][i] = s;
  turn[1 + k] = sin(theta / 2);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      B[a][b] = 0;
      for (int m = 0; m < 3; m++)
        for (int n = 0; n < 3; n++) B[a][b] += R[m][a] * A[m][n] * R[n][b];
    }
  memcpy(A, B, sizeof B);
  A[i][j] = A[j][i] = 0;
  sc_quat_mul(q, turn, product);
  sc_quat_normalise(product, q);
}

/* Computes the principal moments of a symmetric tensor (xx,xy,xz,yy,yz,zz). Sets q to the rotation from the
 * principal axes to the axes of the tensor (w,x,y,z). q is the identity for a diagonal tensor. */
static void find_principal(const double t[6], double moment[3], double q[4]) {
  double A[3][3] = {{t[0], t[1], t[2]}, {t[1], t[3], t[4]}, {t[2], t[4], t[5]}};
  const double small = 1e-12 * (fabs(t[0]) + fabs(t[3]) + fabs(t[5]));
  q[0] = 1, q[1] = q[2] = q[3] = 0;
  for (int turn = 0; turn < TURNS; turn++) {
    int k = 0;
    for (int n = 1; n < 3; n++)
      if (fabs(A[(n + 1) % 3][(n + 2) % 3]) > fabs(A[(k + 1) % 3][(k + 2) % 3])) k = n;
    if (!(fabs(A[(k + 1) % 3][(k + 2) % 3]) > small)) break;
    rotate_pair(A, k, q);
  }
  for (int k = 0; k < 3; k++) moment[k] = A[k][k];
}

static bool reserve_bodies(sc_gsd_inertia *g, size_t bodies) {
  if (bodies <= g->capacity) return true;
  const size_t n = bodies + bodies / 2;
  sc_gsd_free_inertia(g);
  g->moment = sc_alloc(3 * n * sizeof *g->moment);
  g->axes = sc_alloc(4 * n * sizeof *g->axes);
  g->orientation = sc_alloc(4 * n * sizeof *g->orientation);
  g->angular = sc_alloc(4 * n * sizeof *g->angular);
  if (g->moment && g->axes && g->orientation && g->angular) g->capacity = n;
  return g->capacity >= bodies;
}

void sc_gsd_free_inertia(sc_gsd_inertia *g) {
  sc_free(g->moment);
  sc_free(g->axes);
  sc_free(g->orientation);
  sc_free(g->angular);
  memset(g, 0, sizeof *g);
}

bool sc_gsd_find_inertia(sc_gsd_inertia *g, const scree_frame *f) {
  static const double unturned[4] = {1, 0, 0, 0};
  if (!reserve_bodies(g, (size_t)f->bodies + 1)) return false;
  for (int64_t i = 0; i < f->bodies; i++) {
    double tensor[6], spin[3] = {0}, L[4] = {0};
    double *I = g->moment + 3 * i, *q = g->orientation + 4 * i, *p = g->angular + 4 * i;
    scree_frame_inertia(f, i, tensor);
    find_principal(tensor, I, g->axes + 4 * i);
    sc_quat_mul(f->orientation ? f->orientation + 4 * i : unturned, g->axes + 4 * i, q);
    if (f->spin) sc_quat_unrotate(q, f->spin + 3 * i, spin);
    for (int k = 0; k < 3; k++) L[1 + k] = 2 * I[k] * spin[k];
    sc_quat_mul(q, L, p);
  }
  return true;
}
