/* Calls commands of the program `scree` in this process and records their output. Has scenes for the
 * commands, and a temporary folder for files. A test program includes this header once, after cmocka.h. */
#ifndef TEST_COMMANDS_H
#define TEST_COMMANDS_H

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "scree/param.h"
#include "scree/trajectory.h"

static const char scene[] =
    "return {\n"
    "  params = { mu = { default = 0.3, min = 0, doc = 'friction' } },\n"
    "  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3, solver = { iterations = 20 }, losses = true },\n"
    "  setup = function(w, p)\n"
    "    w:material { name = 'glass', density = 2500 }\n"
    "    w:pair { 'glass', 'glass', law = 'coulomb', mu = p.mu }\n"
    "    w:halfspace { name = 'floor', normal = { 0, 0, 1 }, material = 'glass' }\n"
    "    local a = w:sphere { radius = 0.1, position = { 0, 0, 0.0999 }, spin = { 1, 0, 0 } }\n"
    "    w:capsule { radius = 0.05, length = 0.1, position = { 0.4, 0, 0.0499 }, orientation = { 0.7, 0, "
    "0.7, 0 } }\n"
    "    local b = w:box { size = { 0.1, 0.2, 0.1 }, position = { 0.8, 0, 0.0499 }, group = 2 }\n"
    "    w:superellipsoid { size = { 0.1, 0.1, 0.1 }, e1 = 0.5, e2 = 0.8, position = { 1.2, 0, 0.0999 } }\n"
    "    w:hull { points = { { 0, 0, 0 }, { 0.1, 0, 0 }, { 0, 0.1, 0 }, { 0, 0, 0.1 } }, position = { 1.6, "
    "0, 0.024 } }\n"
    "    w:mesh { kind = 'fixed', position = { 2, 0, 0 }, points = { { 0, 0, 0.1 }, { 1, 0, 0.1 }, { 0, 1, "
    "0.1 } }, triangles = { { 1, 2, 3 } } }\n"
    "    w:body { position = { 2.2, 0.2, 0.19 }, shapes = { { type = 'sphere', radius = 0.1 }, { type = "
    "'box', size = { 0.1, 0.1, 0.1 }, position = { 0.16, 0, 0.05 } } } }\n"
    "    w:distance { a = a, b = b, at = { 0, 0, 0.1 }, at_b = { 0.8, 0, 0.1 } }\n"
    "  end,\n"
    "  every = { { time = 4e-3, call = function(w) w:sphere { radius = 0.05, position = { 0, 1, 0.1 } } end "
    "} },\n"
    "  output = { trajectory = { every = 2e-3, fields = { 'position', 'orientation', 'velocity', 'spin', "
    "'contacts' } }, series = { every = 1e-3, values = "
    "function(w) return { n = w:count() } end } },\n"
    "  view = { caption = 't = {time}' },\n"
    "  stop = { time = 0.01 },\n"
    "  report = function(w, p, out) out:write('x.csv', 'a,b\\n1,2\\n') return { { 'n', w:count() } } end,\n"
    "}\n";
static const char experiment[] =
    "scree: 1\nscene: scene.lua\nparams: {mu: 0.4}\nrun: {stop_when: max_speed > 100 for 1 s}\n"
    "output: {dir: out, checkpoint: {every: 2 ms, final: true}}\n"
    "measure:\n"
    "  - {name: z, type: coordination}\n"
    "  - {name: f, type: profile, region: {min: [0, 0, 0], max: [30 mm, 30 mm, 20 mm]}, cells: [2, 2, 2]}\n";
static const char robot[] =
    "<robot name='r'>\n"
    "<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
    "iyz='0'/></inertial>"
    "<collision><geometry><box size='1 1 1'/></geometry></collision></link>\n"
    "<link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
    "iyz='0'/></inertial>"
    "<collision><geometry><sphere radius='0.1'/></geometry></collision></link>\n"
    "<joint name='j' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/>"
    "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint>\n</robot>\n";

/* ---- a command, in this process ---- */

enum { WORDS = 24, SAID = 1 << 16 };
static const cli_command commands[] = {
#define COMMAND(name, operands, doc) {#name, cmd_##name, operands, doc},
#include "commands/commands.h"
#undef COMMAND
};

static int call(const char *line) {
  static char text[512];
  char *word[WORDS + 1] = {NULL}, *rest = text;
  int count = 0;
  snprintf(text, sizeof text, "%s", line);
  while (count < WORDS && (word[count] = strsep(&rest, " "))) count++;
  for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
    if (!strcmp(commands[k].name, word[0])) {
      cli_describe(commands + k);
      return commands[k].run(count, word);
    }
  fail_msg("there is no command %s", word[0]);
  return -1;
}

static int put_aside(int stream, const char *file) {
  const int kept = dup(stream), to = open(file, O_RDWR | O_CREAT | O_TRUNC, 0666);
  if (kept < 0 || to < 0 || dup2(to, stream) < 0) abort();
  close(to);
  return kept;
}

static size_t what_was_said(const char *file, char out[SAID]) {
  const int from = open(file, O_RDONLY);
  const ssize_t size = read(from, out, SAID - 1);
  close(from);
  out[size > 0 ? size : 0] = 0;
  return (size_t)(size > 0 ? size : 0);
}

/* Calls a command with the words of `line`. Returns its exit code. said, complained: receive its output on
 * stdout and on stderr. */
static int call_and_listen(const char *line, char said[SAID], char complained[SAID]) {
  fflush(stdout), fflush(stderr);
  const int out = put_aside(1, "said"), err = put_aside(2, "complained"), code = call(line);
  fflush(stdout), fflush(stderr);
  dup2(out, 1), dup2(err, 2), close(out), close(err);
  what_was_said("said", said), what_was_said("complained", complained);
  return code;
}

static void must(const char *line) {
  static char said[SAID], complained[SAID];
  const int code = call_and_listen(line, said, complained);
  if (code) fail_msg("%s: exit code %d: %s", line, code, complained);
}

/* ---- files ---- */

static void put(const char *name, const char *bytes) {
  FILE *file = fopen(name, "w");
  assert_non_null(file);
  assert_true(fputs(bytes, file) >= 0 && fclose(file) == 0);
}

static char folder[] = "/tmp/scree-starved-XXXXXX";

static int take_away(const char *path, const struct stat *about, int what, struct FTW *where) {
  (void)about, (void)what, (void)where;
  return remove(path);
}

static int in_a_folder(const struct CMUnitTest *tests, size_t count) {
  if (!mkdtemp(folder) || chdir(folder)) return 1;
  const int bad = _cmocka_run_group_tests("commands", tests, count, NULL, NULL);
  return chdir("/") || nftw(folder, take_away, 16, FTW_DEPTH | FTW_PHYS) ? 1 : bad;
}

#endif
