/* Mistakes on command lines, in experiments and in scenes: exit codes and messages. Also output and files
 * of correct commands. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>

#include "support/commands.h"

typedef struct mistake {
  int code;
  const char *line, *words; /* of what is said on either stream */
} mistake;

static int wrong;

/* Runs a command and searches its output for the words. Words of the command line or of the faulty input do
 * not count, because messages repeat both. */
static void expect(const char *what, const char *line, int code, const char *words) {
  static char said[SAID], complained[SAID];
  if (!*words || strstr(line, words) || strstr(what, words))
    fail_msg("%s%s: '%s' is no test", what, line, words);
  const int got = call_and_listen(line, said, complained);
  if (got == code && (strstr(said, words) || strstr(complained, words))) return;
  print_error("%s%s: exit code %d, not %d with '%s'; it says: %s%s\n", what, line, got, code, words, said,
      complained);
  wrong++;
}

/* Springs that ask for shorter steps, clocks by steps; parameters of all kinds, and runs of the scene that
 * differ in them. */
static const char springs[] =
    "return {\n"
    "  title = 'tab\\t and \\\"quote\\\"', params = { flag = true, list = { 1, 2 }, word = 'x', number = 1.5 "
    "},\n"
    "  world = { dt = 1e-2, stepper = 'penalty', gravity = { 0, 0, -9.81 } },\n"
    "  setup = function(w)\n"
    "    w:pair { 'default', 'default', law = 'hertz', modulus = 1e6, mu = 0.4 }\n"
    "    w:halfspace { normal = { 0, 0, 1 } }\n"
    "    w:sphere { radius = 0.01, position = { 0, 0, 0.0099 }, velocity = { 5, 0, 0 } }\n"
    "  end,\n"
    "  every = { { steps = 3, call = function() end } },\n"
    "  variants = function(p) return { { flag = false }, { word = 'y/z' }, { number = 2.5 } } end,\n"
    "  output = { series = { every = 1e-2, values = function(w) return { n = w:count() } end } },\n"
    "  report = function(w) return { { 'n', w:count() + w:time() } } end,\n"
    "  stop = { steps = 5 },\n"
    "}\n";
/* A gear whose wheels turn in two bodies that move. */
static const char gears[] =
    "return { world = { dt = 1e-3 }, stop = { steps = 2 }, setup = function(w)\n"
    "  local b = {}\n"
    "  for i = 1, 4 do b[i] = w:sphere { radius = 0.1, position = { i, 0, 0 } } end\n"
    "  for i = 1, 2 do w:hinge { a = b[i], b = b[i + 2], at = { i, 0, 0 }, axis = { 0, 0, 1 } } end\n"
    "  w:gear { a = b[1], b = b[2], axis = { 0, 0, 1 }, axis_b = { 0, 0, 1 } }\n"
    "end }\n";
static const char kinds[] = "scree: 1\nscene: springs.lua\nworld: {dt: 1e-5}\nrun: {stop_when: max_speed <= "
                            "1e-9 and n >= 1 for 1 ms}\n"
                            "sweep:\n"
                            "  grid: {params.word: [x, 'y,z', \"d\\\"e\"], params.flag: [true, false]}\n"
                            "  zip: {params.list: [[1, 2], [3, 4]], params.number: [1, 2]}\n  repeat: 2\n";

/* A file has those words, or lacks them. */
static void file_has(const char *path, const char *words, bool has) {
  static char text[SAID];
  assert_true(what_was_said(path, text) > 0);
  if (!strstr(text, words) == has) fail_msg("%s %s '%s'", path, has ? "lacks" : "has", words);
}

