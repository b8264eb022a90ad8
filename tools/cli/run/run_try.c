/* Runs some steps of a scene for scree check, to find mistakes in callbacks and in the report before the run.
 *
 * Output is written as in a run, because functions of the scene may read it, but into a temporary folder. */
#include "run/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Judges the steps like a run. Stores the faults as the reason of the failure. */
static int find_faults(run *r) {
  const int code = run_find_faults(r);
  size_t used = 0;
  if (code != CLI_INVALID) return code;
  cli_print_verdict(&r->verdict, "error: the run is invalid");
  for (int i = 0; i < r->verdict.count && used < sizeof r->trouble; i++) {
    char words[CLI_FAULT_TEXT];
    used += (size_t)snprintf(r->trouble + used, sizeof r->trouble - used, "%s%s",
        i ? "; " : "the run is invalid: ", cli_fault_words(r->verdict.fault + i, words));
  }
  return code;
}

static int try_in_folder(run *r, const char *folder) {
  int code = run_build(r);
  if (code) return code;
  snprintf(r->directory, sizeof r->directory, "%s", folder);
  code = run_create_files(r);
  if (!code) code = run_write(r, 1);
  if (!code) code = run_try_steps(r);
  if (!code) code = find_faults(r);
  run_close_files(r);
  return code;
}

int run_try(const run_options *options, int *figures, char trouble[1024]) {
  char folder[RUN_PATH];
  const int made = run_make_scratch("check", folder);
  if (made) return made;
  run *r = calloc(1, sizeof *r);
  int code = r ? run_open(r, options) : cli_fail(CLI_FAILED, "check", "no memory");
  if (!code) code = try_in_folder(r, folder);
  *figures = r ? r->figures.count : 0;
  snprintf(trouble, 1024, "%.1023s", r ? r->trouble : "");
  if (r && r->runtime) run_close(r);
  free(r);
  run_remove_scratch(folder);
  return code;
}
