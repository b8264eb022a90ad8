/* scree import: writes a robot's description as a Lua scene or table (import/robots.c), or a scene that
 * reads a file of grains (import/grains.c). */
#include "cli.h"
#include "files.h"

#include "import/grains.h"
#include "import/robots.h"

typedef struct options {
  const char *output, *columns, *unit;
  int table, strict, balance_inertia;
  cli_list packages;
  int64_t frame;
  double density;
} options;
static const cli_option table[] = {
    {"output", 'o', CLI_TEXT, "FILE", offsetof(options, output),
        "where the Lua file goes (default: standard output)"},
    {"table", 0, CLI_FLAG, NULL, offsetof(options, table),
        "of a robot: the model alone, for `require`, in place of a scene"},
    {"package", 0, CLI_LIST, "NAME=DIR", offsetof(options, packages),
        "of a URDF robot: folder of package://NAME (may be repeated)"},
    {"strict", 0, CLI_FLAG, NULL, offsetof(options, strict), "of a robot: warnings are errors"},
    {"balance-inertia", 0, CLI_FLAG, NULL, offsetof(options, balance_inertia),
        "of a robot: moments of inertia that no body has become their mean"},
    {"columns", 0, CLI_TEXT, "LIST", offsetof(options, columns),
        "of grains: names or numbers of columns, as x=1,y=2,z=3,diameter=d"},
    {"unit", 0, CLI_TEXT, "UNIT", offsetof(options, unit), "of grains: unit of lengths: m, mm, cm, um, in"},
    {"density", 0, CLI_ABOVE, "X", offsetof(options, density), "of grains: density [kg/m3]"},
    {"frame", 0, CLI_COUNT, "N", offsetof(options, frame),
        "of grains: frame of the file (default: the last)"},
};

static const char more[] =
    "Reads URDF (root element <robot>) and MJCF (<mujoco>): links with mass and inertia, colliding shapes,\n"
    "joints with axes and limits, actuators, sensors. Meshes become their convex hulls; those outside the "
    "folder\n"
    "of FILE are copied to FILE_meshes. Each part that scree cannot represent is a warning with its line, on "
    "the\n"
    "standard error and at the head of FILE.\n"
    "Other files are of grains: tables of text, LAMMPS and LIGGGHTS data files and dumps, YADE's text, VTK,\n"
    "VTP, VTU, XYZ, NumPy, MercuryDPM and GSD files. The scene reads the file when it runs.";

int cmd_import(int argc, char **argv) {
  options values = {0};
  int operands = CLI_PARSE("import", more, table, &values);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands != 1)
    return cli_fail(CLI_USAGE, "import", "which file? usage: scree import ROBOT.urdf|GRAINS -o OUT.lua");
  if (values.output && cli_is_same_file(argv[1], values.output))
    return cli_fail(CLI_USAGE, "import", "--output %s is the file to import", values.output);
  if (import_has_grains(argv[1])) {
    if (values.table) return cli_fail(CLI_USAGE, "import", "--table is for robots; %s has grains", argv[1]);
    return import_grain_file(&(import_grains){.path = argv[1],
        .output = values.output,
        .columns = values.columns,
        .unit = values.unit,
        .density = values.density,
        .frame = values.frame});
  }
  return import_robot_file(&(import_robot){.path = argv[1],
      .output = values.output,
      .packages = &values.packages,
      .table = values.table,
      .strict = values.strict,
      .balance_inertia = values.balance_inertia});
}