/* A periodic cell, sheared where `rate` says so, of bodies that reach over its sides. */
static const char celled[] =
    "return {\n"
    "  params = { rate = 0, flag = true, list = { 1, 2 }, word = 'x' },\n"
    "  world = { dt = 1e-3, cell = { size = { 1, 1, 1 }, periodic = { true, true, true } } },\n"
    "  setup = function(w, p)\n"
    "    w:cell():set_velocity_gradient({ { 0, p.rate, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }, false)\n"
    "    w:sphere { radius = 0.1, position = { 0.95, 0.5, 0.5 } }\n"
    "    w:sphere { radius = 0.1, position = { 0.149, 0.5, 0.5 }, velocity = { 300, 200, 0 } }\n"
    "    w:box { size = { 0.2, 0.2, 0.2 }, position = { 0.5, 0.98, 0.5 } }\n"
    "    w:superellipsoid { size = { 0.1, 0.1, 0.1 }, e1 = 1, e2 = 1, position = { 0.5, 0.2, 0.1 } }\n"
    "    w:cone { radius = 0.05, length = 0.1, position = { 0.2, 0.8, 0.7 } }\n"
    "    w:cylinder { radius = 0.05, length = 0.1, position = { 0.8, 0.8, 0.3 } }\n"
    "    w:ellipsoid { size = { 0.1, 0.06, 0.08 }, position = { 0.3, 0.2, 0.7 } }\n"
    "    w:mesh { solid = true, position = { 0.8, 0.2, 0.7 }, points = { { 0, 0, 0 }, { 0.1, 0, 0 }, { 0, "
    "0.1, 0 }, { 0, 0, 0.1 } }, "
    "triangles = { { 1, 3, 2 }, { 1, 2, 4 }, { 1, 4, 3 }, { 2, 3, 4 } } }\n"
    "    w:hull { points = { { 0, 0, 0 }, { 0.1, 0, 0 }, { 0, 0.1, 0 }, { 0, 0, 0.1 } }, position = { 0.5, "
    "0.5, 0.9 } }\n"
    "  end,\n"
    "  output = { trajectory = { every = 2e-3, fields = { 'position', 'orientation', 'velocity', 'spin', "
    "'contacts' } } },\n"
    "  stop = { time = 0.01 },\n"
    "}\n";

