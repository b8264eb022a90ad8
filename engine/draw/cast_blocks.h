/* Casts blocks of rays at one solid in its standard form (draw.h). The code has no branches, so that
 * compilers vectorise it. cast.c and cast_avx2.c include this file. They define CAST_BLOCK, the name of the
 * function, and CAST_LANES, the number of rays that are cast together at a hull (4 or 8). A ray is p + s d.
 * The functions hit_* return s at the first point of the ray in the solid, or INFINITY. */
#include "draw/draw.h"

#include <math.h>
#include <string.h>

typedef struct ray {
  float px, py, pz, dx, dy, dz;
} ray;

#define HIT static inline __attribute__((always_inline)) float

HIT min_of(float a, float b) { return a < b ? a : b; }
HIT max_of(float a, float b) { return a > b ? a : b; }
/* Returns d, or 1e-20 if |d| is smaller than that. A quotient by 0 is then very large instead of NaN. */
HIT safe_divisor(float d) { return ((d < 1e-20f) & (d > -1e-20f)) ? 1e-20f : d; }

/* Returns s at the hit of a ball of radius 1 about (0, 0, cz). The distance from the centre is computed at
 * the nearest point of the ray, so it is accurate even if the eye is far away. */
HIT hit_ball(ray r, float cz) {
  float pz = r.pz - cz;
  float a = 1 / (r.dx * r.dx + r.dy * r.dy + r.dz * r.dz), s = -(r.px * r.dx + r.py * r.dy + pz * r.dz) * a;
  float x = r.px + s * r.dx, y = r.py + s * r.dy, z = pz + s * r.dz, h = 1 - (x * x + y * y + z * z);
  float root = sqrtf(max_of(h, 0) * a);
  return h < 0 ? INFINITY : s - root;
}

HIT hit_cube(ray r) {
  float ix = 1 / safe_divisor(r.dx), iy = 1 / safe_divisor(r.dy), iz = 1 / safe_divisor(r.dz);
  float ax = (-1 - r.px) * ix, bx = (1 - r.px) * ix, ay = (-1 - r.py) * iy, by = (1 - r.py) * iy,
        az = (-1 - r.pz) * iz, bz = (1 - r.pz) * iz;
  float in = max_of(max_of(min_of(ax, bx), min_of(ay, by)), min_of(az, bz));
  float end = min_of(min_of(max_of(ax, bx), max_of(ay, by)), max_of(az, bz));
  return in <= end ? in : INFINITY;
}

/* Returns s at the hit of a cylinder of radius 1 about z, from z = -length to z = length. */
HIT hit_cylinder(ray r, float length) {
  float a = 1 / max_of(r.dx * r.dx + r.dy * r.dy, 1e-20f), s = -(r.px * r.dx + r.py * r.dy) * a;
  float x = r.px + s * r.dx, y = r.py + s * r.dy, h = 1 - (x * x + y * y), root = sqrtf(max_of(h, 0) * a);
  float iz = 1 / safe_divisor(r.dz), az = (-length - r.pz) * iz, bz = (length - r.pz) * iz;
  float in = max_of(s - root, min_of(az, bz)), end = min_of(s + root, max_of(az, bz));
  return h < 0 || in > end ? INFINITY : in;
}

HIT hit_capsule(ray r, float extra) {
  return min_of(hit_cylinder(r, extra), min_of(hit_ball(r, extra), hit_ball(r, -extra)));
}

/* Returns s at the hit of the cone x^2 + y^2 = ((1 - z) / 2)^2 between z = -1 and z = 1, which a disc at z =
 * -1 closes. */
HIT hit_cone(ray r) {
  float k = (1 - r.pz) * 0.5f, dk = -r.dz * 0.5f;
  float a = safe_divisor(r.dx * r.dx + r.dy * r.dy - dk * dk), b = r.px * r.dx + r.py * r.dy - k * dk;
  float c = r.px * r.px + r.py * r.py - k * k, h = b * b - a * c, root = sqrtf(max_of(h, 0)), ia = 1 / a;
  float s1 = (-b - root) * ia, s2 = (-b + root) * ia, z1 = r.pz + s1 * r.dz, z2 = r.pz + s2 * r.dz;
  s1 = h < 0 || z1 < -1 || z1 > 1 ? INFINITY : s1;
  s2 = h < 0 || z2 < -1 || z2 > 1 ? INFINITY : s2;
  float s3 = (-1 - r.pz) / safe_divisor(r.dz), x = r.px + s3 * r.dx, y = r.py + s3 * r.dy;
  s3 = x * x + y * y > 1 ? INFINITY : s3;
  return min_of(min_of(s1, s2), s3);
}

