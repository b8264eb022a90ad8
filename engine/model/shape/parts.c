/* Functions that several kinds of shapes share: rims, discs and sides of solids of revolution, and triangles
 * of surfaces of revolution. */
#include "math/elementary.h"
#include "model/shape/kind.h"

void sc_rim_point(double r, const double d[3], double z, double out[3]) {
  double across = sqrt(d[0] * d[0] + d[1] * d[1]), s = across > 0 ? r / across : 0;
  sc_set3(s * d[0], s * d[1], z, out);
}

void sc_disc_face(double r, double z, double side, sc_face *f) {
  static const double turn[8][2] = {{1, 0}, {0.70710678118654752, 0.70710678118654752}, {0, 1},
      {-0.70710678118654752, 0.70710678118654752}, {-1, 0}, {-0.70710678118654752, -0.70710678118654752},
      {0, -1}, {0.70710678118654752, -0.70710678118654752}};
  f->count = 8;
  f->id = side > 0;
  f->disc = r;
  sc_set3(0, 0, side, f->normal);
  for (int k = 0; k < 8; k++) sc_set3(r * turn[k][0], side * r * turn[k][1], z, f->corner[k]);
}

void sc_side_face(const double d[3], double r0, double z0, double r1, double z1, sc_face *f) {
  double across = sqrt(d[0] * d[0] + d[1] * d[1]), c = across > 0 ? d[0] / across : 1,
         s = across > 0 ? d[1] / across : 0;
  f->count = 2;
  f->id = 2;
  sc_set3(r0 * c, r0 * s, z0, f->corner[0]);
  sc_set3(r1 * c, r1 * s, z1, f->corner[1]);
}

double sc_rim_bend(double r, const double d[3], const double u[3], const double v[3]) {
  double square = d[0] * d[0] + d[1] * d[1];
  return r * (d[0] * u[1] - d[1] * u[0]) * (d[0] * v[1] - d[1] * v[0]) / (square * sqrt(square));
}

/* Sets turn to the point of a rim of radius 1 at the angle k times 15 degrees. */
static void turn_of_rim(int k, double turn[2]) {
  static const double cosine[7] = {
      1, 0.96592582628906831, 0.86602540378443865, 0.70710678118654752, 0.5, 0.25881904510252074, 0};
  const int j = k % 6;
  const double c = cosine[j], s = cosine[6 - j];
  const double quarter[4][2] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};
  turn[0] = quarter[k / 6][0], turn[1] = quarter[k / 6][1];
}

/* Passes to the sink the fixed points of a rim that lies flat. Adds the lowest point of the rim if it is
 * lower than all fixed points by more than rounding errors. c, d: unit vector in the x-y plane from the axis
 * to the lowest point. tilt: sine of the tilt of the rim. */
static void drop_flat_rim(
    double r, double z, uint32_t name, double c, double d, double tilt, const sc_point_sink *sink) {
  /* height divided by the radius; larger than the gaps that solvers leave */
  static const double rounding = 1e-7;
  double lowest = 0;
  for (int k = 0; k < SC_RIM_POINTS; k++) {
    double turn[2];
    turn_of_rim(k, turn);
    lowest = fmax(lowest, turn[0] * c + turn[1] * d);
    sink->put(sink->to, (double[3]){r * turn[0], r * turn[1], z}, name + 4 + (uint32_t)k);
  }
  if (tilt * (1 - lowest) > rounding) sink->put(sink->to, (double[3]){r * c, r * d, z}, name);
}

void sc_drop_rim(double r, double z, uint32_t name, const double n[3], const sc_point_sink *sink) {
  const double x = -n[0], y = -n[1], tilt = sqrt(x * x + y * y);
  const double c = tilt > 0 ? x / tilt : 1, d = tilt > 0 ? y / tilt : 0;
  const double turn[4][2] = {{c, d}, {-d, c}, {-c, -d}, {d, -c}};
  if (tilt <= SC_RIM_FLAT) {
    drop_flat_rim(r, z, name, c, d, tilt, sink);
    return;
  }
  /* a disc that stands on its rim needs only its lowest point */
  for (uint32_t k = 0; k < (tilt > 0.7 ? 1 : 4); k++)
    sink->put(sink->to, (double[3]){r * turn[k][0], r * turn[k][1], z}, name + k);
}

void sc_unfold(const double x[3], double rho, double away, double along, double n[3]) {
  double c = rho > 0 ? x[0] / rho : 1, s = rho > 0 ? x[1] / rho : 0;
  sc_set3(away * c, away * s, along, n);
}

/* ---- drawing ---- */

enum { MOST_RINGS = 24, PRISM = 24 };
static const double pi = 3.14159265358979323846;

/* Passes the triangles of a surface of revolution about z to the sink. ring: [rings] radius and height, from
 * bottom to top; scale: factors along x, y and z. */
static void revolve_ring(
    const double (*ring)[2], int rings, const double scale[3], const sc_triangle_sink *sink) {
  const int sides = sc_sink_sides(sink);
  for (int i = 0; i + 1 < rings; i++)
    for (int k = 0; k < sides; k++) {
      double p[4][3];
      for (int e = 0; e < 4; e++) {
        const double *r = ring[i + (e > 1)];
        double sine, cosine;
        sc_sin_cos(2 * pi * ((k + (e == 1 || e == 2)) % sides) / sides, &sine, &cosine);
        p[e][0] = scale[0] * r[0] * cosine;
        p[e][1] = scale[1] * r[0] * sine;
        p[e][2] = scale[2] * r[1];
      }
      sink->put(sink->to, p[0], p[1], p[2]);
      sink->put(sink->to, p[0], p[2], p[3]);
    }
}

void sc_draw_capsule(double radius, double length, const double scale[3], const sc_triangle_sink *sink) {
  const int rings = sc_sink_sides(sink) / 2;
  double ring[MOST_RINGS + 2][2];
  int n = 0;
  for (int i = 0; i <= rings; i++) {
    double sine, cosine;
    sc_sin_cos(pi * (i - rings / 2.0) / rings, &sine, &cosine);
    ring[n][0] = i % rings ? radius * cosine : 0;
    ring[n++][1] = radius * sine + (i <= rings / 2 ? -length / 2 : length / 2);
    if (2 * i == rings && length > 0) {
      ring[n][0] = radius;
      ring[n++][1] = length / 2;
    }
  }
  revolve_ring((const double(*)[2])ring, n, scale, sink);
}

void sc_draw_frustum(double bottom, double top, double length, const sc_triangle_sink *sink) {
  double ring[4][2] = {{0, -length / 2}, {bottom, -length / 2}, {top, length / 2}, {0, length / 2}};
  revolve_ring((const double(*)[2])ring, 4, (const double[3]){1, 1, 1}, sink);
}

void sc_frustum_corners(double bottom, double top, double half, const sc_point_sink *sink) {
  for (uint32_t k = 0; k < PRISM; k++) {
    double c, s;
    sc_sin_cos(2 * pi * k / PRISM, &s, &c);
    sink->put(sink->to, (double[3]){bottom * c, bottom * s, -half}, k);
    if (top > 0) sink->put(sink->to, (double[3]){top * c, top * s, half}, PRISM + k);
  }
  if (!(top > 0)) sink->put(sink->to, (double[3]){0, 0, half}, PRISM);
}