static const mistake command_lines[] = {
    {2, "info", "needs"},
    {4, "info nowhere", "opening nowhere: No such file or directory"},
    {4, "info few.csv", "few.csv is not a scree file"},
    {2, "info one.prob", "scree solve"},
    {2, "diff straight", "two"},
    {2, "diff straight straight -t -1", "negative"},
    {0, "diff straight other", "same: 6 frames"},
    {4, "diff straight few.csv", "few.csv is not a scree file"},
    {2, "export straight", "format"},
    {2, "export straight --format vtk", "did you mean"},
    {2, "export straight --format html", "needs a file to write"},
    {2, "export straight --format html -o x.html --frames 1:x", "whole numbers"},
    {2, "export straight --format html -o x.html --fields colour", "position"},
    {2, "export straight --format html -o x.html --frames 90:95", "no frame"},
    {2, "export --format vtp", "needs one FILE"},
    {2, "export straight --format csv --fields colour", "position"},
    {2, "export straight --format csv --frames a", "whole numbers"},
    {2, "export straight --format csv --frames 90:95", "frames 90 to 95 are not in 0 to 5"},
    {2, "plot", "of which run"},
    {2, "plot straight", "what of it"},
    {2, "plot straight n --log z", "--log is x, y or xy"},
    {2, "plot straight m", "no column"},
    {2, "plot straight n -x m", "no column"},
    {4, "plot straight table:n", "cannot read straight/table.csv"},
    {2, "plot straight n -o x.pdf", ".png"},
    {2, "plot straight snapshot --color fury", "no field"},
    {2, "plot straight snapshot --view zz", "or AZIMUTH,ELEVATION in degrees, not 'zz'"},
    {2, "plot straight snapshot --view 10,95", "or AZIMUTH,ELEVATION in degrees, not '10,95'"},
    {2, "plot straight snapshot --frame 99", "straight has frames 0 to 5"},
    {2, "plot straight snapshot --palette mud",
        "palette is viridis, cividis, magma, diverging or grey, not 'mud'"},
    {2, "plot straight snapshot --range 5:1", "range is LOW:HIGH, not '5:1'"},
    {4, "plot nowhere n", "cannot read nowhere: No such file or directory"},
    {2, "plot empty.csv a", "empty.csv is empty"},
    {2, "solve", "needs a stored problem"},
    {4, "solve nowhere.prob", "opening nowhere.prob: No such file or directory"},
    {2, "solve one.prob -s newtn", "did you mean"},
    {2, "solve one.prob -t -1", "out of range"},
    {2, "solve one.prob --directions 1 -s lemke", "out of range"},
    {2, "solve one.prob -i 0", "out of range"},
    {1, "solve one.prob -s pgs -i 1 -t 1e-14", "the tolerance 1e-14 was not reached"},
    {2, "check", "which"},
    {2, "check nowhere.yaml", "cannot read nowhere.yaml: No such file or directory"},
    {2, "check exp.yaml mu", "key=value"},
    {2, "check exp.yaml nu=1", "params.nu is not a parameter of the scene scene.lua; did you mean 'mu'?"},
    {2, "check scene.lua mu=-1", "at least 0"},
    {2, "sweep", "which"},
    {2, "sweep grid.yaml --only x --dry-run", "numbers such as"},
    {2, "sweep grid.yaml --only 7 --dry-run", "numbered 1 to 2"},
    {2, "sweep grid.yaml --only 2-1 --dry-run", "numbered 1 to 2"},
    {2, "sweep grid.yaml --jobs 2000", "--jobs must lie in [1, 1024]"},
    {2, "dump", "which run"},
    {2, "dump straight", "step"},
    {2, "dump straight --step 4000", "ends before step 4000"},
    {4, "dump nowhere --step 1", "no directory nowhere"},
    {2, "import", "which file"},
    {4, "import nowhere.urdf", "nowhere.urdf: No such file or directory"},
    {4, "import straight", "regular"},
    {2, "import robot.txt", "robot.txt:1: unclosed token"},
    {2, "import entity.xml", "declares entities"},
    {2, "resume", "which run"},
    {2, "resume nowhere", "there is no checkpoint in nowhere"},
    {2, "lua", "which script"},
    {4, "lua nowhere.lua", "cannot open nowhere.lua"},
    {2, "run", "which"},
    {4, "run nowhere.lua", "cannot open nowhere.lua"},
    {2, "run scene.lua -o straight -q", "exists already; --force overwrites it"},
    {2, "run scene.lua --time -1", "--time must be greater than 0, not -1"},
    {2, "run scene.lua --checkpoint-keep 200", "did you mean --checkpoint-dir?"},
    {2, "run scene.lua --grid 1x2", "rank"},
    {2, "run scene.lua mu", "key=value"},
    {2, "film straight", "needs -o FILE.mp4"},
    {2, "film straight -o x.avi", "mp4"},
    {2, "film straight -o pics --camera up,down", "--camera is AZIMUTH,ELEVATION[,ZOOM] in degrees"},
    {2, "film straight -o pics --path 1:2", "--path is TIME:AZIMUTH,ELEVATION[,ZOOM]"},
    {2, "film straight -o pics --fps 0", "--fps must be greater than 0, not 0"},
    {2, "film straight -o pics --frames 1:b", "whole numbers"},
    {2, "film straight -o pics --frames 80:90", "the trajectory has frames 0 to 5"},
    {2, "film straight -o pics --size 20000x10", "size is WIDTHxHEIGHT, 16 to 8192 pixels each"},
    {2, "film straight -o pics --color xyz", "no field"},
    {2, "view", "needs one RUN"},
    {4, "view nowhere --no-open", "opening nowhere: No such file or directory"},
    {2, "view straight --port 700000", "--port must lie in [0, 65535]"},
    {2, "schema more", "no operands"},
    {2, "doctor more", "takes no operands, not 'more'"},
    {2, "bench nothing", "there is no benchmark 'nothing'"},
    {0, "export straight --format csv --fields position -o e1", "1 file in e1"},
    {0, "export straight --format dump --fields position -o e2", "1 file in e2"},
    {0, "export straight --format xyz --fields position -o e2", "1 file in e2"},
    {0, "export straight --format gsd --fields position -o e3", "1 file in e3"},
    {0, "export straight --format vtp --fields velocity --name abc -o e4", "7 files in e4"},
    {0, "export straight --format csv --contacts --fields spin --name abc -o e5", "2 files in e5"},
    {0, "export celled --format csv --contacts -o e6", "2 files in e6"},
    {0, "export celled --format dump -o e6", "1 file in e6"},
    {0, "export celled --format xyz -o e6", "1 file in e6"},
    {0, "export celled --format gsd -o e6", "1 file in e6"},
    {0, "export celled --format vtp --contacts -o e6", "14 files in e6"},
    {0, "export celled --format npz --contacts -o e6", "6 files in e6"},
    {0, "export celled --format stl -o e6", "3 files in e6"},
    {0, "export celled --format html -o e6/page.html", "page.html, "},
    {0, "export sheared --format dump -o e7", "1 file in e7"},
    {0, "export sheared --format xyz -o e7", "1 file in e7"},
    {0, "export sheared --format gsd -o e7", "1 file in e7"},
    {0, "info celled", "cell       edges (1, 0, 0)"},
    {0, "info --json celled", "\"fields\": \"position, orientation, velocity, spin, contacts\""},
    {0, "film celled -o f1 --size 64x48 -t 1 --color contacts", "f1: 6 pictures"},
    {0, "film celled -o f2 --size 64x48 -t 1 --color none --frames 0:0", "f2: 1 pictures"},
    {0, "film celled -o f3 --size 64x48 -t 1 --color group --frames 0:0", "f3: 1 pictures"},
    {0, "film celled -o f4 --size 64x48 -t 1 --color id --frames 0:0", "f4: 1 pictures"},
    {0, "film celled -o f5 --size 64x48 -t 1 --color wx --frames 0:0 --caption {a}{frame}{step}{x",
        "f5: 1 pictures"},
    {0, "film celled -o f6 --size 64x48 -t 1 --color mass --frames 0:0", "f6: 1 pictures"},
    {0, "film celled -o f7 --size 64x48 -t 1 --color radius --frames 0:0 --camera x", "f7: 1 pictures"},
    {0, "film celled -o f8 --size 64x48 -t 1 --color spin --frames 0:0 --path 0:10,20;1:30,40,2",
        "f8: 1 pictures"},
    {0, "plot celled snapshot", "frame 5 at"},
    {0, "plot celled snapshot --color contacts", "frame 5 at"},
    {0, "plot celled snapshot --color none", "frame 5 at"},
    {0, "plot celled snapshot --view -yz", "frame 5 at"},
    {0, "sweep grid.yaml -o g", "0002 completed"},
    {0, "plot g n -x params.mu", "0.2"},
    {0, "plot g n", "+--"},
    {0, "plot g --list", "params.mu"},
    {0, "sweep grid.yaml -o g --resume", "completed"},
    {0, "plot few.csv --list", "a"},
    {0, "plot few.csv a", "+--"},
    {0, "solve one.prob --history -t 1e-6", "one.prob: 9 bodies, 8 contacts, 1 joint rows"},
    {0, "solve one.prob --json -s pgs -t 1 --threads 2", "\"iterations\""},
    {0, "check celled.lua", "bodies"},
    {0, "check --json celled.lua", "\"bodies\": 9"},
    {0, "check grid.yaml", "2 runs"},
    {0, "check still.lua", "take dt <= 0.018 s"},
    {0, "check --json still.lua", "\"advised_dt\": 0.0183995018,"},
    {2, "check hinge.lua", "hinge: the stepper \"penalty\" takes no joints; semi_implicit takes all"},
    {2, "check --json hinge.lua", "{\"fine\": false, \"message\": "},
    {2, "check bounce.lua", "impacts under the stepper \"stewart_trinkle\" are inelastic"},
    {2, "check bounce.lua elastic=false touch=true", "\"lemke\" cannot take law \"twisted\""},
    {0, "run scene.lua --help", "mu"},
    {0, "run celled.lua --help", "parameters"},
    {0, "run exp.yaml --help", "mu"},
    {0, "dump celled --step 3 -o c.prob", "written to c.prob"},
    {0, "check gears.lua", "counts absolute motion, though its wheels turn"},
    {0, "check --json gears.lua", "\"homeless_gears\": 1"},
    {0, "check --json springs.lua", "\"homeless_gears\": 0"},
    {0, "run gears.lua -q -o ge", "warning: the gear between "},
    {0, "check springs.lua", "the springs are stable up to dt ="},
    {0, "check --json springs.lua", "\"advised_dt\": 0.0002"},
    {2, "run wrong.lua -q -o w", "variants"},
    {0, "run springs.lua -q -o sp", "warning: the step 0.01 s is larger than half the shortest collision"},
    {0, "run springs.lua --help", "list=1,2 "},
    {0, "sweep kinds.yaml -o k -j 2", "completed"},
    {0, "plot k params.number -x seed", "+--"},
    {0, "plot k params.number -x params.number", "+--"},
    {0, "plot k --list", "params.word"},
    {4, "info k/0001", "k/0001 is the folder of several runs; name one of them, such as k/0001/2.5"},
    {0, "sweep grid.yaml -o g4 --only 2", "0002 completed"},
    {0, "sweep grid.yaml -o g4 --resume --only 1-2", "0001"},
    {0, "sweep --resume g", "completed"},
    {0, "dump g/0001 --step 2 -o d.prob", "written to d.prob"},
    {4, "info broken", "broken is not a scree file"},
    {0, "resume straight", "written to straight"},
};