/* Returns s at the hit of the standard triangle (draw.h). The triangle is enlarged slightly, so that no gaps
 * appear between adjacent triangles. */
HIT hit_triangle(ray r) {
  const float hair = 1e-5f;
  float s = -r.pz / safe_divisor(r.dz), x = r.px + s * r.dx, y = r.py + s * r.dy;
  return x < -hair || y < -hair || x + y > 1 + hair ? INFINITY : s;
}

/* Returns ray number i of a row of pixels whose first ray is at (x, y). */
static inline __attribute__((always_inline)) ray nth_ray(const sc_sight *g, float x, float y, int i) {
  float at = x + (float)i;
  return (ray){(g->p[0] + y * g->py[0]) + at * g->px[0], (g->p[1] + y * g->py[1]) + at * g->px[1],
      (g->p[2] + y * g->py[2]) + at * g->px[2], (g->d[0] + y * g->dy[0]) + at * g->dx[0],
      (g->d[1] + y * g->dy[1]) + at * g->dx[1], (g->d[2] + y * g->dy[2]) + at * g->dx[2]};
}

/* Casts the rays of a block at a solid, eight rays at a time. A hit in front of the eye that is nearer than
 * the depth of its ray replaces this depth. */
#define CAST(form, first_hit) \
  static void cast_##form( \
      const sc_sight *restrict sight, sc_block block, float *restrict depth, int32_t *restrict who) { \
    const sc_sight g = *sight; \
    for (int j = 0; j < block.rows; j++, depth += block.depth_stride, who += block.who_stride) \
      for (int begin = 0; begin < block.count; begin += SC_RAYS) \
        for (int i = begin; i < begin + SC_RAYS; i++) { \
          ray r = nth_ray(&g, block.x, block.y + (float)j, i); \
          float t = g.t0 + (first_hit), old = depth[i]; \
          int nearer = (t > 0) & (t < old); \
          depth[i] = nearer ? t : old; \
          who[i] = nearer ? g.solid : who[i]; \
        } \
  }

CAST(ball, hit_ball(r, 0))
CAST(cube, hit_cube(r))
CAST(round, hit_cylinder(r, 1))
CAST(cone, hit_cone(r))
CAST(capsule, hit_capsule(r, g.extra))
CAST(triangle, hit_triangle(r))

/* ---- hulls ----
 *
 * A ray enters a hull at the last of the planes that face the ray, and leaves at the first of the others. A
 * group of rays stops as soon as no ray of the group can change the picture: each ray misses the hull, or
 * hits the hull behind an earlier hit. */

/* One number for each ray of a group of CAST_LANES rays. */
typedef float lanes __attribute__((vector_size(4 * CAST_LANES)));
typedef int32_t masks __attribute__((vector_size(4 * CAST_LANES)));

/* number of planes between two tests whether any ray of the group may still hit */
enum { PLANES = 128, CHECK_EVERY = 4 };

/* Planes first..first + count - 1 of a hull as float. */
typedef struct planes {
  int32_t first, count;
  float n[PLANES][4]; /* normal and height of each plane: n . x = height */
  /* scalar product of the plane's normal and the direction of the rays; only used if all rays have one
   * direction */
  float across[PLANES];
} planes;

typedef struct ray_group {
  lanes px, py, pz, dx, dy, dz;
} ray_group;

#define LANES static inline __attribute__((always_inline)) lanes

LANES choose_lanes(masks where, lanes a, lanes b) {
  return (lanes)(((masks)a & where) | ((masks)b & ~where));
}
LANES min_lanes(lanes a, lanes b) { return choose_lanes(a < b, a, b); }
LANES max_lanes(lanes a, lanes b) { return choose_lanes(a > b, a, b); }
LANES safe_divisors(lanes d) {
  const lanes none = {0};
  return choose_lanes((d < none + 1e-20f) & (d > none - 1e-20f), none + 1e-20f, d);
}

static inline __attribute__((always_inline)) int has_any(masks m) {
  int32_t all = 0;
  for (int i = 0; i < CAST_LANES; i++) all |= m[i];
  return all != 0;
}

