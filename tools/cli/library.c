#include "library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sets `out` to the folder of the running program, or to "". */
static void program_folder(char *out, size_t size) {
  ssize_t length = readlink("/proc/self/exe", out, size - 1);
  out[length > 0 ? length : 0] = 0;
  char *slash = strrchr(out, '/');
  if (slash) *slash = 0;
}

const char *cli_library(const char *name, char *out, size_t size) {
  char program[2048];
  const char *home = getenv("SCREE_HOME");
  program_folder(program, sizeof program);
  /* An installed tree has its files in share/scree next to bin. The Python package has them next to bin. A
   * build folder and its folder of tests have a link to the source. */
  static const char *const beside[] = {"/../share/scree/", "/../", "/source/", "/../source/"};
  const int places = (int)(sizeof beside / sizeof *beside);
  if (home && *home && snprintf(out, size, "%s/%s", home, name) > 0 && !access(out, R_OK)) return out;
  for (int i = 0; i < places && *program; i++)
    if (snprintf(out, size, "%s%s%s", program, beside[i], name) > 0 && !access(out, R_OK)) return out;
  snprintf(out, size, "%s%s%s", program, *beside, name);
  return out;
}
