/* scree doctor: what this build and this machine offer. */
#include "cli.h"

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

/* First value of a key in /proc/cpuinfo, "unknown" without one. */
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

static const char *lanes(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return "AVX-512";
  if (__builtin_cpu_supports("avx2")) return "AVX2";
#endif
  return "scalar";
}

/* Whether a file can be created, written and removed in the present directory. */
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
  printf("lanes     %s\nthreads   %d\n", lanes(), (int)sysconf(_SC_NPROCESSORS_ONLN));
  printf("memory    %.1f GiB\n", (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 0x1p30);
  printf("files     at most %llu open\n", (unsigned long long)files.rlim_cur);
  int writes = can_write();
  printf("writing   %s here\n", writes ? "works" : "does NOT work");
  return writes ? CLI_OK : CLI_IO;
}