/* Returns the rays i .. i + CAST_LANES - 1 of a row of pixels whose first ray is at (x, y). */
static inline __attribute__((always_inline)) ray_group group_at(const sc_sight *g, float x, float y, int i) {
  lanes at;
  for (int k = 0; k < CAST_LANES; k++) at[k] = x + (float)(i + k);
  return (ray_group){(g->p[0] + y * g->py[0]) + at * g->px[0], (g->p[1] + y * g->py[1]) + at * g->px[1],
      (g->p[2] + y * g->py[2]) + at * g->px[2], (g->d[0] + y * g->dy[0]) + at * g->dx[0],
      (g->d[1] + y * g->dy[1]) + at * g->dx[1], (g->d[2] + y * g->dy[2]) + at * g->dx[2]};
}

static void load_planes(planes *list, const sc_sight *g, int32_t first) {
  list->first = first;
  list->count = g->faces - first < PLANES ? g->faces - first : PLANES;
  for (int32_t f = 0; f < list->count; f++) {
    float *n = list->n[f];
    for (int k = 0; k < 4; k++) n[k] = (float)g->face[first + f][k];
    list->across[f] = safe_divisor(n[0] * g->d[0] + n[1] * g->d[1] + n[2] * g->d[2]);
  }
}

/* Updates *in and *end, the s at which the rays enter and leave the hull, by the planes of the list. Returns
 * 1 if a ray of the group may still enter before it leaves and before the depth `limit`, else 0.
 * one_direction: all rays have the same direction. */
static inline __attribute__((always_inline)) int pass_planes(
    const planes *list, const ray_group *r, int one_direction, float t0, lanes limit, lanes *in, lanes *end) {
  const lanes none = {0};
  for (int32_t f = 0; f < list->count; f++) {
    const float *n = list->n[f];
    lanes over = n[3] - (n[0] * r->px + n[1] * r->py + n[2] * r->pz);
    if (one_direction) {
      lanes s = over / list->across[f];
      if (list->across[f] < 0) *in = max_lanes(*in, s);
      else *end = min_lanes(*end, s);
    } else {
      lanes across = safe_divisors(n[0] * r->dx + n[1] * r->dy + n[2] * r->dz), s = over / across;
      masks faces_ray = across < none;
      *in = choose_lanes(faces_ray, max_lanes(*in, s), *in);
      *end = choose_lanes(faces_ray, *end, min_lanes(*end, s));
    }
    if (f % CHECK_EVERY == CHECK_EVERY - 1 && !has_any((*in <= *end) & (t0 + *in < limit))) return 0;
  }
  return 1;
}

/* Casts the rays i .. i + CAST_LANES - 1 of a row at a hull. Hits replace the depths of farther hits, and
 * `who`. */
static inline __attribute__((always_inline)) void cast_group(
    const sc_sight *g, planes *list, int one_direction, float x, float y, int i, float *depth, int32_t *who) {
  const ray_group r = group_at(g, x, y, i);
  const lanes none = {0};
  lanes in = none - INFINITY, end = none + INFINITY, old;
  masks seen;
  memcpy(&old, depth + i, sizeof old);
  memcpy(&seen, who + i, sizeof seen);
  for (int32_t first = 0; first < g->faces; first += PLANES) {
    if (list->first != first) load_planes(list, g, first);
    if (!pass_planes(list, &r, one_direction, g->t0, old, &in, &end)) return;
  }
  lanes t = g->t0 + in;
  masks nearer = (in <= end) & (t > none) & (t < old), solid = (masks){0} + g->solid;
  old = choose_lanes(nearer, t, old);
  seen = (solid & nearer) | (seen & ~nearer);
  memcpy(depth + i, &old, sizeof old);
  memcpy(who + i, &seen, sizeof seen);
}

static void cast_hull(const sc_sight *sight, sc_block block, float *depth, int32_t *who) {
  const sc_sight g = *sight;
  planes list;
  int one_direction = 1;
  list.first = -1;
  for (int k = 0; k < 3; k++) one_direction &= g.dx[k] == 0 && g.dy[k] == 0;
  for (int j = 0; j < block.rows; j++, depth += block.depth_stride, who += block.who_stride)
    for (int i = 0; i < block.count; i += CAST_LANES)
      if (one_direction) cast_group(&g, &list, 1, block.x, block.y + (float)j, i, depth, who);
      else cast_group(&g, &list, 0, block.x, block.y + (float)j, i, depth, who);
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
