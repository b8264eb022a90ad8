#include "import/grains.h"

#include <errno.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "files.h"
#include "script.h"

enum { HEAD = 4096 };

bool import_has_grains(const char *path) {
  char head[HEAD + 1] = "";
  struct stat info;
  if (stat(path, &info) || !S_ISREG(info.st_mode)) return false;
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  const size_t count = fread(head, 1, HEAD, file);
  fclose(file);
  const char *at = head;
  if (count >= 3 && !memcmp(at, "\xef\xbb\xbf", 3)) at += 3;
  while (*at && strchr(" \t\r\n", *at)) at++;
  return *at != '<' || strstr(at, "<VTKFile");
}

/* Lua chunk that writes the scene from the table { name, from, columns, unit, density, frame }. The scene
 * contains every key that it needs, so that a reader sees the choices. */
static const char translate[] =
    "local job = ...\n"
    "local scree = require 'scree'\n"
    "local def = { file = job.name, unit = job.unit, frame = job.frame }\n"
    "if job.columns then\n"
    "  def.columns = {}\n"
    "  for entry in job.columns:gmatch '[^,]+' do\n"
    "    local field, column = entry:match '^%s*([%w_]+)%s*=%s*(.-)%s*$'\n"
    "    if not field or column == '' then error(('--columns: %q is not FIELD=COLUMN'):format(entry), 0) "
    "end\n"
    "    def.columns[field] = math.tointeger(tonumber(column)) or column\n"
    "  end\n"
    "end\n"
    "local info = scree.read_grains(def)\n"
    "local out = {}\n"
    "local function say(...) out[#out + 1] = string.format(...) end\n"
    "local function list(t) local o = {} for i, v in ipairs(t) do o[i] = type(v) == 'number' and "
    "('%.10g'):format(v) or tostring(v) end return table.concat(o, ', ') end\n"
    "local function safe(text) return (tostring(text):gsub('%c', '?')) end\n"
    "say('-- Grains of %s, read by scree as %s.', safe(job.name), info.format)\n"
    "say('-- %d grains, radii %.6g m to %.6g m; frame %d of %d', info.count, info.radius_min, "
    "info.radius_max, "
    "info.frame, info.frames)\n"
    "say('-- columns of the file: %s', safe(list(info.columns)))\n"
    "say('-- read: %s', list(info.fields))\n"
    "if info.types then say('-- types: %s', safe(list(info.types))) end\n"
    "if info.left_out > 0 then say('-- left out: %d rows that are walls', info.left_out) end\n"
    "local function has(name) for _, f in ipairs(info.fields) do if f == name then return true end end end\n"
    "if not has 'density' and not has 'mass' and not job.density then say('-- The file has no density: give "
    "density = ... or a material.') end\n"
    "if has 'clump' then say('-- Rows of the same clump become one body.') end\n"
    "say('return {')\n"
    "local c = info.cell\n"
    "local periodic = c and (c.periodic[1] or c.periodic[2] or c.periodic[3])\n"
    "if c and not periodic then say('  -- box of the file: origin { %s }, size { %s }; no walls come with "
    "it', "
    "list(c.origin), list(c.size)) end\n"
    "say('  world = {')\n"
    "say('    gravity = { 0, 0, -9.81 },')\n"
    "if periodic then say('    cell = { origin = { %s }, size = { %s }, periodic = { %s } },', "
    "list(c.origin), "
    "list(c.size), list(c.periodic)) end\n"
    "say('  },')\n"
    "say('  setup = function(w)')\n"
    "if periodic and info.matrix then say('    w:cell():set_matrix { { %s }, { %s }, { %s } }', "
    "list(info.matrix[1]), list(info.matrix[2]), list(info.matrix[3])) end\n"
    "say('    w:read_grains {')\n"
    "say('      file = %q,', job.from)\n"
    "say('      format = %q,', info.format)\n"
    "if info.frames > 1 then say('      frame = %d,', info.frame) end\n"
    "if job.unit then say('      unit = %q,', job.unit) end\n"
    "if def.columns then\n"
    "  local names = {}\n"
    "  for field in pairs(def.columns) do names[#names + 1] = field end\n"
    "  table.sort(names)\n"
    "  for i, field in ipairs(names) do names[i] = ('%s = %s'):format(field, type(def.columns[field]) == "
    "'number' and def.columns[field] or ('%q'):format(def.columns[field])) end\n"
    "  say('      columns = { %s },', table.concat(names, ', '))\n"
    "end\n"
    "if job.density then say('      density = %.10g,', job.density) end\n"
    "say('    }')\n"
    "say('  end,')\n"
    "say('  stop = { time = 1 },')\n"
    "say('}')\n"
    "return table.concat(out, '\\n') .. '\\n', info.count, info.format\n";

