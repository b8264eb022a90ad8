/* Reads the file of a robot and all files that it names. lua/scree/urdf.lua and mjcf.lua, which run under the
 * limits of the sandbox, translate the elements. These Lua modules get three functions: `parse` reads an XML
 * file, `exists` checks a path, `place` returns the path of a mesh as seen from the Lua file. A scene may
 * only read files in or below its own folder. Therefore `place` copies other meshes into the folder
 * NAME_meshes beside the Lua file. */
#include "import/robots.h"

#include <errno.h>
#include <lauxlib.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files.h"
#include "import/xml.h"
#include "script.h"

enum { IMPORT_BYTES = 64 << 20, COPY_BYTES = 256 << 20 };
enum { SCENE_MIB = 16 }; /* size of the largest scene that scree reads [MiB] */
/* Largest CPU time of a translation [s]. The largest number of copies of <replicate> takes a third of it. */
static const double IMPORT_SECONDS = 10;

/* Returns the folder of a path, for free(); NULL if out of memory. */
static char *folder_of(const char *path) {
  char *folder = strdup(path), *slash = folder ? strrchr(folder, '/') : NULL;
  if (!slash) {
    free(folder);
    return strdup(".");
  }
  slash[slash == folder] = 0;
  return folder;
}

/* Opens a regular file of at most `most` bytes. Returns NULL with the reason in why. */
static FILE *open_regular(const char *path, long most, const char **why, size_t *size) {
  struct stat info;
  *why = NULL;
  // a pipe would block while it is opened
  if (!stat(path, &info) && !S_ISREG(info.st_mode)) return *why = "not a regular file", NULL;
  FILE *file = fopen(path, "rb");
  if (!file) return *why = strerror(errno), NULL;
  if (fstat(fileno(file), &info) || !S_ISREG(info.st_mode)) *why = "not a regular file";
  else if (info.st_size > most) *why = "too large";
  if (*why) return fclose(file), NULL;
  *size = (size_t)info.st_size;
  return file;
}

/* Lua function (path): returns the root element of the XML file, or nil and the reason. Errors name a line of
 * the file. */
static int parse_file(lua_State *L) {
  const char *path = luaL_checkstring(L, 1), *why;
  char reason[256];
  size_t size;
  FILE *file = open_regular(path, IMPORT_BYTES, &why, &size);
  if (!file) return lua_pushnil(L), lua_pushfstring(L, "%s: %s", path, why), 2;
  char *text = lua_newuserdatauv(L, size + 1, 0);
  size = fread(text, 1, size, file);
  fclose(file);
  if (!xml_push(L, text, size, reason, sizeof reason))
    return lua_pushfstring(L, "%s:%s", path, reason), lua_error(L);
  return 1;
}

/* Lua function (path): returns whether the path is a file. */
static int file_exists(lua_State *L) {
  struct stat info;
  lua_pushboolean(L, !stat(luaL_checkstring(L, 1), &info) && S_ISREG(info.st_mode));
  return 1;
}

/* Copies a file. Returns whether that succeeded; errno has the reason. */
static bool copy_file(const char *from, const char *to) {
  const char *why;
  char block[1 << 16];
  size_t size;
  FILE *in = open_regular(from, COPY_BYTES, &why, &size), *out = in ? fopen(to, "wb") : NULL;
  bool is_whole = in && out;
  for (size_t got; is_whole && (got = fread(block, 1, sizeof block, in)) > 0;)
    is_whole = fwrite(block, 1, got, out) == got;
  if (in) fclose(in);
  if (out && fclose(out)) is_whole = false;
  return is_whole;
}

/* Copies a mesh into the folder of meshes of the Lua file. at: receives the path of the copy as seen from the
 * Lua file. Adds a number to the name if meshes have equal names. */
static void copy_mesh(lua_State *L, const import_robot *job, const char *mesh, char at[PATH_MAX]) {
  char *folder = folder_of(job->output), target[PATH_MAX], made[PATH_MAX];
  const char *name = strrchr(job->output, '/'), *own = strrchr(mesh, '/');
  name = name ? name + 1 : job->output, own = own ? own + 1 : mesh;
  const int stem = (int)strcspn(name, ".");
  snprintf(made, sizeof made, "%s/%.*s_meshes", folder ? folder : ".", stem, name);
  lua_Integer number = luaL_len(L, lua_upvalueindex(2)) + 1;
  int length = snprintf(at, PATH_MAX, "%.*s_meshes/%lld_%s", stem, name, (long long)number, own);
  int whole = snprintf(target, sizeof target, "%s/%s", folder ? folder : ".", at);
  free(folder);
  if (length >= PATH_MAX || whole >= PATH_MAX) luaL_error(L, "%s: the path is too long", mesh);
  if (mkdir(made, 0777) && errno != EEXIST) luaL_error(L, "%s: %s", made, strerror(errno));
  if (!copy_file(mesh, target)) luaL_error(L, "%s: %s", target, strerror(errno));
  lua_pushstring(L, at);
  lua_rawseti(L, lua_upvalueindex(2), number);
}

/* Lua function (path): returns the path of a mesh as seen from the Lua file, and whether a copy was made.
 * Without a Lua file, returns the path as seen from the file of the robot. Returns nil if the scene may not
 * read the path. */
