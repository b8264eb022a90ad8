/* scree doctor: prints the features of this build and this machine. */
#include "cli.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>

#include <lua.h>
#include <yaml.h>

#include "scree/version.h"
#include "version.h"
#include "view/page.h"

/* Writes the name of the processor from /proc/cpuinfo, or "unknown". */
static void cpu_name(char *out, size_t size) {
  snprintf(out, size, "unknown");
  FILE *file = fopen("/proc/cpuinfo", "r");
  char line[512];
  while (file && fgets(line, sizeof line, file)) {
    if (strncmp(line, "model name", 10)) continue;
    char *value = strchr(line, ':');
    if (value) snprintf(out, size, "%s", value + 2);
    out[strcspn(out, "\n")] = 0;
    break;
  }
  if (file) fclose(file);
}

static const char *describe_lanes(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return "AVX-512";
  if (__builtin_cpu_supports("avx2")) return "AVX2";
#endif
  return "scalar";
}

/* An optional part of a build or machine, its use, and the Debian package that has it. */
typedef struct part {
  bool there;
  bool built; /* this build supports the part, so a machine that lacks it needs no new build */
  const char *name, *use, *package;
} part;

/* Returns whether a program is in one of the folders of PATH. */
static bool has_program(const char *name) {
  const char *path = getenv("PATH");
  char file[4096];
  for (size_t length; path && *path; path += length + (path[length] == ':')) {
    length = strcspn(path, ":");
    if ((size_t)snprintf(file, sizeof file, "%.*s/%s", (int)length, path, name) < sizeof file &&
        !access(file, X_OK))
      return true;
  }
  return false;
}

/* Returns whether a shared library can be opened. file: name of the library, or NULL if this build does not
 * use the library. */
static bool has_library(const char *file) {
  void *library = file ? dlopen(file, RTLD_LAZY | RTLD_LOCAL) : NULL;
  return library && !dlclose(library);
}

/* Prints the existing parts, and one line for each missing part. */
static void print_parts(void) {
  const part parts[] = {
      {CLI_HAS_MPI, false, "MPI", "several ranks", "libopenmpi-dev"},
      {has_library(SCREE_HDF5), SCREE_HDF5, "HDF5", "FCLib and VTKHDF files", "libhdf5-dev"},
      {has_library(SCREE_ASSIMP), SCREE_ASSIMP, "assimp", "glTF and COLLADA meshes", "libassimp-dev"},
      {has_library(SCREE_HTTP), SCREE_HTTP, "HTTP", "scree view", "libmicrohttpd-dev"},
      {CLI_HAS_XML, false, "XML", "scree import", "libexpat1-dev"},
      {view_three_path() != NULL, true, "three.js", "scree view, html exports", "libjs-three"},
      {has_program("gnuplot"), true, "gnuplot", "scree plot", "gnuplot-nox"},
      {has_program("ffmpeg"), true, "ffmpeg", "scree film to mp4, webm, gif", "ffmpeg"},
  };
  const char *separator = "parts     ";
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (parts[i].there) printf("%s%s", separator, parts[i].name), separator = ", ";
  printf("%s", *separator == ',' ? "\n" : "");
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (!parts[i].there)
      printf("missing   %s: %s%s (Debian: %s)\n", parts[i].name, parts[i].use,
          parts[i].built ? "" : "; build again with it", parts[i].package);
}

/* Returns whether a file can be created, written and removed in the present directory. */
static int can_write(void) {
  char name[] = ".scree-doctor-XXXXXX";
  int file = mkstemp(name);
  if (file < 0) return 0;
  int good = write(file, "x", 1) == 1;
  close(file);
  return unlink(name) == 0 && good;
}

int cmd_doctor(int argc, char **argv) {
  int operands = cli_parse("doctor", NULL, NULL, 0, NULL, argc, argv);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands) return cli_fail(CLI_USAGE, "doctor", "takes no operands, not '%s'", argv[1]);
  char cpu[256];
  struct utsname os = {0};
  struct rlimit files = {0};
  cpu_name(cpu, sizeof cpu);
  uname(&os);
  getrlimit(RLIMIT_NOFILE, &files);
  printf("scree     %s, compiled by %s\n", SCREE_VERSION, CLI_COMPILER);
  printf("lua       %s\nyaml      %s\nzlib      %s\n", LUA_RELEASE, yaml_get_version_string(), zlibVersion());
  printf("system    %s %s %s\ncpu       %s\n", os.sysname, os.release, os.machine, cpu);
  printf("lanes     %s\nthreads   %d\n", describe_lanes(), (int)sysconf(_SC_NPROCESSORS_ONLN));
  printf("memory    %.1f GiB\n", (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 0x1p30);
  printf("files     at most %llu open\n", (unsigned long long)files.rlim_cur);
  print_parts();
  int writes = can_write();
  printf("writing   %s here\n", writes ? "works" : "does NOT work");
  return writes ? CLI_OK : CLI_IO;
}
