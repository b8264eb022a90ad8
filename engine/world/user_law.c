/* Laws that a script defines: functions of the interface law/law.h that call the callbacks of the script. */
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void sc_user_law_blame(scree_id body1, scree_id body2, const double point[3], scree_error *error) {
  if (!error) return;
  size_t used = strlen(error->text);
  snprintf(error->text + used, sizeof error->text - used, " (contact of bodies %llu and %llu at %g, %g, %g)",
      (unsigned long long)body1, (unsigned long long)body2, point[0], point[1], point[2]);
}

static int refresh_user(
    const sc_law *law, double *par, double *state, const scree_contact_info *info, scree_error *error) {
  sc_user_law *user = law->user;
  if (user->callbacks.refresh && user->callbacks.refresh(user->callbacks.user, par, state, info, error)) {
    sc_user_law_blame(info->body1, info->body2, info->point, error);
    return 1;
  }
  /* the state of the base law follows the state of the script's law */
  double *rest = state ? state + user->callbacks.state_count : NULL;
  return user->base && user->base->refresh ? user->base->refresh(user->base, par, rest, info, error) : 0;
}

/* Calls the callback `solve` of the script. If it fails or its result is not finite, returns a negative state
 * and sets user->error. Otherwise returns 0, because solvers only read whether the state is negative. */
static scree_contact_state solve_user(const sc_law *law, int dim, const double *A, const double *b,
    const double *par, double *x, int *iterations) {
  sc_user_law *user = law->user;
  (void)dim;
  if (iterations) *iterations = 0;
  const double packed[6] = {A[0], A[1], A[2], A[4], A[5], A[8]};
  if (user->error.status == SCREE_OK &&
      user->callbacks.solve(user->callbacks.user, par, packed, b, x, &user->error))
    if (user->error.status == SCREE_OK) sc_fail(&user->error, SCREE_E_LAW, "law \"%s\" failed", user->name);
  if (user->error.status == SCREE_OK && !(isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2])))
    sc_fail(&user->error, SCREE_E_LAW, "law \"%s\" returned (%g, %g, %g), which is not finite", user->name,
        x[0], x[1], x[2]);
  if (user->error.status == SCREE_OK) return 0;
  if (!user->failed) user->failed = par;
  return (scree_contact_state)-1;
}

static scree_contact_state solve_base(const sc_law *law, int dim, const double *A, const double *b,
    const double *par, double *x, int *iterations) {
  const sc_law *base = ((const sc_user_law *)law->user)->base;
  return base->solve(base, dim, A, b, par, x, iterations);
}

static int dim_base(const double *par) {
  (void)par;
  return 3;
}

static scree_status check_callbacks(
    const scree_world *world, const scree_law_callbacks *law, scree_error *error) {
  if (!law->name || !*law->name || strlen(law->name) >= SC_NAME_MAX)
    return sc_fail(error, SCREE_E_ARGUMENT, "a law needs a name of at most %d bytes", SC_NAME_MAX - 1);
  for (int32_t i = 0; i < world->laws.count; i++)
    if (!strcmp(world->laws.law[i]->name, law->name))
      return sc_fail(error, SCREE_E_ARGUMENT, "there is already a law \"%s\"", law->name);
  if (!law->solve == !law->base)
    return sc_fail(error, SCREE_E_ARGUMENT, "law \"%s\" needs either solve or base", law->name);
  if (law->params_count > SCREE_LAW_MAX_PARAMS)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "law \"%s\" has more than %d parameters", law->name, SCREE_LAW_MAX_PARAMS);
  if (law->state_count < 0 || law->state_count > SCREE_LAW_MAX_STATE)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "law \"%s\" has more than %d states", law->name, SCREE_LAW_MAX_STATE);
  return SCREE_OK;
}

scree_status scree_world_define_law(
    scree_world *world, const scree_law_callbacks *callbacks, scree_error *error) {
  SC_DEMAND(world && callbacks && callbacks->params_count >= 0, error, SCREE_E_ARGUMENT);
  SC_DEMAND(callbacks->params || !callbacks->params_count, error, SCREE_E_ARGUMENT);
  scree_status status = check_callbacks(world, callbacks, error);
  if (status != SCREE_OK) return status;
  int32_t base = callbacks->base ? sc_laws_find(&world->laws, callbacks->base, error) : -1;
  if (callbacks->base && base < 0) return SCREE_E_ARGUMENT;
  int states = callbacks->state_count + (base >= 0 ? world->laws.law[base]->state_count : 0);
  if (states > SCREE_LAW_MAX_STATE)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "law \"%s\" and its base \"%s\" together have more than %d states", callbacks->name, callbacks->base,
        SCREE_LAW_MAX_STATE);
  sc_user_law *user = sc_alloc(sizeof *user);
  scree_param *params = sc_alloc((size_t)(callbacks->params_count + 1) * sizeof *params);
  if (!user || !params ||
      !SC_GROW(world->laws.user, world->laws.user_capacity, (size_t)world->laws.users + 1) ||
      !SC_GROW(world->laws.law, world->laws.capacity, (size_t)world->laws.count + 1)) {
    sc_free(user);
    sc_free(params);
    return sc_fail(error, SCREE_E_MEMORY, "no memory for law \"%s\"", callbacks->name);
  }
  if (callbacks->params_count)
    memcpy(params, callbacks->params, (size_t)callbacks->params_count * sizeof *params);
  user->callbacks = *callbacks;
  user->params = params;
  user->base = base >= 0 ? world->laws.law[base] : NULL;
  snprintf(user->name, sizeof user->name, "%s", callbacks->name);
  user->law = (sc_law){.name = user->name,
      .doc = "defined by a script",
      .params = params,
      .params_count = callbacks->params_count,
      .state_count = states,
      .dim = user->base && user->base->dim ? user->base->dim : dim_base,
      .solve = callbacks->solve ? solve_user : solve_base,
      .refresh = refresh_user,
      .slides = user->base ? user->base->slides : NULL,
      .round = user->base ? user->base->round : NULL,
      .user = user};
  world->laws.user[world->laws.users++] = user;
  world->laws.law[world->laws.count++] = &user->law;
  return SCREE_OK;
}
