/* The loop of a run: steps of a built scene with its callbacks, up to its stop condition. It prints nothing;
 * a listener writes output and shows progress. */
#ifndef SL_LOOP_H
#define SL_LOOP_H

#include "bind/scene/scene.h"

typedef enum sl_event {
  SL_STEPPED, /* the engine has made a step; after_step has not been called yet */
  SL_CALLED   /* after_step and the functions of `every` were called: output is due */
} sl_event;

/* Results of the functions below in addition to 0 and the codes of the listener. */
enum {
  SL_CALL_FAILED = -1, /* a function of the scene failed: loop->trouble and sl_message */
  SL_STEP_FAILED = -2  /* the engine's step failed: loop->error */
};

typedef struct sl_loop {
  sl_scene *scene;
  /* Called for every event. A result > 0 ends the loop, which returns this result. NULL: none. */
  int (*listen)(void *context, sl_event event);
  void *context;
  double lua_seconds; /* wall time of all callbacks and motions so far [s] */
  sl_trouble trouble; /* kind of failure of the function named by `doing` */
  const char *doing;  /* name of the scene's function that failed */
  scree_error error;  /* error of the step that failed */
  int64_t step;       /* number of the last step that was started, from 1 */
} sl_loop;

/* Sets *over to whether the scene has reached its stop time, number of steps or condition, or else to the
 * result of its function stop. Returns 0 or SL_CALL_FAILED. */
int sl_loop_check_end(sl_loop *loop, bool *over);
/* Calls before_step and sets the velocities of bodies with prescribed motions. Returns 0 or
 * SL_CALL_FAILED. */
int sl_loop_prepare(sl_loop *loop);
/* Makes the step that sl_loop_prepare prepared, calls after_step, the functions of `every` that are due,
 * and the listener. Returns 0, a failure or the listener's code. */
int sl_loop_advance(sl_loop *loop);
/* Makes steps until the scene ends. Returns 0 at the end, a failure or the listener's code. */
int sl_loop_run(sl_loop *loop);

#endif
