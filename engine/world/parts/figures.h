/* Numbers that describe the last step. Reports contain them. The next step uses some of them as
 * velocity scales. */
#ifndef SC_WORLD_FIGURES_H
#define SC_WORLD_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sc_figures {
  int64_t iterations;    /* iterations of the solver */
  int64_t impacts;       /* number of impacts of single contacts */
  double residual;       /* residual that the solver reached [m/s] */
  double residual_scale; /* velocity scale to which tolerances are relative [m/s] */
  /* velocity scale of loads: residual_scale, or the velocity caused by drives of joints if this is larger
   * [m/s] */
  double load_scale;
  double bundle_fill; /* share of lanes in use in bundles, 0 to 1 (sc_solver_report) */
  double stable_dt;   /* largest stable step of the penalty stepper [s]; INFINITY: unknown */
  bool free_finite;   /* true: the kinetic energy before any impulse was finite */
} sc_figures;

#endif
