/* Memory that runs out (support/starve.h) in the commands of the program, in one process: each prints its
 * normal output, or fails with a message. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/commands.h"
#include "support/starve.h"

/* Times differ from run to run: numbers before s and ms, and those of "seconds". So do sizes in MB, because
 * files hold times. */
static void without_times(char *text) {
  for (char *at = text; *at; at++) {
    const bool named = !strncmp(at, "seconds\": ", 10);
    char *number = named ? at + 10 : at, *end = number + strspn(number, "0123456789.e+-");
    const bool timed = end > number &&
        (named || !strncmp(end, " s", 2) || !strncmp(end, " ms", 3) || !strncmp(end, " MB", 3));
    if (timed) memmove(number, end, strlen(end) + 1);
  }
}

static const char *line; /* of the command at hand */

static void carry_out(char answer[ANSWER]) {
  static char complained[SAID];
  const int code = call_and_listen(line, answer, complained);
  if (code && !*complained) fail_msg("%s: exit code %d without a word", line, code);
  if (code > CLI_IO) fail_msg("%s: exit code %d: %s", line, code, complained);
  if (!*answer) strcpy(answer, "nothing\n");
  without_times(answer);
  if (code) *answer = 0;
}

static void commands_without_memory(void **state) {
  (void)state;
  static const char *const lines[] = {
      "schema",
      "info straight",
      "info --json straight",
      "info --verify straight",
      "info --source straight",
      "info straight/checkpoint.scree",
      "plot few.csv b -x a -o few.txt",
      "plot few.csv a,b -o few.txt --log y --size 400x300",
      "plot straight --list",
      "plot straight n energy -o n.txt",
      "plot straight snapshot -o snapshot.txt",
      "plot straight snapshot --color force --view 30,20 -o snapshot.txt",
      "diff straight straight",
      "diff --json straight straight",
      "export straight --format vtp --contacts -o exported",
      "export straight --format dump -o exported",
      "export straight --format xyz -o exported",
      "export straight --format gsd -o exported",
      "export straight --format npz --contacts -o exported",
      "export straight --format npz --single --contacts -o exported",
      "export straight --format csv --contacts -o exported",
      "export straight --format stl --frames 0:2 -o exported",
      "export straight --format ply --frames 0:2 -o exported",
      "export straight --format html -o exported.html",
      "solve one.prob -t 1",
      "solve --table one.prob -i 3",
      "solve --json --history one.prob -s nbgs --acceleration -t 1",
      "solve one.prob -s lemke -t 1",
      "solve one.prob -s ipm -t 1",
      "check exp.yaml",
      "check --json exp.yaml",
      "sweep grid.yaml --dry-run",
      "import robot.urdf -o robot.lua",
      "import robot.urdf --table",
      "film straight -o pictures --size 16x16 -t 1 --turn 90 --frames 1:2",
  };
  put("scene.lua", scene), put("exp.yaml", experiment), put("robot.urdf", robot);
  put("grid.yaml", "include: exp.yaml\nsweep: {grid: {params.mu: [0.1, 0.2]}}\n");
  put("few.csv", "a,b,c\n1,2,x\n2,3,y\n3,5,z\n");
  must("run exp.yaml -o straight -q");
  must("dump straight --step 5 -o one.prob");
  for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) starve(line = lines[k], carry_out, ALL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(commands_without_memory)};
  return in_a_folder(tests, 1);
}
