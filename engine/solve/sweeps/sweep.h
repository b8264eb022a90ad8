/* One sweep over bundles of contacts (lanes.h, generals.h): by scalar code, four lanes (AVX2) or eight
 * (AVX-512), chosen at run time. All give the same bits. */
#ifndef SC_SWEEP_H
#define SC_SWEEP_H

#include "solve/sweeps/generals.h"

/* Corrections of positions beside a bundle: the speed by which each contact may close (negative: must
 * open), and its impulse along the normal. */
typedef struct sc_bundle_push {
  double want[SC_LANES], x[SC_LANES];
} sc_bundle_push;

/* What a sweep works on. sink: a row of scratch memory of the thread. Where bundles have a past, each
 * impulse is first moved to p + beta (p - past), and past becomes p. */
typedef struct sc_sweep_in {
  const sc_bundles *bundles;
  sc_bundle_push *push; /* of the bundles, for sweeps that correct positions */
  int32_t first, end;   /* bundles */
  sc_solver_body *body, *sink;
  double omega, beta;
} sc_sweep_in;

/* Returns the largest square of a change in velocity. */
typedef double (*sc_sweep)(const sc_sweep_in *in);
double sc_sweep_scalar(const sc_sweep_in *in);
double sc_sweep_avx2(const sc_sweep_in *in);
double sc_sweep_avx512(const sc_sweep_in *in);
/* The widest this processor runs, or the one that the environment variable SCREE_SIMD names (scalar,
 * avx2, avx512). */
sc_sweep sc_sweep_best(void);

/* The same with moments (sweep_couple.h), as wide as a sweep without them. */
double sc_sweep_couple_scalar(const sc_sweep_in *in);
double sc_sweep_couple_avx2(const sc_sweep_in *in);
double sc_sweep_couple_avx512(const sc_sweep_in *in);
sc_sweep sc_sweep_couple_best(void);

/* Over pushes in place of impulses (sweep_push.h), as wide. */
double sc_sweep_push_scalar(const sc_sweep_in *in);
double sc_sweep_push_avx2(const sc_sweep_in *in);
double sc_sweep_push_avx512(const sc_sweep_in *in);
sc_sweep sc_sweep_push_best(void);

/* The same over bundles of general contacts of other kinds than SC_BUNDLE_ROWS (sweep_general.h). */
typedef struct sc_general_sweep_in {
  const sc_generals *generals;
  sc_bundle_push *push; /* of the bundles, for sweeps that correct positions */
  int32_t first, end;   /* bundles */
  sc_solver_body *body, *sink;
  double omega, beta;
  bool planar;
  double plane[3]; /* as in sc_problem */
} sc_general_sweep_in;

typedef double (*sc_general_sweep)(const sc_general_sweep_in *in);
double sc_sweep_general_scalar(const sc_general_sweep_in *in);
double sc_sweep_general_avx2(const sc_general_sweep_in *in);
double sc_sweep_general_avx512(const sc_general_sweep_in *in);
sc_general_sweep sc_sweep_general_best(void);

/* Over pushes in place of impulses. */
double sc_sweep_general_push_scalar(const sc_general_sweep_in *in);
double sc_sweep_general_push_avx2(const sc_general_sweep_in *in);
double sc_sweep_general_push_avx512(const sc_general_sweep_in *in);
sc_general_sweep sc_sweep_general_push_best(void);

/* Moments from the rows of a problem beside the bundles that its balls were copied to (bundle_couple.c),
 * with momentum where `past` is set; false without memory. And contact c's back. */
bool sc_couples_fill(const sc_problem *problem, sc_lanes *lanes, bool past, sc_arena *arena);
void sc_couple_get(const sc_lanes *lanes, int32_t c, double m[3]);

#endif