static int place_mesh(lua_State *L) {
  const import_robot *job = lua_touserdata(L, lua_upvalueindex(1));
  const char *mesh = luaL_checkstring(L, 1);
  char *base = folder_of(job->output ? job->output : job->path);
  char *inner = realpath(mesh, NULL), *outer = base ? realpath(base, NULL) : NULL, at[PATH_MAX] = "";
  size_t length = outer ? strlen(outer) : 0;
  bool copies = false, is_below = false;
  if (inner && outer && !strncmp(inner, outer, length) && (inner[length] == '/' || length == 1)) {
    snprintf(at, sizeof at, "%s", inner + length + (length > 1));
    is_below = true;
  }
  free(inner), free(outer), free(base);
  if (!is_below && job->output) copy_mesh(L, job, mesh, at), copies = true;
  if (*at) lua_pushstring(L, at);
  else lua_pushnil(L);
  lua_pushboolean(L, copies);
  return 2;
}

/* Pushes the table of packages, which maps names to folders. */
static void push_packages(lua_State *L, const cli_list *list) {
  lua_newtable(L);
  for (int i = 0; i < list->count; i++) {
    const char *equals = strchr(list->item[i], '=');
    if (!equals || equals == list->item[i] || !equals[1])
      luaL_error(L, "--package %s: NAME=DIR is needed", list->item[i]);
    lua_pushlstring(L, list->item[i], (size_t)(equals - list->item[i]));
    lua_pushstring(L, equals + 1);
    lua_settable(L, -3);
  }
}

/* Lua function (import_robot): returns text, links, joints, warnings, number of warnings, number of copied
 * meshes. */
static int translate_robot(lua_State *L) {
  import_robot *job = lua_touserdata(L, 1);
  lua_getglobal(L, "require");
  lua_pushliteral(L, "scree.robot.translate");
  lua_call(L, 1, 1);
  lua_newtable(L);
  char *folder = folder_of(job->path);
  lua_pushstring(L, job->path), lua_setfield(L, -2, "file");
  lua_pushstring(L, folder ? folder : "."), lua_setfield(L, -2, "folder");
  free(folder);
  lua_pushboolean(L, job->table), lua_setfield(L, -2, "table");
  lua_pushboolean(L, job->strict), lua_setfield(L, -2, "strict");
  lua_pushboolean(L, job->balance_inertia), lua_setfield(L, -2, "balance_inertia");
  lua_pushcfunction(L, parse_file), lua_setfield(L, -2, "parse");
  lua_pushcfunction(L, file_exists), lua_setfield(L, -2, "exists");
  lua_pushlightuserdata(L, job);
  lua_newtable(L);
  lua_pushcclosure(L, place_mesh, 2), lua_setfield(L, -2, "place");
  push_packages(L, job->packages), lua_setfield(L, -2, "packages");
  lua_call(L, 1, 6);
  return 6;
}

/* Writes the results of translate_robot, which are on the stack. */
static int write_robot(lua_State *L, const import_robot *job) {
  size_t size;
  const char *text = lua_tolstring(L, -6, &size), *warnings = lua_tostring(L, -3);
  const long long links = lua_tointeger(L, -5), joints = lua_tointeger(L, -4);
  const long long count = lua_tointeger(L, -2), copies = lua_tointeger(L, -1);
  if (count) fprintf(stderr, "left out:\n%s\n%lld warning%s\n", warnings, count, count == 1 ? "" : "s");
  if (count && job->strict)
    return cli_fail(CLI_USAGE, "import", "%s: %lld warning%s, and --strict: nothing was written", job->path,
        count, count == 1 ? "" : "s");
  if (size > (size_t)SCENE_MIB << 20)
    return cli_fail(CLI_FAILED, "import",
        "%s: the model is %.1f MiB of Lua, and scree reads scenes of at most %d MiB; nothing was written",
        job->path, (double)size / (1 << 20), SCENE_MIB);
  const int code = cli_write_text("import", job->output, text, size);
  if (code != CLI_OK) return code;
  FILE *to = job->output ? stdout : stderr;
  fprintf(to, "%lld links, %lld joints%s%s", links, joints, job->output ? " in " : "",
      job->output ? job->output : "");
  if (copies) fprintf(to, "; %lld meshes copied", copies);
  fprintf(to, "\n");
  return CLI_OK;
}

int import_robot_file(const import_robot *job) {
  if (!xml_available())
    return cli_fail(CLI_FAILED, "import",
        "this scree was built without an XML library (Debian: libexpat1-dev); install it and build again");
  const char *why;
  size_t size;
  FILE *file = open_regular(job->path, IMPORT_BYTES, &why, &size);
  if (!file) return cli_fail(CLI_IO, "import", "%s: %s", job->path, why);
  fclose(file);
  cli_sandbox sandbox = {.callback_time = IMPORT_SECONDS};
  sl_runtime *runtime = cli_open_runtime("import", job->path, &sandbox, 1);
  if (!runtime) return CLI_FAILED;
  lua_State *L = sl_runtime_lua(runtime);
  import_robot copy = *job;
  int code;
  lua_pushcfunction(L, translate_robot);
  lua_pushlightuserdata(L, &copy);
  if (sl_call(runtime, 1, 6)) {
    fprintf(stderr, "scree: %s\n", sl_message(runtime));
    code = CLI_USAGE;
  } else code = write_robot(L, job);
  sl_runtime_close(runtime);
  return code;
}