/* A scene for the advice on dt: a ball with r = 65 mm and |g| = 13 m/s2 gives sqrt(0.2 r/g) = 31.6 ms. */
static const char still[] = "return { world = { dt = 0.05, gravity = { 3, -4, 12 } }, stop = { steps = 1 },\n"
                            "  setup = function(w) w:sphere { radius = 0.065 } end }\n";
/* Scenes with features that their steppers and solvers do not support. */
static const char hinge[] =
    "return { world = { stepper = 'penalty' }, stop = { steps = 1 }, setup = function(w)\n"
    "  w:hinge { a = w:sphere { radius = 1 }, at = { 0, 0, 0 }, axis = { 0, 1, 0 } } end }\n";
static const char bounce[] =
    "return { params = { elastic = true, touch = false }, stop = { steps = 1 },\n"
    "  world = { dt = 1e-3, stepper = 'stewart_trinkle', solver = { name = 'lemke' } },\n"
    "  setup = function(w, p)\n"
    "    if p.elastic then w:pair { 'default', 'default', mu = 0.3, restitution = 0.5 } end\n"
    "    if p.touch then w:pair { 'default', 'default', law = 'twisted', mu = 0.3 } end\n"
    "  end }\n";

static void on_command_lines(void **state) {
  (void)state;
  wrong = 0;
  put("still.lua", still), put("hinge.lua", hinge), put("bounce.lua", bounce);
  put("scene.lua", scene), put("exp.yaml", experiment);
  put("grid.yaml", "include: exp.yaml\nsweep: {grid: {params.mu: [0.1, 0.2]}}\n");
  put("few.csv", "a,\"b,c\",\"d\"\"e\"\r\n1,2,x\n2,3\n3,5,z,9\n\n");
  put("empty.csv", ""), put("words.csv", "a,b\nx,y\n"), put("robot.txt", "<robot");
  put("entity.xml", "<!DOCTYPE x [<!ENTITY a 'b'>]><robot/>");
  must("run exp.yaml -o straight -q");
  must("run scene.lua -o other -q mu=0.9");
  must("dump straight --step 5 -o one.prob");
  put("broken", "\x8dscr\r\n\x1a\n and no more");
  put("gears.lua", gears), put("springs.lua", springs), put("kinds.yaml", kinds);
  put("wrong.lua",
      "return { world = { dt = 1 }, setup = print, variants = function() return { 3 } end, stop = { time = 1 "
      "} }");
  put("celled.lua", celled), must("run celled.lua -o celled -q"), must("run celled.lua -o sheared -q rate=3");
  for (size_t k = 0; k < sizeof command_lines / sizeof *command_lines; k++)
    expect("", command_lines[k].line, command_lines[k].code, command_lines[k].words);
  file_has("e1/frame.csv", "x,y,z", true), file_has("e1/frame.csv", "vx", false),
      file_has("e1/frame.csv", "wx", false);
  file_has("e5/abc.csv", "wx,wy,wz", true), file_has("e5/abc.csv", "vx", false);
  file_has("g/results.csv", "params.mu", true), file_has("k/results.csv", "\"y,z\"", true);
  assert_int_equal(wrong, 0);
}

