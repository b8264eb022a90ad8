/* Writes Lua scenes that read files of grains. */
#ifndef CLI_IMPORT_GRAINS_H
#define CLI_IMPORT_GRAINS_H

#include <stdbool.h>

typedef struct import_grains {
  const char *path, *output; /* file of grains; Lua file to write, NULL: standard output */
  const char *columns;       /* "x=1,y=2,diameter=d"; NULL: columns are found by their usual names */
  const char *unit;          /* unit of lengths; NULL: m */
  double density;            /* [kg/m3]; 0: density of the file or of the material */
  long long frame;           /* number of the frame: 1 the first, -1 the last; 0: the last */
} import_grains;

/* Writes the scene and prints a summary of the file. Returns the exit code. */
int import_grain_file(const import_grains *job);
/* Returns whether a file may contain grains: it can be read, and it is not XML, except of VTK. */
bool import_has_grains(const char *path);

#endif
