/* Blocks of rays against one solid in its standard form, without branches, so that compilers take several
 * rays at a time; included once for each width of SIMD with CAST_BLOCK defined. A ray is p + s d; what comes
 * back is the s of the first point of the solid, or INFINITY. */
#include "draw/draw.h"

#include <math.h>

typedef struct ray {
  float px, py, pz, dx, dy, dz;
} ray;

#define HIT static inline __attribute__((always_inline)) float

HIT least(float a, float b) { return a < b ? a : b; }
HIT most(float a, float b) { return a > b ? a : b; }
/* Divisors that may be 0: as good as infinite quotients, without NaN. */
HIT divisor(float d) { return ((d < 1e-20f) & (d > -1e-20f)) ? 1e-20f : d; }

/* Where x^2 + y^2 (+ z^2) = 1: the middle of the chord and half its length, < 0 where there is none. The
 * distance is taken at the nearest point of the ray: it stays exact for eyes that are far away. */
HIT ball(ray r, float cz) {
  float pz = r.pz - cz;
  float a = 1 / (r.dx * r.dx + r.dy * r.dy + r.dz * r.dz), s = -(r.px * r.dx + r.py * r.dy + pz * r.dz) * a;
  float x = r.px + s * r.dx, y = r.py + s * r.dy, z = pz + s * r.dz, h = 1 - (x * x + y * y + z * z);
  float root = sqrtf(most(h, 0) * a);
  return h < 0 ? INFINITY : s - root;
}

HIT cube(ray r) {
  float ix = 1 / divisor(r.dx), iy = 1 / divisor(r.dy), iz = 1 / divisor(r.dz);
  float ax = (-1 - r.px) * ix, bx = (1 - r.px) * ix, ay = (-1 - r.py) * iy, by = (1 - r.py) * iy,
        az = (-1 - r.pz) * iz, bz = (1 - r.pz) * iz;
  float in = most(most(least(ax, bx), least(ay, by)), least(az, bz));
  float end = least(least(most(ax, bx), most(ay, by)), most(az, bz));
  return in <= end ? in : INFINITY;
}

/* The cylinder of radius 1 about z, cut at -length and length. */
HIT cylinder(ray r, float length) {
  float a = 1 / most(r.dx * r.dx + r.dy * r.dy, 1e-20f), s = -(r.px * r.dx + r.py * r.dy) * a;
  float x = r.px + s * r.dx, y = r.py + s * r.dy, h = 1 - (x * x + y * y), root = sqrtf(most(h, 0) * a);
  float iz = 1 / divisor(r.dz), az = (-length - r.pz) * iz, bz = (length - r.pz) * iz;
  float in = most(s - root, least(az, bz)), end = least(s + root, most(az, bz));
  return h < 0 || in > end ? INFINITY : in;
}

HIT capsule(ray r, float extra) { return least(cylinder(r, extra), least(ball(r, extra), ball(r, -extra))); }

/* x^2 + y^2 = ((1 - z) / 2)^2 between z = -1 and 1, closed by a disc. */
HIT cone(ray r) {
  float k = (1 - r.pz) * 0.5f, dk = -r.dz * 0.5f;
  float a = divisor(r.dx * r.dx + r.dy * r.dy - dk * dk), b = r.px * r.dx + r.py * r.dy - k * dk;
  float c = r.px * r.px + r.py * r.py - k * k, h = b * b - a * c, root = sqrtf(most(h, 0)), ia = 1 / a;
  float s1 = (-b - root) * ia, s2 = (-b + root) * ia, z1 = r.pz + s1 * r.dz, z2 = r.pz + s2 * r.dz;
  s1 = h < 0 || z1 < -1 || z1 > 1 ? INFINITY : s1;
  s2 = h < 0 || z2 < -1 || z2 > 1 ? INFINITY : s2;
  float s3 = (-1 - r.pz) / divisor(r.dz), x = r.px + s3 * r.dx, y = r.py + s3 * r.dy;
  s3 = x * x + y * y > 1 ? INFINITY : s3;
  return least(least(s1, s2), s3);
}

