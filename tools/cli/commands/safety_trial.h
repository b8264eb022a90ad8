/* One trial of scree safety: the run of a scene, judged by the motion of its bodies. */
#ifndef CLI_SAFETY_TRIAL_H
#define CLI_SAFETY_TRIAL_H

#include "run/run.h"

/* Criteria by which a trial is judged. Each member is an option of the command. */
typedef struct safety_criteria {
  const char *ground;  /* name of the body in whose axes positions are compared; NULL: axes of the world */
  double growth;       /* largest ratio of the motion in the second half to the motion in the first half;
                          0: no bound */
  double displacement; /* largest ratio of a body's displacement to its radius */
  double settle;       /* time from the start of the run to the start of the comparison [s] */
  int late;            /* 1: also judges bodies that are added during the comparison */
} safety_criteria;

/* Results of a trial: the structure stands, or the criterion by which it fails. */
typedef enum safety_verdict {
  SAFETY_STANDS,
  SAFETY_LOST,
  SAFETY_GROWS,
  SAFETY_MOVED,
  SAFETY_VERDICTS
} safety_verdict;

typedef struct safety_trial {
  double factor;
  /* values of the body that moved furthest. moved: displacement over radius. growth: displacement in the
   * second half of the trial over displacement in the first half */
  double moved, growth;
  safety_verdict verdict;
} safety_trial;

/* Checks that the simulated time of a built scene is fixed and longer than `settle`, and that the body
 * `ground` exists. Returns an exit code. */
int safety_check_scene(const safety_criteria *criteria, const run *r);
/* Steps a built scene and sets the results of the trial, except the factor. Returns an exit code. */
int safety_step_trial(const safety_criteria *criteria, run *r, safety_trial *trial);

#endif
