#include "version.h"

#include <lua.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <yaml.h>
#include <zlib.h>

#include "cli.h"
#include "files.h"
#include "scree/version.h"

static void put_version_text(const char *name, const char *text) {
  printf(", \"%s\": ", name);
  cli_json_text(stdout, text);
}

void cli_print_version(int json) {
  static const struct {
    const char *name;
    int there;
  } parts[] = {{"MPI", CLI_HAS_MPI}, {"HDF5", SCREE_HDF5 != NULL}, {"assimp", SCREE_ASSIMP != NULL},
      {"HTTP", SCREE_HTTP != NULL}, {"XML", CLI_HAS_XML}};
  struct utsname os = {0};
  if (!json) {
    puts("scree " SCREE_VERSION);
    return;
  }
  uname(&os);
  printf("{\"scree\": \"" SCREE_VERSION "\"");
  put_version_text("compiler", CLI_COMPILER);
  put_version_text("system", os.sysname);
  put_version_text("machine", os.machine);
  put_version_text("lua", LUA_VERSION_MAJOR "." LUA_VERSION_MINOR "." LUA_VERSION_RELEASE);
  put_version_text("yaml", yaml_get_version_string());
  put_version_text("zlib", zlibVersion());
  fputs(", \"parts\": {", stdout);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    printf("%s\"%s\": %s", i ? ", " : "", parts[i].name, parts[i].there ? "true" : "false");
  puts("}}");
}
