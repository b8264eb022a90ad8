/* Ends scripts and steps that exceed their CPU time.
 *
 * A POSIX timer on the CPU clock of the script's thread sends a signal every 20 ms of CPU time. Its handler
 * counts the ticks of the script within one call. Beyond the cap it marks the runtime dead and sets a count
 * hook, which raises an error at the next instruction. Until then there is no hook, and the virtual machine
 * runs at full speed. Ticks in verbs, which are functions that make the engine work, are counted separately:
 * within one call of the script, verbs may use SL_ENGINE_CAPS times the cap and 0.5 ms per body of the world.
 *
 * The hook of a dead runtime raises an error at every instruction. pcall, xpcall and the coroutine functions
 * (protect.c) pass this error on instead of returning it to the script. Loops inside C functions check the
 * mark repeatedly.
 *
 * A step may use SL_ENGINE_CAPS times the cap and one tick per body.
 *
 * Some loops inside Lua call no hook, for instance along a chain of __call. If a dead script does not return
 * within a grace period, or a step exceeds its bound, the signal handler calls def.stuck, which ends the
 * process. The grace period is longer while a verb runs. */
#include "bind/sandbox/inside.h"
#include "bind/object.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  TICK_NS = 20000000,
  MOST_TICKS = 1000000000,
  GRACE = 350,       /* grace period in weighted ticks; a tick of a verb has the weight 1: 7 s */
  SCRIPT_WEIGHT = 14 /* weight of a tick of the script's own work: its grace period is 0.5 s */
};

static void raise_budget(lua_State *L) {
  sl_runtime *runtime = sl_runtime_of(L);
  if (runtime->is_engine_late)
    luaL_error(L,
        "verbs of the engine used more than %d times %f s of CPU time in one call (--callback-time raises "
        "the "
        "cap)",
        SL_ENGINE_CAPS, runtime->def.seconds);
  luaL_error(L, "the script used more than %f s of CPU time in one call (--callback-time raises the cap)",
      runtime->def.seconds);
}

static void raise_over_budget(lua_State *L, lua_Debug *at) {
  (void)at;
  raise_budget(L);
}

void sl_guard_poll(lua_State *L) {
  if (sl_runtime_of(L)->dead) raise_budget(L);
}

/* Signal handler. The signal carries the runtime, so no global variable is needed. lua_sethook may be
 * called from a handler that interrupted the same thread. */
static void handle_tick(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)context;
  sl_runtime *runtime = info->si_value.sival_ptr;
  if (info->si_code != SI_TIMER || !runtime || !runtime->most_ticks) return;
  if (runtime->engine == SL_STEP) {
    runtime->step_ticks = runtime->step_ticks - 1;
    if (runtime->step_ticks == 0 && runtime->def.stuck) runtime->def.stuck(true);
  }
  if (runtime->engine == SL_STEP || !runtime->calls) return;
  if (runtime->engine == SL_VERB && !runtime->dead) {
    runtime->engine_ticks = runtime->engine_ticks + 1;
    if (runtime->engine_ticks <= runtime->most_engine_ticks) return;
    runtime->is_engine_late = 1;
  } else {
    runtime->ticks = runtime->ticks + 1;
    if (runtime->ticks < runtime->most_ticks && !runtime->dead) return;
  }
  if (runtime->dead) {
    runtime->overdue = runtime->overdue + (runtime->engine == SL_VERB ? 1 : SCRIPT_WEIGHT);
    if (runtime->overdue > GRACE && runtime->def.stuck) runtime->def.stuck(false);
  }
  runtime->dead = 1;
  lua_sethook(runtime->running, raise_over_budget, LUA_MASKCOUNT | LUA_MASKCALL | LUA_MASKLINE, 1);
}

scree_status sl_guard_start(sl_runtime *runtime, scree_error *error) {
  if (!(runtime->def.seconds > 0)) return SCREE_OK;
  double ticks = runtime->def.seconds / (1e-9 * TICK_NS);
  runtime->most_ticks = ticks < 1 ? 1 : ticks > MOST_TICKS ? MOST_TICKS : (sig_atomic_t)ticks;
  sl_guard_credit(runtime, 0);
  struct sigaction action = {.sa_sigaction = handle_tick, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigemptyset(&action.sa_mask);
  struct sigevent event = {
      .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 3, .sigev_value.sival_ptr = runtime};
  event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
  struct itimerspec every = {.it_interval.tv_nsec = TICK_NS, .it_value.tv_nsec = TICK_NS};
  if (!sigaction(SIGRTMIN + 3, &action, NULL) &&
      !timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &runtime->timer)) {
    runtime->has_timer = true;
    if (!timer_settime(runtime->timer, 0, &every, NULL)) return SCREE_OK;
  }
  error->status = SCREE_E_MISSING;
  snprintf(error->text, sizeof error->text, "cannot start the script's timer: %s", strerror(errno));
  return error->status;
}

/* A pending signal must not use a freed runtime. Therefore the signal is blocked, the timer is deleted,
 * and a pending signal is removed. */
void sl_guard_stop(sl_runtime *runtime) {
  runtime->most_ticks = 0;
  if (!runtime->has_timer) return;
  sigset_t ours, before;
  sigemptyset(&ours);
  sigaddset(&ours, SIGRTMIN + 3);
  pthread_sigmask(SIG_BLOCK, &ours, &before);
  timer_delete(runtime->timer);
  const struct timespec none = {0, 0};
  while (sigtimedwait(&ours, NULL, &none) > 0) continue;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  runtime->has_timer = false;
}

/* Returns the time limit of verbs and steps in a world without bodies [ticks], at least 1. The script's own
 * cap is rounded up to one tick. This limit is computed from the cap before rounding. */
static double count_engine_ticks(const sl_runtime *runtime) {
  const double ticks = SL_ENGINE_CAPS * runtime->def.seconds / (1e-9 * TICK_NS);
  return ticks < 1 ? 1 : ticks;
}

void sl_guard_credit(sl_runtime *runtime, int64_t bodies) {
  const double ticks = count_engine_ticks(runtime) + (double)bodies / SL_BODIES_PER_TICK;
  runtime->most_engine_ticks = ticks > MOST_TICKS ? MOST_TICKS : (sig_atomic_t)ticks;
}

int sl_engine_enter(sl_runtime *runtime) {
  int before = runtime->engine;
  runtime->engine = SL_VERB;
  return before;
}

int sl_script_enter(sl_runtime *runtime) {
  int before = runtime->engine;
  runtime->engine = SL_SELF;
  return before;
}

int sl_guard_step(sl_runtime *runtime, int64_t bodies, int64_t steps) {
  int before = runtime->engine;
  const double ticks = (count_engine_ticks(runtime) + (double)bodies) * (double)steps;
  runtime->step_ticks = ticks < MOST_TICKS ? (sig_atomic_t)ticks : MOST_TICKS;
  runtime->engine = SL_STEP;
  return before;
}

void sl_engine_leave(sl_runtime *runtime, int before) { runtime->engine = before; }

bool sl_time_is_up(void *runtime) { return ((const sl_runtime *)runtime)->dead; }
