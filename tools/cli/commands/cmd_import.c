/* scree import: a robot's description as a Lua scene or table, or a scene that reads a file of grains
 * (import/grains.c). The file of a robot is read here; what it means is
 * said in lua/scree/urdf.lua and mjcf.lua, which run under the sandbox's limits. */
#include "cli.h"

#include <errno.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "import/grains.h"
#include "import/xml.h"
#include "script.h"

typedef struct options {
  const char *output, *columns, *unit;
  int table;
  int64_t frame;
  double density;
} options;
static const cli_option table[] = {
    {"output", 'o', CLI_TEXT, "FILE", offsetof(options, output),
        "where the Lua file goes (default: standard output)"},
    {"table", 0, CLI_FLAG, NULL, offsetof(options, table),
        "of a robot: the model alone, for `require`, in place of a scene"},
    {"columns", 0, CLI_TEXT, "LIST", offsetof(options, columns),
        "of grains: names or numbers of columns, as x=1,y=2,z=3,diameter=d"},
    {"unit", 0, CLI_TEXT, "UNIT", offsetof(options, unit), "of grains: unit of lengths: m, mm, cm, um, in"},
    {"density", 0, CLI_ABOVE, "X", offsetof(options, density), "of grains: density [kg/m3]"},
    {"frame", 0, CLI_COUNT, "N", offsetof(options, frame),
        "of grains: frame of the file (default: the last)"},
};

static const char more[] =
    "Reads URDF (root element <robot>) and MJCF (<mujoco>): links with mass and inertia, colliding shapes,\n"
    "joints with axes and limits. Meshes are taken as their convex hulls. What has no meaning here is "
    "listed,\n"
    "each with its line, on the standard error and at the head of the file.\n"
    "Other files are of grains: tables of text, LAMMPS and LIGGGHTS data files and dumps, YADE's text, VTK,\n"
    "VTP, VTU, XYZ, NumPy, MercuryDPM and GSD files. The scene reads the file when it runs.";

enum { IMPORT_BYTES = 64 << 20 };

/* A regular file as text, for free(); NULL after a message. */
static char *read_whole(const char *path, size_t *size) {
  struct stat info;
  // a pipe would block while it is opened
  if (!stat(path, &info) && !S_ISREG(info.st_mode))
    return cli_fail(CLI_IO, "import", "%s: not a regular file", path), NULL;
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  if (!file) return cli_fail(CLI_IO, "import", "%s: %s", path, strerror(errno)), NULL;
  if (fstat(fileno(file), &info) || !S_ISREG(info.st_mode))
    cli_fail(CLI_IO, "import", "%s: not a regular file", path);
  else if (info.st_size > IMPORT_BYTES)
    cli_fail(CLI_IO, "import", "%s: larger than %d MiB", path, IMPORT_BYTES >> 20);
  else if (!(text = malloc((size_t)info.st_size + 1))) cli_fail(CLI_FAILED, "import", "no memory");
  else *size = fread(text, 1, (size_t)info.st_size, file);
  fclose(file);
  return text;
}

typedef struct job {
  const char *path, *folder, *text;
  size_t size;
  int table;
} job;

static const char translate[] = "local tree, options = ...\n"
                                "local readers = { robot = 'scree.urdf', mujoco = 'scree.mjcf' }\n"
                                "local name = readers[tree.tag]\n"
                                "if not name then error(('%s:%d: the root element is <%s>; <robot> (URDF) "
                                "and <mujoco> (MJCF) are known'):format("
                                "options.file, tree.line, tree.tag), 0) end\n"
                                "local model = require(name).read(tree, options)\n"
                                "return require('scree.robot').source(model, { from = options.file:match "
                                "'[^/]*$', table = options.table }),\n"
                                "  #model.links, #model.joints, table.concat(model.left_out, '\\n')\n";

/* (job) -> text, links, joints, left out. */
static int translate_robot(lua_State *L) {
  const job *j = lua_touserdata(L, 1);
  char why[256];
  if (luaL_loadbufferx(L, translate, sizeof translate - 1, "=import", "t") != LUA_OK) return lua_error(L);
  if (!xml_push(L, j->text, j->size, why, sizeof why)) return luaL_error(L, "%s:%s", j->path, why);
  lua_newtable(L);
  lua_pushstring(L, j->path);
  lua_setfield(L, -2, "file");
  lua_pushstring(L, j->folder);
  lua_setfield(L, -2, "folder");
  lua_pushboolean(L, j->table);
  lua_setfield(L, -2, "table");
  lua_call(L, 2, 4);
  return 4;
}

static int write_text(const char *path, const char *text, size_t size) {
  FILE *out = path ? fopen(path, "wb") : stdout;
  if (!out) return cli_fail(CLI_IO, "import", "%s: %s", path, strerror(errno));
  bool failed = fwrite(text, 1, size, out) != size;
  if (path && fclose(out)) failed = true;
  return failed ? cli_fail(CLI_IO, "import", "%s: %s", path ? path : "standard output", strerror(errno))
                : CLI_OK;
}

/* Writes the scene text from the Lua stack to the output. Prints the features left out and the numbers of
 * links and joints, which also lie on the stack. */
static int write_scene_text(lua_State *L, const options *values) {
  size_t size;
  const char *text = lua_tolstring(L, -4, &size), *left = lua_tostring(L, -1);
  int code = write_text(values->output, text, size);
  if (code != CLI_OK) return code;
  if (*left) fprintf(stderr, "left out:\n%s\n", left);
  fprintf(values->output ? stdout : stderr, "%lld links, %lld joints%s%s\n", (long long)lua_tointeger(L, -3),
      (long long)lua_tointeger(L, -2), values->output ? " in " : "", values->output ? values->output : "");
  return CLI_OK;
}

int cmd_import(int argc, char **argv) {
  options values = {0};
  int operands = CLI_PARSE("import", more, table, &values);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands != 1)
    return cli_fail(CLI_USAGE, "import", "which file? usage: scree import ROBOT.urdf|GRAINS -o OUT.lua");
  if (import_has_grains(argv[1])) {
    if (values.table) return cli_fail(CLI_USAGE, "import", "--table is for robots; %s has grains", argv[1]);
    return import_grain_file(&(import_grains){.path = argv[1],
        .output = values.output,
        .columns = values.columns,
        .unit = values.unit,
        .density = values.density,
        .frame = values.frame});
  }
  if (!xml_available())
    return cli_fail(CLI_FAILED, "import",
        "this scree was built without an XML library (Debian: libexpat1-dev); install it and build again");
  job j = {.path = argv[1], .table = values.table};
  char *text = read_whole(j.path, &j.size), *folder = strdup(j.path),
       *slash = folder ? strrchr(folder, '/') : NULL;
  if (slash) *slash = 0;
  j.text = text, j.folder = slash ? folder : ".";
  cli_sandbox sandbox = {0};
  sl_runtime *runtime = text ? cli_open_runtime("import", j.path, &sandbox, 1) : NULL;
  int code = text ? CLI_FAILED : CLI_IO;
  if (runtime) {
    lua_State *L = sl_runtime_lua(runtime);
    lua_pushcfunction(L, translate_robot);
    lua_pushlightuserdata(L, &j);
    if (sl_call(runtime, 1, 4)) {
      fprintf(stderr, "scree: %s\n", sl_message(runtime));
      code = CLI_USAGE;
    } else code = write_scene_text(L, &values);
    sl_runtime_close(runtime);
  }
  free(text);
  free(folder);
  return code;
}
