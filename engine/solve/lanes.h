/* Ball contacts side by side: bundles of eight that share no movable body, walked in Gauss-Seidel order.
 *
 * Contacts are taken in their order and each is put into the first open bundle after the last one that touches either of its
 * bodies. Contacts of one body so keep their order, and the bundled sweep computes the same numbers as the plain one, bit for
 * bit: by scalar code, four lanes (AVX2) or eight (AVX-512), chosen at run time. */
#ifndef SC_LANES_H
#define SC_LANES_H

#include "base/base.h"
#include "problem/problem.h"

enum { SC_LANES = 8 };

typedef struct sc_bundle {
  double n[3][SC_LANES], p[3][SC_LANES], bias[SC_LANES], mu[SC_LANES];
  int32_t i[SC_LANES], j[SC_LANES]; /* rows of bodies; j = ~row for a body that cannot move: it is read, never written */
} sc_bundle;

/* Impulses of a bundle after the sweep before, where sweeps carry momentum (momentum.h). */
typedef struct sc_bundle_past { double p[3][SC_LANES]; } sc_bundle_past;

/* Moments beside a bundle, where ball contacts have torsional or rolling friction (problem.couple). */
typedef struct sc_bundle_couple { double m[3][SC_LANES], torsion[SC_LANES], rolling[SC_LANES], ratio[SC_LANES]; } sc_bundle_couple;

typedef struct sc_bundles {
  int32_t count;
  int64_t lanes;
  sc_bundle *bundle;
  sc_bundle_past *past;    /* NULL without momentum */
  sc_bundle_couple *couple; /* NULL without moments */
  sc_bundle_past *couple_past; /* of m */
  int32_t *contact;        /* count x lanes, -1 empty */
} sc_bundles;

/* Bundling the contacts visit[begin..end) goes in two rounds, so that threads can plan and fill side by side while the arena is
 * left to one of them. group, lane and fill: which bundle and lane each contact goes to, and how many lanes of each bundle are
 * taken; end - begin entries, fill 64 more. */
typedef struct sc_bundle_plan { int32_t begin, end; int32_t *group; unsigned char *lane, *fill; } sc_bundle_plan;

/* Fills the plan; returns the number of bundles. last: one int32 per body, -1 before its first use; *base starts at 0 and keeps
 * calls that share `last` apart. */
int32_t sc_bundles_plan(const sc_problem *problem, const int32_t *visit, const sc_bundle_plan *plan, int32_t *last, int32_t *base);
/* Room for count bundles; false without memory. momentum: past is wanted. */
bool sc_bundles_take(int32_t count, bool momentum, sc_arena *arena, sc_bundles *out);
/* Puts the contacts into their lanes. pad: row of a body at rest with unit mass, pad + 1: of an immovable one; both private to the
 * caller's thread. */
void sc_bundles_fill(const sc_problem *problem, const int32_t *visit, const sc_bundle_plan *plan, int32_t pad, sc_bundles *out);

/* The same for moments, after the bundles were filled (bundle_couple.c): room, contents, and the way back to the problem. Nothing where
 * the problem has none. */
bool sc_bundles_take_couples(const sc_problem *problem, sc_arena *arena, sc_bundles *out);
void sc_bundles_fill_couples(const sc_problem *problem, sc_bundles *out);
void sc_bundles_unpack_couples(const sc_bundles *bundles, sc_problem *problem);

/* One sweep over bundles; returns the largest square of a change in velocity. sink: a row of scratch memory of the thread. With
 * past each impulse is first moved to p + beta (p - past), and past becomes p. */
typedef double (*sc_sweep)(sc_bundle *bundle, sc_bundle_past *past, double beta, int32_t count, sc_solver_body *body,
    sc_solver_body *sink, double omega);
double sc_sweep_scalar(sc_bundle *bundle, sc_bundle_past *past, double beta, int32_t count, sc_solver_body *body,
    sc_solver_body *sink, double omega);
double sc_sweep_avx2(sc_bundle *bundle, sc_bundle_past *past, double beta, int32_t count, sc_solver_body *body,
    sc_solver_body *sink, double omega);
double sc_sweep_avx512(sc_bundle *bundle, sc_bundle_past *past, double beta, int32_t count, sc_solver_body *body,
    sc_solver_body *sink, double omega);
/* The same with moments (sweep_couple.h): bundles from..end - 1. */
typedef double (*sc_sweep_couple)(const sc_bundles *bundles, int32_t from, int32_t end, double beta, sc_solver_body *body,
    sc_solver_body *sink, double omega);
double sc_sweep_couple_scalar(const sc_bundles *bundles, int32_t from, int32_t end, double beta, sc_solver_body *body,
    sc_solver_body *sink, double omega);
double sc_sweep_couple_avx2(const sc_bundles *bundles, int32_t from, int32_t end, double beta, sc_solver_body *body,
    sc_solver_body *sink, double omega);
double sc_sweep_couple_avx512(const sc_bundles *bundles, int32_t from, int32_t end, double beta, sc_solver_body *body,
    sc_solver_body *sink, double omega);
/* As wide as a sweep without them. */
sc_sweep_couple sc_sweep_couple_best(void);

/* The widest this processor runs, or the one that the environment variable SCREE_SIMD names (scalar, avx2, avx512). */
sc_sweep sc_sweep_best(void);

#endif
