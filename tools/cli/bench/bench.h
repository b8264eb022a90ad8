/* scree bench: beds of grains, the cost of a step of each bed, and the output of the figures.
 *
 * A bed is poured, settled once, and stored in memory. Every setting (sweeps, threads, width of SIMD)
 * starts from the stored state. Settings that differ only in speed must end in the same bits; the command
 * checks this. */
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

/* One bed. Lengths are in grain diameters unless a unit is given. A bed of several tiles consists of
 * copies of one settled bed, beside and above each other. */
typedef struct bench_bed {
  const char *name, *title, *doc;
  int full; /* 1: the bed runs only with --full */
  bench_grains grains;
  int count;            /* number of grains of one tile; channel: largest number of grains */
  double diameter;      /* grain diameter [m] */
  double side, spacing; /* side: width of the box, channel: its length [m]; spacing: of the grain lattice */
  double finest;        /* smallest diameter; 1 for equal grains */
  int tiles[3];         /* number of tiles along x, y and z */
  double dt;
  int settle;     /* steps in which one tile settles, with the smaller number of sweeps */
  int merge;      /* steps of the assembled tiles */
  int calm;       /* steps of each setting before its first timed window */
  int window;     /* number of steps of one timed window */
  int sweeps[2];  /* sweeps of each setting; 0: no such setting */
  double rolling; /* coefficients of rolling and torsional friction over the radius of the largest grain */
} bench_bed;

enum { BENCH_TIMES = 3 }; /* number of measured residuals: 1e-2, 1e-3, 1e-4 */

/* Time that the solver needs to reach a residual. seconds: CPU time, NAN if the residual was not reached;
 * reached: relative residual at the end. */
typedef struct bench_time {
  double seconds, reached;
  int64_t sweeps;
} bench_time;

/* One row: a bed under one setting. Times are CPU times of the busiest thread, the smallest of several
 * windows. */
typedef struct bench_row {
  const bench_bed *bed;
  int sweeps, threads, scalar;
  scree_report report;
  double step, wall;          /* CPU and wall time per step [s] */
  double solver, whole;       /* time of the solver and of the whole step, over contacts times sweeps [ns] */
  double outside;             /* fraction of a step outside the solver */
  double stage[SCREE_STAGES]; /* CPU time per step in the window of `step` [s] */
  double rebuilds;            /* neighbour lists built per step */
  double calm;                /* mean kinetic energy per grain without the most energetic 1 % [m g d] */
  int64_t loose;              /* grains with a kinetic energy above BENCH_STILL [m g d] */
  uint64_t hash;
  int timed; /* 1: the times to residuals, cold and warm, are set */
  bench_time cold[BENCH_TIMES], warm[BENCH_TIMES];
} bench_row;

extern const double bench_residual[BENCH_TIMES];
extern const bench_bed bench_beds[];
extern const int bench_beds_count;

/* ---- bench_beds.c ---- */
/* Creates the world of a bed before its first step. Returns NULL on error. */
scree_world *bench_pour(const bench_bed *bed, int sweeps, int threads, scree_error *error);
/* Returns m g d of the largest grains of a bed [J], the unit of energy. */
double bench_unit(const bench_bed *bed);
/* Returns the number of tiles. */
int bench_tiles(const bench_bed *bed);
/* Settles one tile of a bed, then simulates `rest` further seconds. Returns the final state, or NULL on
 * error. */
scree_checkpoint *bench_settle_tile(const bench_bed *bed, double rest, scree_error *error);
/* Returns whether two beds have the same settled tile. */
int bench_same_tile(const bench_bed *a, const bench_bed *b);
/* Assembles a bed from copies of the settled tile and steps it until the gaps between the tiles have closed.
 * Returns the final state; NULL on error. */
scree_checkpoint *bench_merge(const bench_bed *bed, const scree_checkpoint *settled, scree_error *error);

/* ---- bench_measure.c ---- */
/* Measures a bed from the stored state on. Set bed, sweeps, threads and scalar of the row before. patience:
 * limit on contacts times sweeps when the time to a residual is measured; 0: does not measure it. */
scree_status bench_measure(
    const scree_checkpoint *settled, double patience, bench_row *row, scree_error *error);

/* ---- bench_rest.c ---- */
#define BENCH_STILL 1e-8 /* kinetic energy above which a grain counts as loose [m g d] */
/* Computes *calm, the mean kinetic energy of the grains without the most energetic 1 %, in `unit` [J], and
 * *loose, the number of grains with more than BENCH_STILL units. */
scree_status bench_rest(scree_world *world, double unit, double *calm, int64_t *loose, scree_error *error);

/* ---- bench_engines.c ---- */
/* Runs scenes/bench/engines.lua on one thread and on `threads`; returns an exit code. */
int bench_engines(int threads, int json, int brief);

/* ---- bench_print.c ---- */
/* Prints the head of the Markdown table. */
void bench_print_head(void);
/* Prints a row of the table. */
void bench_print_row(const bench_row *row);
/* Prints a table of times to residuals for the rows that have them. */
void bench_print_times(const bench_row *rows, int count);
/* Prints all rows as JSON. */
void bench_print_json(const bench_row *rows, int count);

#endif
