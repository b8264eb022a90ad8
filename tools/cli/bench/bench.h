/* scree bench: beds of grains, what a step of theirs costs, and how the figures are printed.
 *
 * A bed is poured, settled once, and stored in memory. Every setting (sweeps, threads, width of SIMD)
 * then starts from the stored state: settings that differ in speed alone end in the same bits, which is
 * checked. */
#ifndef BENCH_H
#define BENCH_H

#include "scree/checkpoint.h"
#include "scree/problem.h"

typedef enum bench_grains {
  BENCH_SPHERES,
  BENCH_CAPSULES,
  BENCH_BOXES,
  BENCH_HULLS,
  BENCH_CHANNEL
} bench_grains;

/* Lengths in grain diameters. A bed of several tiles is made of copies of one settled bed, side by side
 * and on each other. */
typedef struct bench_bed {
  const char *name, *title, *doc;
  int full; /* only with --full */
  bench_grains grains;
  int count;            /* grains of one tile; for the channel: most grains */
  double diameter;      /* [m] */
  double side, spacing; /* of the box, of the lattice; channel: its length in m, and spacing */
  double finest;        /* smallest diameter; 1 for equal grains */
  int tiles[3];
  double dt;
  int settle;     /* steps of one tile with the fewer sweeps */
  int merge;      /* steps of all tiles together */
  int calm;       /* steps of each setting before the first window */
  int window;     /* steps of one window */
  int sweeps[2];  /* settings; 0: one only */
  double rolling; /* rolling and torsional friction over the radius of the largest grain */
} bench_bed;

enum { BENCH_TIMES = 3 }; /* residuals 1e-2, 1e-3, 1e-4 */

/* seconds NAN where it was not reached; reached: residual at the end, relative. */
typedef struct bench_time {
  double seconds, reached;
  int64_t sweeps;
} bench_time;

/* One row: a bed under one setting. Times are CPU times of the busiest thread, the least of several
 * windows. */
typedef struct bench_row {
  const bench_bed *bed;
  int sweeps, threads, scalar;
  scree_report report;
  double step, wall;          /* seconds per step: CPU, wall clock */
  double solver, whole;       /* ns per contact and sweep */
  double outside;             /* share of a step outside the solver */
  double stage[SCREE_STAGES]; /* seconds per step, CPU; of the window that step is from */
  double rebuilds;            /* neighbour lists built per step */
  /* kinetic energy per grain of all but the hundredth that has most [m g d] */
  double calm;
  int64_t loose; /* grains with more than BENCH_STILL m g d */
  uint64_t hash;
  int timed; /* times below are filled */
  bench_time cold[BENCH_TIMES], warm[BENCH_TIMES];
} bench_row;

extern const double bench_residual[BENCH_TIMES];
extern const bench_bed bench_beds[];
extern const int bench_beds_count;

/* ---- bench_beds.c ---- */
/* The bed as it is laid, before anything has moved. NULL on error. */
scree_world *bench_pour(const bench_bed *bed, int sweeps, int threads, scree_error *error);
/* m g d of a bed's largest grains [J]. */
double bench_unit(const bench_bed *bed);
int bench_tiles(const bench_bed *bed);
/* One tile settled, and `rest` further seconds gone by. NULL on error. */
scree_checkpoint *bench_settle_tile(const bench_bed *bed, double rest, scree_error *error);
/* True if the settled tile of one bed serves another. */
int bench_same_tile(const bench_bed *a, const bench_bed *b);
/* All tiles of a bed, stepped until the seams have closed. NULL on error. */
scree_checkpoint *bench_merge(const bench_bed *bed, const scree_checkpoint *settled, scree_error *error);

/* ---- bench_measure.c ---- */
/* Measures from the stored state on and fills the row, which names bed, sweeps, threads and scalar.
 * patience: contacts times sweeps tried for the times to a residual; 0: no such times. */
scree_status bench_measure(
    const scree_checkpoint *settled, double patience, bench_row *row, scree_error *error);

/* ---- bench_rest.c ---- */
#define BENCH_STILL 1e-8
/* calm: mean kinetic energy in `unit` [J] of all grains but the hundredth that has most; loose: grains
 * with more than BENCH_STILL units. */
scree_status bench_rest(scree_world *world, double unit, double *calm, int64_t *loose, scree_error *error);

/* ---- bench_engines.c ---- */
/* The scenes of scenes/bench/engines.lua on one thread and on `threads`; an exit code. */
int bench_engines(int threads, int json, int brief);

/* ---- bench_print.c ---- */
void bench_print_head(void);
void bench_print_row(const bench_row *row);
/* Times to residuals of the rows that have them. */
void bench_print_times(const bench_row *rows, int count);
void bench_print_json(const bench_row *rows, int count);

#endif
