/* Files of grains as Lua scenes that read them. */
#ifndef CLI_IMPORT_GRAINS_H
#define CLI_IMPORT_GRAINS_H

#include <stdbool.h>

typedef struct import_grains {
  const char *path, *output; /* output NULL: standard output */
  const char *columns;       /* "x=1,y=2,diameter=d"; NULL: usual names */
  const char *unit;          /* of lengths; NULL: m */
  double density;            /* [kg/m3]; 0: that of the file or the material */
  long long frame;           /* 1 the first, -1 the last; 0: the last */
} import_grains;

/* Writes the scene and prints what it has. Returns the exit code. */
int import_grain_file(const import_grains *job);
/* Returns whether a file is no XML document of a robot. A file that cannot be read is none of grains. */
bool import_has_grains(const char *path);

#endif
