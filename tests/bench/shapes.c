/* Narrow phase: nanoseconds per pair of convex shapes of every two types, as a pile has them:
 * overlapping by up to 2e-3 of the size or apart by up to 1e-2, and overlapping deeply (by 5e-2). Prints
 * markdown. Argument: repetitions (20). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/base.h"
#include "collide/collide.h"
#include "math/vec.h"
#include "scree/geometry.h"

enum { PAIRS = 200, TYPES = 7 };
static const int types[TYPES] = {
    SCREE_CAPSULE, SCREE_BOX, SCREE_CYLINDER, SCREE_CONE, SCREE_ELLIPSOID, SCREE_SUPERELLIPSOID, SCREE_HULL};
static const char *const names[TYPES] = {
    "capsule", "box", "cylinder", "cone", "ellipsoid", "superellipsoid", "icosahedron"};

static double between(sc_rng *rng, double lo, double hi) { return lo + (hi - lo) * sc_rng_unit(rng); }

static scree_geometry *icosahedron(double r) {
  double p[12][3], f = 1.618033988749895, s = r / sqrt(1 + f * f);
  for (int k = 0; k < 12; k++) {
    int axis = k / 4;
    p[k][axis] = 0;
    p[k][(axis + 1) % 3] = s * (k & 1 ? 1 : -1);
    p[k][(axis + 2) % 3] = s * (k & 2 ? f : -f);
  }
  return scree_geometry_hull((const double(*)[3])p, 12, NULL);
}

static sc_shape make(int type, const scree_geometry *hull) {
  sc_shape s = {.type = type,
      .radius = 0.6,
      .half = type == SCREE_CONE || type == SCREE_CYLINDER ? 0.8 : 0.5,
      .extent = {0.5, 0.7, 0.9},
      .orientation = {1, 0, 0, 0},
      .geometry = type == SCREE_HULL ? hull : NULL,
      .own = {0.5, 0.5}};
  s.bound = type == SCREE_HULL       ? 1
      : type == SCREE_BOX            ? sc_norm(s.extent)
      : type == SCREE_ELLIPSOID      ? 0.9
      : type == SCREE_SUPERELLIPSOID ? sc_norm(s.extent)
      : type == SCREE_CAPSULE        ? 1.1
                                     : 1;
  return s;
}

static void turn(sc_rng *rng, double q[4]) {
  for (int k = 0; k < 4; k++) q[k] = between(rng, -1, 1);
  sc_quat_normalise(q, q);
}

static double least(const sc_touch *touch, int count) {
  double gap = INFINITY;
  for (int k = 0; k < count; k++) gap = fmin(gap, touch[k].gap);
  return gap;
}

/* Two shapes brought to a gap along a random line, by bisection. */
static void place(
    sc_rng *rng, const sc_shape *a, const sc_shape *b, double gap, sc_placed *pa, sc_placed *pb) {
  double q[4], d[3] = {between(rng, -1, 1), between(rng, -1, 1), between(rng, -1, 1)}, zero[3] = {0, 0, 0},
               lo = 0, hi = 3;
  sc_normalise(d, d);
  turn(rng, q);
  sc_place(b, zero, q, pb);
  turn(rng, q);
  sc_place(a, zero, q, pa);
  for (int k = 0; k < 40; k++) {
    sc_touch touch[SC_MAX_TOUCHES];
    double at = (lo + hi) / 2;
    sc_scale(at, d, pa->position);
    if (least(touch, sc_narrow(pa, pb, 5, touch)) < gap) lo = at;
    else hi = at;
  }
}

static double nanoseconds(const sc_placed *pa, const sc_placed *pb, int rounds) {
  double best = INFINITY;
  sc_touch touch[SC_MAX_TOUCHES];
  for (int r = 0; r < rounds; r++) {
    double from = sc_clock_wall();
    for (int k = 0; k < PAIRS; k++) sc_narrow(pa + k, pb + k, 0.02, touch);
    best = fmin(best, (sc_clock_wall() - from) / PAIRS);
  }
  return 1e9 * best;
}

int main(int count, char **word) {
  int rounds = count > 1 ? atoi(word[1]) : 20;
  sc_rng rng;
  sc_rng_seed(&rng, 1);
  scree_geometry *hull = icosahedron(1);
  static sc_placed pa[PAIRS], pb[PAIRS];
  for (int deep = 0; deep < 2; deep++) {
    printf("\n%s [ns per pair]\n\n| |", deep ? "overlapping deeply" : "touching or nearly so");
    for (int j = 0; j < TYPES; j++) printf(" %s |", names[j]);
    printf("\n|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < TYPES; i++) {
      printf("| %s |", names[i]);
      for (int j = 0; j <= i; j++) {
        sc_shape a = make(types[i], hull), b = make(types[j], hull);
        for (int k = 0; k < PAIRS; k++)
          place(&rng, &a, &b, deep ? -0.05 : between(&rng, -2e-3, 1e-2), pa + k, pb + k);
        printf(" %.0f |", nanoseconds(pa, pb, rounds));
        fflush(stdout);
      }
      printf("\n");
    }
  }
  scree_geometry_release(hull);
  return 0;
}
