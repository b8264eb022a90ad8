/* Random numbers of scripts (math.random and w:random), which depend on the run's seed only. */
#include "bind/sandbox/inside.h"
#include "bind/object.h"
#include "bind/sandbox/library.h"

#include <lauxlib.h>

static uint64_t next_splitmix64(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

void sl_random_seed(uint64_t state[4], uint64_t seed) {
  for (int i = 0; i < 4; i++) state[i] = next_splitmix64(&seed);
}

uint64_t sl_random_next(uint64_t s[4]) {
  uint64_t mixed = s[1] * 5, result = (mixed << 7 | mixed >> 57) * 9, shifted = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = s[3] << 45 | s[3] >> 19;
  return result;
}

double sl_random_unit(uint64_t state[4]) { return (double)(sl_random_next(state) >> 11) * 0x1p-53; }

/* math.random() in [0,1), math.random(m) in 1..m, math.random(m, n) in m..n, math.random(0) any integer. */
static int math_random(lua_State *L) {
  uint64_t *state = sl_runtime_of(L)->random;
  lua_Integer low = 1, high;
  switch (lua_gettop(L)) {
  case 0: return lua_pushnumber(L, sl_random_unit(state)), 1;
  case 1:
    high = luaL_checkinteger(L, 1);
    if (high == 0) return lua_pushinteger(L, (lua_Integer)sl_random_next(state)), 1;
    break;
  case 2:
    low = luaL_checkinteger(L, 1);
    high = luaL_checkinteger(L, 2);
    break;
  default: return luaL_error(L, "wrong number of arguments");
  }
  luaL_argcheck(L, low <= high, lua_gettop(L), "interval is empty");
  // unbiased integers: numbers above the last full multiple of the range are drawn again
  uint64_t range = (uint64_t)high - (uint64_t)low,
           limit = range + 1 ? UINT64_MAX - (UINT64_MAX % (range + 1) + 1) % (range + 1) : UINT64_MAX, drawn;
  do drawn = sl_random_next(state);
  while (drawn > limit);
  return lua_pushinteger(L, (lua_Integer)((uint64_t)low + (range + 1 ? drawn % (range + 1) : drawn))), 1;
}

/* math.randomseed(n): a seed must be given, so that runs can be repeated. */
static int math_randomseed(lua_State *L) {
  lua_Integer seed = luaL_checkinteger(L, 1);
  sl_random_seed(sl_runtime_of(L)->random, (uint64_t)seed);
  return 0;
}

const luaL_Reg sl_random_functions[] = {
    {"random", math_random}, {"randomseed", math_randomseed}, {NULL, NULL}};

void sl_runtime_seed(sl_runtime *runtime, uint64_t seed) {
  runtime->seed = seed;
  sl_random_seed(runtime->random, seed);
}
