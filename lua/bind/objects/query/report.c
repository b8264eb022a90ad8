/* w:report(): what the last step found, as a table. */
#include "bind/bind.h"

static int world_report(lua_State *L) {
  scree_report r;
  scree_world_report(sl_check_world(L, 1)->world, &r);
  lua_createtable(L, 0, 40);
  const struct {
    const char *name;
    int64_t value;
  } counts[] = {{"step", r.step}, {"bodies", r.bodies}, {"dynamic", r.dynamic}, {"contacts", r.contacts},
      {"active", r.active}, {"touching", r.touching}, {"iterations", r.iterations}, {"rebuilds", r.rebuilds},
      {"impacts", r.impacts}, {"asleep", r.asleep}, {"ranks", r.ranks}, {"bytes_bodies", r.bytes_bodies},
      {"bytes_contacts", r.bytes_contacts}, {"pairs", r.pairs}, {"crossed", r.crossed}},
    ways[] = {{"untouched", r.steps_untouched}, {"sweeps", r.steps_swept}, {"momentum", r.steps_momentum},
        {"newton", r.islands_newton}, {"unfit", r.islands_unfit}, {"dear", r.islands_dear},
        {"moving", r.islands_moving}, {"again", r.steps_again}, {"gaining", r.steps_gaining}};
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"time", r.time}, {"residual", r.residual}, {"kinetic", r.kinetic},
      {"potential", r.potential}, {"energy", r.kinetic + r.potential + r.elastic},
      {"penetration", r.penetration}, {"mean_penetration", r.mean_penetration}, {"dissipated", r.dissipated},
      {"elastic", r.elastic}, {"work", r.work}, {"correction", r.correction}, {"stable_dt", r.stable_dt},
      {"max_speed", r.max_speed}, {"bundle_fill", r.bundle_fill}, {"skin", r.skin},
      {"imbalance", r.imbalance}, {"waiting", r.waiting}, {"unbalanced", r.unbalanced},
      {"unbalanced_mean", r.unbalanced_mean}, {"unbalanced_most", r.unbalanced_most}, {"overlap", r.overlap},
      {"overlap_most", r.overlap_most}};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    sl_set_integer(L, counts[i].name, counts[i].value);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sl_set_number(L, numbers[i].name, numbers[i].value);
  lua_createtable(L, 0, 6);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) sl_set_integer(L, ways[i].name, ways[i].value);
  lua_setfield(L, -2, "solved");
  sl_set_vector(L, "momentum", r.momentum, 3);
  sl_set_vector(L, "angular_momentum", r.angular_momentum, 3);
  lua_createtable(L, 0, SCREE_STAGES);
  for (int i = 0; i < SCREE_STAGES; i++) sl_set_number(L, scree_stage_name(i), r.seconds[i]);
  lua_setfield(L, -2, "seconds");
  return 1;
}

const luaL_Reg sl_report_methods[] = {{"report", world_report}, {NULL, NULL}};