static const mistake experiments[] = {
    {CLI_USAGE, "world: {dt: fast}", "world.dt: expected a time such as 2.5 or \"20 s\", not fast"},
    {CLI_USAGE, "world: {dt: 1 kg}",
        "world.dt: 1 kg has the wrong dimension; expected a time such as 2.5 or \"20"},
    {CLI_USAGE, "world: {dt: -1}", "world.dt must be greater than 0, not -1"},
    {CLI_USAGE, "world: {gravity: [0, 0]}", "world.gravity: expected a list of 3 numbers, not a list"},
    {CLI_USAGE, "world: {gravity: 5}", "world.gravity: expected a list of 3 numbers, not 5"},
    {CLI_USAGE, "world: {losses: 3}", "expected true or false"},
    {CLI_USAGE, "world: {substeps: 1.5}", "world.substeps: expected a whole number, not 1.5"},
    {CLI_USAGE, "world: {substeps: many}", "world.substeps: expected a whole number, not many"},
    {CLI_USAGE, "world: {stepper: jump}", "expected one of"},
    {CLI_USAGE, "world: {solver: {name: ''}}", "world.solver.name: unknown solver \"\""},
    {CLI_USAGE, "world: {solver: {iterations: 1e300}}",
        "scene.lua:3: world.solver.iterations must be a whole number, not"},
    {CLI_USAGE, "world: {speed: 3}", "world.speed is not a known key"},
    {CLI_USAGE, "world: 3", "map"},
    {CLI_USAGE, "params: 3", "params: expected a map, not 3"},
    {CLI_USAGE, "params: {mu: -1}", "at least 0"},
    {CLI_USAGE, "params: {nu: 1}", "params.nu"},
    {CLI_USAGE, "params: {seed: -1}", "params.seed must be a whole number >= 0"},
    {CLI_USAGE, "run: {stop_when: max_speed}", "run.stop_when: expected <, <=, > or >= at the end"},
    {CLI_USAGE, "run: {stop_when: max_speed >}",
        "run.stop_when: expected a number with or without a unit at the end"},
    {CLI_USAGE, "run: {stop_when: 'max_speed > 1 for x'}",
        "run.stop_when: expected a time such as \"0.1 s\" after for at 'x'"},
    {CLI_USAGE, "run: {stop_when: 'max_speed > 1 and'}",
        "run.stop_when: expected a number with or without a unit at '1 and'"},
    {CLI_USAGE, "run: {stop_when: '1 > 2'}",
        "run.stop_when: expected the name of a column of series.csv at '1 > 2'"},
    {CLI_USAGE,
        "run: {stop_when: 'a > 1 and b > 1 and c > 1 and d > 1 and e > 1 and f > 1 and g > 1 and h > 1 and i "
        "> 1'}",
        "comparisons"},
    {CLI_USAGE, "run: {time: -1 s}", "run.time is not a known key"},
    {CLI_USAGE, "output: {precision: fine}",
        "output.precision: expected exact, a length such as \"1 um\", or like \"1e-4 d\""},
    {CLI_USAGE, "output: {precision: -1}",
        "output.precision: expected exact, a length such as \"1 um\", or like \"1e-4 d\""},
    {CLI_USAGE, "output: {fields: position}", "output.fields: expected a list, not position"},
    {CLI_USAGE, "output: {fields: [position, colour]}", "output.fields[2]: expected one of"},
    {CLI_USAGE, "output: {every: x}", "output.every: expected a time such as 2.5 or \"20 s\", not x"},
    {CLI_USAGE, "output: {checkpoint: {every: 0}}", "output.checkpoint.every must be greater than 0, not 0"},
    {CLI_USAGE, "measure: 3", "measure: expected a list, not 3"},
    {CLI_USAGE, "measure: [3]", "measure[1].type: expected coordination, count, displacement, fabric"},
    {CLI_USAGE, "measure: [{type: coordination}, {name: z}]",
        "measure[1].name is missing: names its columns and its file"},
    {CLI_USAGE, "measure: [{name: z, type: coordinatoin}]", "coordination"},
    {CLI_USAGE, "measure: [{name: z, type: coordination}, {name: z, type: coordination}]",
        "is taken by measure[1]"},
    {CLI_USAGE, "measure: [{name: 'a-b', type: coordination}]", "only letters"},
    {CLI_USAGE, "measure: [{name: series, type: coordination}]",
        "measure[1].name: series.csv is a file of the run's own"},
    {CLI_USAGE,
        "measure: [{name: z, type: profile, region: {min: [0, 0], max: [1, 1, 1]}, cells: [2, 2, 2]}]",
        "measure[1].region.min: expected a list of 3 numbers, not a list"},
    {CLI_USAGE, "measure: [{name: z, type: profile, region: {radius: x}, cells: [2, 2, 2]}]",
        "measure[1].region.radius: expected a length such as 0.06 or \"60 mm\", not x"},
    {CLI_USAGE, "measure: [{name: z, type: profile, region: {invert: 3}, cells: [2, 2, 2]}]",
        "measure[1].region.invert is not a known key; known: min, max, center"},
    {CLI_USAGE, "calibrate: {vary: {params.mu: [1, 0]}, targets: {n: [1, 1]}}",
        "calibrate.vary.params.mu: expected [low, high] or [low, high, start] with low <= start <= high"},
    {CLI_USAGE, "calibrate: {vary: {params.mu: [0, 1, 2]}, targets: {n: [1, 1]}}",
        "calibrate.vary.params.mu: expected [low, high]"},
    {CLI_USAGE, "calibrate: {vary: {mu: [0, 1]}, targets: {n: [1, 1]}}", "did you mean 'params.mu'?"},
    {CLI_USAGE, "calibrate: {vary: {output.dir: [0, 1]}, targets: {n: [1, 1]}}",
        "output.dir cannot be varied"},
    {CLI_USAGE, "calibrate: {vary: {}, targets: {n: [1, 1]}}",
        "calibrate.vary: expected a map of 1 to 16 paths"},
    {CLI_USAGE, "calibrate: {vary: {params.mu: [0, 1]}, targets: {n: [1, 0]}}",
        "calibrate.targets.n: expected [value, sigma]"},
    {CLI_USAGE, "calibrate: {vary: {params.mu: [0, 1]}, targets: {n: [1 m, 1 m]}}",
        "two numbers in the unit of the figure"},
    {CLI_USAGE, "calibrate: {targets: {n: [1, 1]}}", "calibrate.vary is missing"},
    {CLI_USAGE, "sweep: {grid: {params.mu: []}}", "sweep.grid.params.mu: expected a list of values"},
    {CLI_USAGE, "sweep: {grid: {params.mu: {range: [1]}}}",
        "sweep: params.mu: expected a list of values, {range: [first, last, step]}"},
    {CLI_USAGE, "sweep: {grid: {params.mu: {range: [0, 1, 0]}}}",
        "sweep: params.mu: expected a list of values, {range: [first, last, step]}"},
    {CLI_USAGE, "sweep: {grid: {params.mu: {log: [0, 1, 3]}}}",
        "sweep: params.mu: expected a list of values, {range: [first, last, step]}"},
    {CLI_USAGE, "sweep: {grid: {params.mu: {linear: [0, 1, 1]}}}",
        "sweep: params.mu: expected a list of values, {range: [first, last, step]}"},
    {CLI_USAGE, "sweep: {grid: {params.mu: {linear: [0, 1, 99999999]}}}",
        "sweep: params.mu: expected a list of values, {range: [first, last, step]}"},
    {CLI_USAGE, "sweep: {grid: {sweep.repeat: [1, 2]}}", "cannot be swept"},
    {CLI_USAGE, "sweep: {grid: {include: [a, b]}}", "cannot be swept"},
    {CLI_USAGE, "sweep: {grid: {params.mu: {linear: [0, 1, 9000]}}, repeat: 9000}", "runs are more than"},
    {CLI_USAGE, "sweep: {grid: {params.mu: [0.1, 0.2]}, exclude: 3}", "list of maps"},
    {CLI_USAGE, "sweep: {grid: {params.mu: [0.1]}, exclude: [{params.mu: 0.1}]}", "every point is excluded"},
    {CLI_USAGE, "sweep: {zip: {params.mu: [0.1, 0.2], world.dt: [1 ms]}}",
        "sweep.zip.world.dt has 1 values where params.mu has 2"},
    {CLI_USAGE, "sweep: {grid: 3}", "map"},
    {CLI_USAGE, "sweep: {repeat: 0}", "sweep.repeat must lie in [1, 100000], not 0"},
    {CLI_USAGE, "zip: 9", "known"},
    {CLI_USAGE, "x: y", "known"},
    {CLI_USAGE, "[a]: b", "a word"},
};

