/* Translates robots in URDF and MJCF files to text of Lua files. */
#ifndef CLI_IMPORT_ROBOTS_H
#define CLI_IMPORT_ROBOTS_H

#include <stdbool.h>

#include "cli.h"

typedef struct import_robot {
  const char *path, *output; /* file of the robot; Lua file to write, NULL: standard output */
  const cli_list *packages;  /* NAME=DIR: folders of ROS packages */
  bool table, strict;        /* writes the model alone; a warning is an error */
  bool balance_inertia;      /* moments of inertia that no body has become their mean */
} import_robot;

/* Writes the Lua file of a robot, and copies meshes that lie outside its folder. Prints warnings and a
 * summary. Returns the exit code. */
int import_robot_file(const import_robot *job);

#endif
