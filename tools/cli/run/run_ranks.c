/* Runs on several ranks, under mpirun. Rank 0 prints and writes; the others do the same work silently.
 *
 * On the other ranks stdout is discarded and stderr goes to an unnamed file. When a rank fails, its text
 * is printed and all ranks end. If all ranks have the same error, such as an error of the script, only
 * rank 0 prints it: it notifies the others, closes its files and ends them. A rank that is not notified
 * for some time concludes that only it has failed, and prints its error. */
#define _GNU_SOURCE
#include "run/run.h"

#include <unistd.h>

/* Time that rank 1 waits for the notification [s], and the additional time of each further rank. Rank 0 may
 * reach the same error later by this time. */
static const double FIRST_SECONDS = 3, EACH_SECONDS = 0.2;

/* The original stderr of a silent rank; -1 on rank 0. */
static int true_stderr = -1;

static void silence_rank(void) {
  FILE *nowhere = fopen("/dev/null", "w"), *kept = tmpfile();
  true_stderr = dup(STDERR_FILENO);
  if (nowhere) dup2(fileno(nowhere), STDOUT_FILENO), fclose(nowhere);
  if (kept) dup2(fileno(kept), STDERR_FILENO), fclose(kept);
}

int run_ranks_start(run_options *options) {
  scree_error error = {SCREE_OK, ""};
  if (scree_dist_start(&options->rank, &options->ranks, &error) != SCREE_OK)
    return cli_fail(CLI_USAGE, "run", "%s", error.text);
  if (options->rank) silence_rank();
  return CLI_OK;
}

/* Prints the collected stderr of a silent rank; each line begins with the number of the rank. */
static void print_collected(int rank) {
  char line[4096];
  fflush(stderr);
  FILE *kept = fdopen(dup(STDERR_FILENO), "r");
  FILE *out = fdopen(dup(true_stderr), "w");
  if (!kept || !out) return;
  rewind(kept);
  while (fgets(line, sizeof line, kept)) fprintf(out, "rank %d: %s", rank, line);
  fclose(out);
  fclose(kept);
}

/* Returns if rank 0 sends no notification for some time. If it does, waits until rank 0 ends the process. */
static void wait_for_notice(int rank) {
  double wait = FIRST_SECONDS + EACH_SECONDS * (rank < 20 ? rank : 20), start = run_clock();
  while (scree_dist_told() || run_clock() - start < wait) usleep(20000);
}

void run_ranks_fail(const run_options *options, int code) {
  if (options->ranks <= 1) return;
  fflush(stdout);
  scree_dist_tell();
  if (options->rank) wait_for_notice(options->rank), print_collected(options->rank);
  scree_dist_abort(code);
}

int run_ranks_end(const run_options *options, int code) {
  if (options->ranks <= 1) return code;
  if (!run_is_finished(code) && code != CLI_STOPPED) run_ranks_fail(options, code);
  scree_dist_stop();
  return code;
}

/* Reads a grid such as 2x2x1; false for other texts. */
static int read_grid(const char *text, int grid[3]) {
  int used = 0;
  return sscanf(text, "%dx%dx%d%n", grid, grid + 1, grid + 2, &used) == 3 && !text[used] && grid[0] > 0 &&
      grid[1] > 0 && grid[2] > 0;
}

int run_ranks_check(const run_options *options) {
  int grid[3];
  if (!options->grid) return CLI_OK;
  if (!read_grid(options->grid, grid))
    return cli_fail(
        CLI_USAGE, "run", "--grid is AxBxC, numbers of ranks along x, y and z, not '%s'", options->grid);
  if ((long long)grid[0] * grid[1] * grid[2] != options->ranks)
    return cli_fail(
        CLI_USAGE, "run", "--grid %s does not have %d ranks (mpirun -n)", options->grid, options->ranks);
  return CLI_OK;
}

int run_spread(run *r) {
  scree_error error = {SCREE_OK, ""};
  scree_dist_def def = scree_dist_defaults();
  if (r->options->ranks <= 1) return CLI_OK;
  if (r->options->grid) read_grid(r->options->grid, def.grid);
  if (r->options->imbalance > 0) def.imbalance = r->options->imbalance;
  r->scene.world->spread = true;
  if (scree_world_distribute(r->scene.world->world, &def, &error) == SCREE_OK) return CLI_OK;
  return cli_fail(CLI_USAGE, "run", "%s", error.text);
}

int run_agree(const run *r, double *flags, int count) {
  scree_world_combine(r->scene.world->world, 1, flags, count);
  for (int i = 0; i < count; i++)
    if (flags[i] > 0) return 1;
  return 0;
}