static void in_experiments(void **state) {
  (void)state;
  wrong = 0;
  put("scene.lua", scene);
  for (size_t k = 0; k < sizeof experiments / sizeof *experiments; k++) {
    char text[2048];
    snprintf(text, sizeof text, "scree: 1\nscene: scene.lua\n%s\n", experiments[k].line);
    put("bad.yaml", text);
    expect(experiments[k].line, "check bad.yaml", CLI_USAGE, experiments[k].words);
  }
  assert_int_equal(wrong, 0);
}

static const mistake scenes[] = {
    {CLI_USAGE, "every = 3", "every must be a list"},
    {CLI_USAGE, "every = { { call = function() end } }", "time or steps"},
    {CLI_USAGE, "every = { { time = 1, steps = 1, call = function() end } }", "time or steps"},
    {CLI_USAGE, "every = { { time = 1 } }", "call"},
    {CLI_USAGE, "stop_when = 3, stop = { time = 1 }", "stop_when must be a text"},
    {CLI_USAGE, "stop_when = 'x', stop = { time = 1 }", "stop_when: expected <, <=, > or >= at the end"},
    {CLI_USAGE, "stop = {}", "stop must name a time or a number of steps"},
    {CLI_USAGE, "stop = 'now'", "stop must be a table, not a string"},
    {CLI_USAGE, "view = 3, stop = { time = 1 }", "view must be a table"},
    {CLI_USAGE, "view = { size = { 1, 1 } }, stop = { time = 1 }",
        "view.size must be {width, height}, 16 to 8192 pixels each"},
    {CLI_USAGE, "view = { size = 3 }, stop = { time = 1 }", "view.size must be a list of two numbers"},
    {CLI_USAGE, "view = { range = { 2, 1 } }, stop = { time = 1 }",
        "view.range must be {low, high} with low < high"},
    {CLI_USAGE, "view = { zoom = 0 }, stop = { time = 1 }", "view.zoom must be greater than 0, not 0"},
    {CLI_USAGE, "view = { palette = 'mud' }, stop = { time = 1 }",
        "view.palette must be one of viridis|cividis|magma|diverging|grey, not 'mud'"},
    {CLI_USAGE, "view = { path = 3 }, stop = { time = 1 }", "view.path must be a list, not a number"},
    {CLI_USAGE, "view = { path = { {} } }, stop = { time = 1 }",
        "view.path[1].time is missing: at which the camera is there"},
    {CLI_USAGE, "output = 3, stop = { time = 1 }", "output must be a table, not a number"},
    {CLI_USAGE, "output = { trajectory = 3 }, stop = { time = 1 }",
        "output.trajectory must be a table, not a number"},
    {CLI_USAGE, "output = { trajectory = { every = 1, fields = 3 } }, stop = { time = 1 }",
        "fields must be a list"},
    {CLI_USAGE, "output = { trajectory = { every = 1, fields = { 'colour' } } }, stop = { time = 1 }",
        "output.trajectory.fields[1] must be one of"},
    {CLI_USAGE, "output = { trajectory = { every = 1, precision = -1 } }, stop = { time = 1 }",
        "output.trajectory.precision must be finite and >= 0"},
    {CLI_USAGE, "output = { trajectory = { every = 1, precision = true } }, stop = { time = 1 }",
        "output.trajectory.precision must be \"exact\", a length, or like \"1e-4 d\""},
    {CLI_USAGE, "output = { trajectory = { every = 1, precision = '0 d' } }, stop = { time = 1 }",
        "output.trajectory.precision must be \"exact\", a length, or like \"1e-4 d\""},
    {CLI_USAGE, "output = { series = { every = 0 } }, stop = { time = 1 }",
        "output.series.every must be greater than 0, not 0"},
    {CLI_USAGE, "output = { series = { every = 1, values = 3 } }, stop = { time = 1 }",
        "output.series.values must be a function, not a number"},
    {CLI_USAGE, "params = 3, stop = { time = 1 }", "params must be a table, not a number"},
    {CLI_USAGE, "params = { a = { default = 1, min = 2 } }, stop = { time = 1 }", "at least 2"},
    {CLI_USAGE, "params = { a = { default = 1, max = 0 } }, stop = { time = 1 }", "at most 0"},
    {CLI_USAGE, "params = { a = { default = '1 kg', unit = 'm' } }, stop = { time = 1 }", "a.default"},
    {CLI_USAGE, "params = { a = { default = 'x', choices = 3 } }, stop = { time = 1 }",
        "params.a.choices must be a list of 1 to 32 texts"},
    {CLI_USAGE, "params = { a = { default = 'x', choices = { 1 } } }, stop = { time = 1 }",
        "params.a.choices[1] must be a text, not a number"},
    {CLI_USAGE, "params = { a = { default = 'x', choices = { 'y' } } }, stop = { time = 1 }",
        "params.a.default must be one of y, not 'x'"},
    {CLI_USAGE, "params = { a = print }, stop = { time = 1 }", "params.a"},
    {CLI_USAGE, "params = { a = { 1, { 2 } } }, stop = { time = 1 }", "params.a"},
    {CLI_USAGE, "params = { a = 0 / 0 }, stop = { time = 1 }", "params.a is NaN"},
    {CLI_USAGE, "params = { a = 1 / 0 }, stop = { time = 1 }", "params.a is infinite"},
    {CLI_USAGE, "params = { [1] = 2 }, stop = { time = 1 }", "names as keys"},
    {CLI_USAGE, "params = { seed = -1 }, stop = { time = 1 }", "params.seed must be a whole number >= 0"},
    {CLI_USAGE, "measure = 3, stop = { time = 1 }", "measure must be a list"},
    {CLI_USAGE, "measure = { { name = 'z' } }, stop = { time = 1 }", "type"},
    {CLI_USAGE, "variants = 3, stop = { time = 1 }", "variants must be a function, not a number"},
    {CLI_USAGE, "setup = 3, stop = { time = 1 }", "setup must be a function, not a number"},
    {CLI_USAGE, "report = 3, stop = { time = 1 }", "report must be a function, not a number"},
    {CLI_USAGE, "world = { dt = 'x' }, stop = { time = 1 }",
        "world.dt: 'x' is no number; expected a time such as 2.5 or \"20 s\" [s]"},
    {CLI_USAGE, "world = { dt = 1e-3, gravity = { 1, 2 } }, stop = { time = 1 }",
        "world.gravity must have three numbers, not 2"},
    {CLI_USAGE, "world = { dt = 1e-3, gravity = { 1, 2, 0 / 0 } }, stop = { time = 1 }", "NaN"},
    {CLI_USAGE, "world = { dt = 1e-3, substeps = 1.5 }, stop = { time = 1 }", "whole number"},
    {CLI_USAGE, "world = { dt = 1e-3, losses = 1 }, stop = { time = 1 }", "true or false"},
    {CLI_USAGE, "unknown = 1, stop = { time = 1 }",
        "scene.unknown is not a known key; known are title, params, world, setup"},
};

static void in_scenes(void **state) {
  (void)state;
  wrong = 0;
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
    char text[2048];
    snprintf(text, sizeof text,
        "return { world = { dt = 1e-3 }, setup = function(w) w:sphere { radius = 1 } end, %s }",
        scenes[k].line);
    put("bad.lua", text);
    expect(scenes[k].line, "check bad.lua", CLI_USAGE, scenes[k].words);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(on_command_lines), cmocka_unit_test(in_experiments), cmocka_unit_test(in_scenes)};
  return in_a_folder(tests, 3);
}