/* Lua function (job, name, from): returns text, count, format. */
static int translate_file(lua_State *L) {
  const import_grains *job = lua_touserdata(L, 1);
  if (luaL_loadbufferx(L, translate, sizeof translate - 1, "=scree/import", "t") != LUA_OK)
    return lua_error(L);
  lua_newtable(L);
  lua_pushvalue(L, 2), lua_setfield(L, -2, "name");
  lua_pushvalue(L, 3), lua_setfield(L, -2, "from");
  if (job->columns) lua_pushstring(L, job->columns), lua_setfield(L, -2, "columns");
  if (job->unit) lua_pushstring(L, job->unit), lua_setfield(L, -2, "unit");
  if (job->density > 0) lua_pushnumber(L, job->density), lua_setfield(L, -2, "density");
  if (job->frame) lua_pushinteger(L, job->frame), lua_setfield(L, -2, "frame");
  lua_call(L, 1, 3);
  return 3;
}

/* Returns the name of the file in the scene: the last part of its path if the scene lies in the same folder,
 * else the whole path. The caller frees it. */
static char *find_name(const import_grains *job) {
  const char *slash = strrchr(job->path, '/'), *out = job->output ? strrchr(job->output, '/') : NULL;
  const char *name = slash ? slash + 1 : job->path;
  char *folder = strndup(job->path, slash ? (size_t)(slash - job->path) + 1 : 0);
  char *other = job->output ? strndup(job->output, out ? (size_t)(out - job->output) + 1 : 0) : strdup("");
  char *a = folder ? realpath(*folder ? folder : ".", NULL) : NULL,
       *b = other ? realpath(*other ? other : ".", NULL) : NULL, *whole = realpath(job->path, NULL);
  char *result = a && b && !strcmp(a, b) ? strdup(name) : whole ? strdup(whole) : NULL;
  free(folder), free(other), free(a), free(b), free(whole);
  return result;
}

static int write_scene(lua_State *L, const char *path) {
  size_t size;
  const char *text = lua_tolstring(L, -3, &size);
  const int code = cli_write_text("import", path, text, size);
  if (code) return code;
  fprintf(path ? stdout : stderr, "%lld grains of a %s file%s%s\n", (long long)lua_tointeger(L, -2),
      lua_tostring(L, -1), path ? " in " : "", path ? path : "");
  return CLI_OK;
}

int import_grain_file(const import_grains *job) {
  const char *slash = strrchr(job->path, '/'), *name = slash ? slash + 1 : job->path;
  char *from = find_name(job);
  cli_sandbox sandbox = {0};
  sl_runtime *runtime = from ? cli_open_runtime("import", job->path, &sandbox, 1) : NULL;
  int code = from ? CLI_FAILED : CLI_IO;
  if (!from) cli_fail(CLI_IO, "import", "%s: %s", job->path, strerror(errno));
  if (runtime) {
    lua_State *L = sl_runtime_lua(runtime);
    lua_pushcfunction(L, translate_file);
    lua_pushlightuserdata(L, (void *)job);
    lua_pushstring(L, name);
    lua_pushstring(L, from);
    if (sl_call(runtime, 3, 3)) {
      fprintf(stderr, "scree: %s\n", sl_message(runtime));
      code = CLI_USAGE;
    } else code = write_scene(L, job->output);
    sl_runtime_close(runtime);
  }
  free(from);
  return code;
}
