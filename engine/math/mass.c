/* Computes mass properties of simple solids and of their combinations (mass.h). */
#include "math/mass.h"
#include "base/base.h"
#include "math/vec.h"

static const double pi = 3.14159265358979323846;

static sc_mass diagonal_mass(double mass, double xx, double yy, double zz) {
  return (sc_mass){.mass = mass, .inertia = {xx, 0, 0, yy, 0, zz}};
}

sc_mass sc_mass_sphere(double radius, double density) {
  double m = 4.0 / 3 * pi * radius * radius * radius * density, i = 0.4 * m * radius * radius;
  return diagonal_mass(m, i, i, i);
}

sc_mass sc_mass_ellipsoid(const double s[3], double density) {
  double m = 4.0 / 3 * pi * s[0] * s[1] * s[2] * density, x = s[0] * s[0], y = s[1] * s[1], z = s[2] * s[2];
  return diagonal_mass(m, m / 5 * (y + z), m / 5 * (x + z), m / 5 * (x + y));
}

sc_mass sc_mass_box(const double h[3], double density) {
  double m = 8 * h[0] * h[1] * h[2] * density, x = h[0] * h[0], y = h[1] * h[1], z = h[2] * h[2];
  return diagonal_mass(m, m / 3 * (y + z), m / 3 * (x + z), m / 3 * (x + y));
}

sc_mass sc_mass_cylinder(double radius, double half, double density) {
  double m = 2 * pi * radius * radius * half * density, across = m * (radius * radius / 4 + half * half / 3);
  return diagonal_mass(m, across, across, m * radius * radius / 2);
}

sc_mass sc_mass_capsule(double r, double half, double density) {
  double tube = 2 * pi * r * r * half * density, caps = 4.0 / 3 * pi * r * r * r * density;
  /* the centre of mass of a half-sphere of mass m is 3/8 r from its flat side; the moment of inertia about an
   * axis through this point, perpendicular to the axis of symmetry, is m r^2 (2/5 - 9/64) */
  double lever = half + 0.375 * r;
  double across = tube * (r * r / 4 + half * half / 3) + caps * (r * r * (0.4 - 9.0 / 64) + lever * lever);
  return diagonal_mass(tube + caps, across, across, tube * r * r / 2 + 0.4 * caps * r * r);
}

sc_mass sc_mass_cone(double r, double half, double density) {
  double h = 2 * half, m = pi / 3 * r * r * h * density, across = m * (0.15 * r * r + 0.0375 * h * h);
  sc_mass cone = diagonal_mass(m, across, across, 0.3 * m * r * r);
  cone.centre[2] = -half / 2;
  return cone;
}

/* Computes out = R T R' for a symmetric tensor T. */
static void rotate_tensor(const double R[9], const double T[6], double out[6]) {
  SC_ASSERT(R && T && out);
  const double full[9] = {T[0], T[1], T[2], T[1], T[3], T[4], T[2], T[4], T[5]};
  double left[9];
  sc_mat_mul(R, full, left);
  /* entry (i,j) of (R T) R' is the product of row i of R T and row j of R */
  const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
  for (int k = 0; k < 6; k++) out[k] = sc_dot(left + 3 * row[k], R + 3 * column[k]);
}

int sc_sym_invert(const double T[6], double out[6]) {
  double a = T[0], b = T[1], c = T[2], d = T[3], e = T[4], f = T[5];
  double minor = a * d - b * b;
  double c00 = d * f - e * e, c01 = c * e - b * f, c02 = b * e - c * d;
  double det = a * c00 + b * c01 + c * c02;
  if (!(a > 0 && minor > 0 && det > 0)) return 0;
  double s = 1 / det;
  const double inverse[6] = {s * c00, s * c01, s * c02, s * (a * f - c * c), s * (b * c - a * e), s * minor};
  memcpy(out, inverse, sizeof inverse);
  return 1;
}

sc_mass sc_mass_moved(const sc_mass *part, const double position[3], const double orientation[4]) {
  sc_mass moved = {.mass = part->mass};
  double R[9];
  sc_quat_matrix(orientation, R);
  sc_mat_vec(R, part->centre, moved.centre);
  sc_add(moved.centre, position, moved.centre);
  rotate_tensor(R, part->inertia, moved.inertia);
  return moved;
}

void sc_mass_add(sc_mass *total, const sc_mass *part) {
  SC_ASSERT(total && part);
  double mass = total->mass + part->mass;
  if (!(mass > 0)) return;
  double d[3], reduced = total->mass * part->mass / mass, square;
  sc_sub(part->centre, total->centre, d);
  square = sc_dot(d, d);
  /* inertia about the common centre of mass: the sum of both inertias, plus that of the reduced mass at the
   * distance between both centres */
  const double apart[6] = {square - d[0] * d[0], -d[0] * d[1], -d[0] * d[2], square - d[1] * d[1],
      -d[1] * d[2], square - d[2] * d[2]};
  for (int k = 0; k < 6; k++) total->inertia[k] += part->inertia[k] + reduced * apart[k];
  sc_axpy(part->mass / mass, d, total->centre, total->centre);
  total->mass = mass;
}
