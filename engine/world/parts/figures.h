/* Figures of the last step, for reports and for scales of the next step. */
#ifndef SC_WORLD_FIGURES_H
#define SC_WORLD_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sc_figures {
  int64_t iterations;    /* iterations of the solver */
  int64_t impacts;       /* number of impacts of single contacts */
  double residual;       /* residual that the solver reached [m/s] */
  double residual_scale; /* velocity scale of tolerances [m/s] */
  double load_scale;     /* larger of residual_scale and the velocity that drives of joints give [m/s] */
  double bundle_fill;    /* share of used lanes in bundles, 0 to 1 (sc_solver_report) */
  double stable_dt;      /* largest stable step of the penalty stepper [s]; INFINITY: unknown */
  bool free_finite;      /* true: the kinetic energy before any impulse was finite */
} sc_figures;

#endif
