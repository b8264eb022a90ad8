/* scree bench engines: scenes typical of game engines. A script among the bundled scenes builds and times
 * them. */
#include "bench/bench.h"

#include <stdio.h>
#include "cli.h"
#include "library.h"

int bench_engines(int threads, int json, int brief) {
  char folder[2048], script[2100], count[32];
  snprintf(script, sizeof script, "%s/bench/engines.lua", cli_library("scenes", folder, sizeof folder));
  snprintf(count, sizeof count, "threads=%d", threads);
  char *argv[] = {"lua", "--trust", script, count, json ? "json=1" : "json=0", brief ? "size=0.02" : "size=1",
      brief ? "rest=0.1" : "rest=5", NULL};
  return cmd_lua(sizeof argv / sizeof *argv - 1, argv);
}