/* A hair is added around, so that neighbours leave no gaps. */
HIT triangle(ray r) {
  const float hair = 1e-5f;
  float s = -r.pz / divisor(r.dz), x = r.px + s * r.dx, y = r.py + s * r.dy;
  return x < -hair || y < -hair || x + y > 1 + hair ? INFINITY : s;
}

/* The ray number i of the row whose first one is at (x, y). */
static inline __attribute__((always_inline)) ray nth(const sc_sight *g, float x, float y, int i) {
  float at = x + (float)i;
  return (ray){(g->p[0] + y * g->py[0]) + at * g->px[0], (g->p[1] + y * g->py[1]) + at * g->px[1],
      (g->p[2] + y * g->py[2]) + at * g->px[2], (g->d[0] + y * g->dy[0]) + at * g->dx[0],
      (g->d[1] + y * g->dy[1]) + at * g->dx[1], (g->d[2] + y * g->dy[2]) + at * g->dx[2]};
}

/* What lies before the eye and nearer than what the row holds, stays. Eight rays at a time. */
#define CAST(form, first_hit) \
  static void cast_##form( \
      const sc_sight *restrict sight, sc_block block, float *restrict depth, int32_t *restrict who) { \
    const sc_sight g = *sight; \
    for (int j = 0; j < block.rows; j++, depth += block.depth_stride, who += block.who_stride) \
      for (int begin = 0; begin < block.count; begin += SC_RAYS) \
        for (int i = begin; i < begin + SC_RAYS; i++) { \
          ray r = nth(&g, block.x, block.y + (float)j, i); \
          float t = g.t0 + (first_hit), old = depth[i]; \
          int nearer = (t > 0) & (t < old); \
          depth[i] = nearer ? t : old; \
          who[i] = nearer ? g.solid : who[i]; \
        } \
  }

CAST(ball, ball(r, 0))
CAST(cube, cube(r))
CAST(round, cylinder(r, 1))
CAST(cone, cone(r))
CAST(capsule, capsule(r, g.extra))
CAST(triangle, triangle(r))

/* Hulls: the rays enter where the last of the planes that face them is passed. */
static void hull_row(
    const sc_sight *g, float x, float y, int count, float *restrict depth, int32_t *restrict who) {
  for (int begin = 0; begin < count; begin += SC_RAYS) {
    float in[SC_RAYS], end[SC_RAYS];
    for (int i = 0; i < SC_RAYS; i++) in[i] = -INFINITY, end[i] = INFINITY;
    for (int32_t f = 0; f < g->faces; f++) {
      float nx = (float)g->face[f][0], ny = (float)g->face[f][1], nz = (float)g->face[f][2],
            height = (float)g->face[f][3];
      for (int i = 0; i < SC_RAYS; i++) {
        ray r = nth(g, x, y, begin + i);
        float across = divisor(nx * r.dx + ny * r.dy + nz * r.dz);
        float s = (height - (nx * r.px + ny * r.py + nz * r.pz)) / across, a = in[i], b = end[i];
        in[i] = across < 0 ? most(a, s) : a;
        end[i] = across < 0 ? b : least(b, s);
      }
    }
    for (int i = 0; i < SC_RAYS; i++) {
      float t = g->t0 + in[i], old = depth[begin + i];
      int nearer = (in[i] <= end[i]) & (t > 0) & (t < old);
      depth[begin + i] = nearer ? t : old;
      who[begin + i] = nearer ? g->solid : who[begin + i];
    }
  }
}

static void cast_hull(const sc_sight *g, sc_block block, float *depth, int32_t *who) {
  for (int j = 0; j < block.rows; j++, depth += block.depth_stride, who += block.who_stride)
    hull_row(g, block.x, block.y + (float)j, block.count, depth, who);
}

void CAST_BLOCK(const sc_sight *sight, sc_block block, float *depth, int32_t *who) {
  static sc_cast *const casts[SC_FORMS] = {[SC_BALL] = cast_ball,
      [SC_CUBE] = cast_cube,
      [SC_ROUND] = cast_round,
      [SC_CONE] = cast_cone,
      [SC_CAPSULE] = cast_capsule,
      [SC_HULL] = cast_hull,
      [SC_TRIANGLE] = cast_triangle};
  casts[sight->form](sight, block, depth, who);
}
