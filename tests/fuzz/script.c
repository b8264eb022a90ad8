/* Fuzzing the Lua API: bytes choose functions of the module, methods of worlds and of what they give, and
 * their arguments, among them values that make no sense; steps are few, since a script may go on stepping.
 * Errors are caught; the state must survive, within its caps. Nothing may crash, hang or leak.
 *
 * Corpus in corpus/script, replayed by unit/bind/fuzz_replay.c in every build. */
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include "bind/sandbox/runtime.h"

static const char script_driver[] =
    "local bytes, scree = ..., scree\n"
    "local at = 0\n"
    "local function byte() at = at + 1 return bytes:byte(at) or 0 end\n"
    "local api, keys, lists = scree.api(), {}, {}\n"
    "for name, params in pairs(api.params or {}) do\n"
    "  lists[#lists + 1] = params\n"
    "  for _, p in ipairs(params) do keys[#keys + 1] = p.name end\n"
    "end\n"
    "local numbers = { 0, 1, -1, 0.1, 1e-3, 2, 3, 1e308, -1e308, 1e-300, 0 / 0, 1 / 0, -1 / 0, 2 ^ 53, 1 << "
    "62, 7 }\n"
    "local words = { 'hull', 'mesh', 'sphere', 'box', 'coulomb', 'nbgs', 'lemke', 'position', '', 'x', "
    "'ball', '1 mm', 'a/b', '..' }\n"
    "local w = scree.world { dt = 1e-3, gravity = { 0, 0, -9.81 } }\n"
    "local made = { w, w:sphere { radius = 0.1 }, w:box { size = { 0.2, 0.2, 0.2 }, position = { 0.3, 0, 0 } "
    "}, scree }\n"
    "local value\n"
    "local function object(depth)\n"
    "  local t, list = {}, lists[1 + (byte() + 256 * byte()) % #lists]\n"
    "  for i = 1, byte() % 5 do\n"
    "    local p = list[1 + byte() % math.max(#list, 1)]\n"
    "    local key = p and byte() % 8 > 0 and p.name or keys[1 + (byte() + 256 * byte()) % #keys]\n"
    "    local kind = p and p.type\n"
    "    if kind == 'choice' and byte() % 4 > 0 then t[key] = p.choices:match '^[^|]+'\n"
    "    elseif kind == 'vec3' and byte() % 4 > 0 then t[key] = { value(9), value(9), value(9) }\n"
    "    else t[key] = value(depth + 1) end\n"
    "  end\n"
    "  return t\n"
    "end\n"
    "function value(depth)\n"
    "  local kind = byte() % 10\n"
    "  if kind < 4 or depth > 3 and kind > 5 then return numbers[1 + byte() % #numbers] end\n"
    "  if kind == 4 then return words[1 + byte() % #words] end\n"
    "  if kind == 5 then return made[1 + byte() % #made] end\n"
    "  if kind == 6 then return byte() % 2 == 0 end\n"
    "  if kind == 7 then\n"
    "    local t = {}\n"
    "    for i = 1, byte() % 7 do t[i] = value(depth + 1) end\n"
    "    return t\n"
    "  end\n"
    "  if kind == 8 then return nil end\n"
    "  return object(depth)\n"
    "end\n"
    "local names = {}\n"
    "for _, set in pairs(api) do\n"
    "  if type(set) == 'table' then\n"
    "    for name, members in pairs(set) do\n"
    "      names[#names + 1] = tostring(name)\n"
    "      if type(members) == 'table' then for inner in pairs(members) do names[#names + 1] = "
    "tostring(inner) end end\n"
    "    end\n"
    "  end\n"
    "end\n"
    "for _ = 1, 24 do\n"
    "  if at > #bytes then break end\n"
    "  local target = made[1 + byte() % #made]\n"
    "  local name = names[1 + (byte() + 256 * byte()) % #names]\n"
    "  local found, f = pcall(function() return target[name] end)\n"
    "  if found and f ~= nil then\n"
    "    if type(f) == 'table' or type(f) == 'userdata' then made[1 + #made % 32] = f end\n"
    "    local args = { value(0), byte() % 3 > 0 and object(0) or value(0), value(0) }\n"
    "    if name == 'step' then args[2] = byte() % 4 end\n"
    "    local good, result\n"
    "    if target == scree or byte() % 8 == 0 then good, result = pcall(f, args[2], args[1], args[3])\n"
    "    else good, result = pcall(f, target, args[2], args[1], args[3]) end\n"
    "    if good and (type(result) == 'userdata' or type(result) == 'table') then made[1 + #made % 32] = "
    "result end\n"
    "  end\n"
    "  if byte() % 16 == 0 then pcall(w.step, w, 1) end\n"
    "end\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  scree_error error = {SCREE_OK, ""};
  sl_runtime_def def = sl_runtime_defaults();
  def.memory = def.total = (size_t)96 << 20, def.seconds = 2;
  sl_runtime *runtime = sl_runtime_open(&def, &error);
  if (!runtime) abort();
  lua_State *L = sl_runtime_lua(runtime);
  if (luaL_loadbufferx(L, script_driver, strlen(script_driver), "=driver", "t") != LUA_OK) abort();
  lua_pushlstring(L, (const char *)data, size);
  sl_trouble trouble = sl_call(runtime, 1, 0);
  /* the driver itself never fails but for its caps */
  if (trouble && trouble != SL_LIMIT) {
    fprintf(stderr, "%s\n", sl_message(runtime));
    abort();
  }
  sl_runtime_close(runtime);
  return 0;
}
