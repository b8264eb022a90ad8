/* pcall, xpcall and coroutines. If the runtime is dead (over budget), they pass the error on instead of
 * returning it to the script, and they do not call handlers of the script. */
#include "bind/sandbox/inside.h"
#include "bind/object.h"
#include "bind/sandbox/library.h"

/* ---- protected calls ---- */

/* Packs the context of finish_call: the number of values below the results, and the kind of work before the
 * call. finish_call restores the kind of work after an error, because the error may have ended a function
 * that makes the engine work. */
static lua_KContext pack_context(lua_State *L, int below) { return below | sl_runtime_of(L)->engine << 1; }

static int finish_call(lua_State *L, int status, lua_KContext context) {
  sl_guard_poll(L);
  if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L) - (int)(context & 1);
  sl_engine_leave(sl_runtime_of(L), (int)(context >> 1));
  lua_pushboolean(L, 0);
  lua_pushvalue(L, -2);
  return 2;
}

static int protected_call(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  const lua_KContext context = pack_context(L, 0);
  return finish_call(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, context, finish_call), context);
}

/* Message handler: calls the handler of the script, upvalue 1, unless the runtime is dead. */
static int handle_error(lua_State *L) {
  if (sl_runtime_of(L)->dead) return 1;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

static int protected_call_with_handler(lua_State *L) {
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, handle_error, 1);
  lua_pushboolean(L, 1);
  lua_pushvalue(L, 1);
  // stack before: f, handler, arguments, handler', true, f; after: handler', true, f, arguments
  lua_rotate(L, 3, 3);
  lua_remove(L, 1);
  lua_remove(L, 1);
  const lua_KContext context = pack_context(L, 1);
  return finish_call(L, lua_pcallk(L, lua_gettop(L) - 3, LUA_MULTRET, 1, context, finish_call), context);
}

/* ---- coroutines ---- */

static lua_State *check_coroutine(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  luaL_argexpected(L, co, 1, "coroutine");
  return co;
}

/* Moves `arguments` values to the coroutine co and resumes it. Returns the number of results on the stack of
 * L. On failure returns -1, with an error value on the stack of L. */
static int resume_coroutine(lua_State *L, lua_State *co, int arguments) {
  sl_runtime *runtime = sl_runtime_of(L);
  int results, engine = runtime->engine;
  if (!lua_checkstack(co, arguments)) return lua_pushliteral(L, "too many arguments to resume"), -1;
  lua_xmove(L, co, arguments);
  runtime->running = co;
  int status = lua_resume(co, L, arguments, &results);
  runtime->running = L;
  sl_engine_leave(runtime, engine);
  sl_guard_poll(L);
  if (status != LUA_OK && status != LUA_YIELD) return lua_xmove(co, L, 1), -1;
  if (!lua_checkstack(L, results + 1))
    return lua_pop(co, results), lua_pushliteral(L, "too many results to resume"), -1;
  lua_xmove(co, L, results);
  return results;
}

static int coroutine_resume(lua_State *L) {
  int results = resume_coroutine(L, check_coroutine(L), lua_gettop(L) - 1);
  lua_pushboolean(L, results >= 0);
  lua_insert(L, results >= 0 ? -(results + 1) : -2);
  return results >= 0 ? results + 1 : 2;
}

/* Closes a coroutine and its pending to-be-closed variables. Returns a Lua status. */
static int close_coroutine(lua_State *L, lua_State *co) {
  sl_runtime *runtime = sl_runtime_of(L);
  runtime->running = co;
  int status = lua_resetthread(co);
  runtime->running = L;
  sl_guard_poll(L);
  return status;
}

static int call_wrapped(lua_State *L) {
  lua_State *co = lua_tothread(L, lua_upvalueindex(1));
  int results = resume_coroutine(L, co, lua_gettop(L));
  if (results >= 0) return results;
  int status = lua_status(co);
  if (status != LUA_OK && status != LUA_YIELD && close_coroutine(L, co) != LUA_OK) lua_xmove(co, L, 1);
  return lua_error(L);
}

static int coroutine_wrap(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_State *co = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
  lua_pushcclosure(L, call_wrapped, 1);
  return 1;
}

static int coroutine_close(lua_State *L) {
  lua_State *co = check_coroutine(L);
  int status = lua_status(co);
  lua_Debug at;
  bool suspended = status == LUA_YIELD || (status == LUA_OK && !lua_getstack(co, 0, &at)) ||
      status > LUA_YIELD;
  if (co == L || !suspended) return luaL_error(L, "cannot close a running coroutine");
  if (close_coroutine(L, co) == LUA_OK) return lua_pushboolean(L, 1), 1;
  lua_pushboolean(L, 0);
  lua_xmove(co, L, 1);
  return 2;
}

const luaL_Reg sl_protect_functions[] = {
    {"pcall", protected_call}, {"xpcall", protected_call_with_handler}, {NULL, NULL}};
const luaL_Reg sl_coroutine_functions[] = {
    {"resume", coroutine_resume}, {"wrap", coroutine_wrap}, {"close", coroutine_close}, {NULL, NULL}};
