/* scree solve: solves stored contact problems, scree's own and FCLib's, with any solver. */
#include "cli.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "files.h"
#include "scree/problem.h"

enum { HISTORY = 40 };
typedef struct options {
  const char *solver;
  double tolerance;
  int64_t iterations, threads, directions;
  int json, warm, table, acceleration, history;
} options;
static const cli_option table[] = {
    {"solver", 's', CLI_TEXT, "NAME", offsetof(options, solver), "one of the solvers above (default auto)"},
    {"tolerance", 't', CLI_NUMBER, "X", offsetof(options, tolerance), "relative tolerance (default 1e-8)"},
    {"iterations", 'i', CLI_WHOLE, "N", offsetof(options, iterations), "most iterations (default 10000)"},
    {"threads", 0, CLI_CORES, "N", offsetof(options, threads), "threads (default 1), 0: all cores"},
    {"directions", 0, CLI_WHOLE, "K", offsetof(options, directions),
        "lemke: edges of the friction cone (default 8)"},
    {"acceleration", 0, CLI_FLAG, NULL, offsetof(options, acceleration), "nbgs: momentum on sweeps"},
    {"warm", 'w', CLI_FLAG, NULL, offsetof(options, warm), "start from the impulses in the file, not from 0"},
    {"history", 0, CLI_FLAG, NULL, offsetof(options, history), "residuals after 1, 2, 4, ... iterations"},
    {"table", 0, CLI_FLAG, NULL, offsetof(options, table),
        "every solver to 1e-4, 1e-6 and 1e-8 as a Markdown table"},
    {"json", 'j', CLI_FLAG, NULL, offsetof(options, json), "print one JSON object per problem"}};

typedef struct history {
  int count;
  int64_t iterations[HISTORY];
  double residual[HISTORY];
} history;

static scree_status run_solver(const char *path, const options *o, const char *solver, double tolerance,
    int64_t iterations, scree_problem_result *result, scree_error *error) {
  scree_solver_def def = {.name = solver,
      .iterations = iterations,
      .min_iterations = 1,
      .tolerance = tolerance,
      .relaxation = 1,
      .warm_start = 1,
      .directions = o->directions,
      .acceleration = o->acceleration};
  return scree_problem_solve(path, &def, (int)o->threads, !o->warm, result, error);
}

static int has_converged(const options *o, const scree_problem_result *r) { return r->error <= o->tolerance; }

/* Solves a problem. With --history solves it with 1, 2, 4, ... iterations, each from the start, and stores
 * the residuals. */
static scree_status trace_residuals(
    const char *path, const options *o, history *h, scree_problem_result *result, scree_error *error) {
  h->count = 0;
  if (!o->history) return run_solver(path, o, o->solver, o->tolerance, o->iterations, result, error);
  for (int64_t most = 1;; most *= 2) {
    if (most > o->iterations) most = o->iterations;
    scree_status status = run_solver(path, o, o->solver, o->tolerance, most, result, error);
    if (status != SCREE_OK) return status;
    // a solver that cannot stop within a round returns the same result for several limits
    bool again = h->count && result->iterations == h->iterations[h->count - 1];
    if (!again) h->iterations[h->count] = result->iterations, h->residual[h->count++] = result->residual;
    bool ended = has_converged(o, result) || (again && result->iterations < most);
    if (ended || most >= o->iterations || h->count == HISTORY) return SCREE_OK;
  }
}

static void print_solve_text(
    const char *path, const options *o, const history *h, const scree_problem_result *r) {
  printf("%s: %lld bodies, %lld contacts, %lld joint rows, velocity scale %.3g m/s\n", path,
      (long long)r->bodies, (long long)r->contacts, (long long)r->joint_rows, r->scale);
  printf("%s: %lld iterations, error %.3g, residual %.3g m/s (start %.3g), %.3g s\n", o->solver,
      (long long)r->iterations, r->error, r->residual, r->start_residual, r->seconds);
  if (!has_converged(o, r)) printf("the tolerance %.3g was not reached\n", o->tolerance);
  for (int i = 0; i < h->count; i++) printf("  %8lld  %.6g\n", (long long)h->iterations[i], h->residual[i]);
}

static void print_solve_json(
    const char *path, const options *o, const history *h, const scree_problem_result *r) {
  printf("{\"file\": ");
  cli_json_text(stdout, path);
  printf(", \"solver\": ");
  cli_json_text(stdout, o->solver);
  printf(", \"bodies\": %lld, \"contacts\": %lld, \"joint_rows\": %lld, \"iterations\": %lld",
      (long long)r->bodies, (long long)r->contacts, (long long)r->joint_rows, (long long)r->iterations);
  const struct {
    const char *name;
    double value;
  } number[] = {{"residual", r->residual}, {"start_residual", r->start_residual}, {"scale", r->scale},
      {"seconds", r->seconds}, {"error", r->error}};
  for (int i = 0; i < 5; i++) cli_json_member(stdout, number[i].name, number[i].value);
  printf(", \"converged\": %s", has_converged(o, r) ? "true" : "false");
  if (h->count) printf(", \"history\": [");
  for (int i = 0; i < h->count; i++) {
    printf("%s[%lld, ", i ? ", " : "", (long long)h->iterations[i]);
    cli_json_number(stdout, h->residual[i]);
    printf("]");
  }
  printf(h->count ? "]}\n" : "}\n");
}

/* Prints one row per solver with iterations and milliseconds to each tolerance. A dash means that the
 * solver does not reach the tolerance or does not support the laws. */
static int print_table(const char *path, const options *o) {
  const double tolerance[] = {1e-4, 1e-6, 1e-8};
  scree_problem_result r;
  scree_error error = {SCREE_OK, ""};
  /* a file that cannot be read is reported once, not for every solver */
  scree_status status = run_solver(path, o, "nbgs", 1, 1, &r, &error);
  if (status == SCREE_E_IO || status == SCREE_E_FORMAT || status == SCREE_E_MEMORY)
    return cli_fail(cli_exit_code(status), "solve", "%s: %s", path, error.text);
  printf("\n%s\n\n| solver | 1e-4 | 1e-6 | 1e-8 |\n|---|---|---|---|\n", path);
  for (int s = 0; scree_solver_name(s); s++) {
    printf("| %s |", scree_solver_name(s));
    for (int t = 0; t < 3; t++) {
      status = run_solver(path, o, scree_solver_name(s), tolerance[t], o->iterations, &r, &error);
      if (status == SCREE_E_MEMORY) return cli_fail(CLI_IO, "solve", "%s: %s", path, error.text);
      if (status != SCREE_OK || !(r.error <= 1.01 * tolerance[t])) printf(" - |");
      else printf(" %lld, %.3g ms |", (long long)r.iterations, 1e3 * r.seconds);
    }
    printf("\n");
  }
  return CLI_OK;
}

static const char *solver_name(const void *context, int i) { return (void)context, scree_solver_name(i); }

static int check_solver(const char *name) {
  int count = 0;
  for (; scree_solver_name(count); count++)
    if (!strcmp(name, scree_solver_name(count))) return CLI_OK;
  const char *near = scree_nearest_name(name, count, solver_name, NULL);
  return cli_fail(CLI_USAGE, "solve", "there is no solver '%s'%s%s%s", name, near ? "; did you mean '" : "",
      near ? near : "", near ? "'?" : "");
}

/* Writes the text after the options, with the names of all solvers. Returns out. */
static const char *more_help(char *out, size_t size) {
  size_t used = (size_t)snprintf(out, size, "Solvers:");
  for (int i = 0; scree_solver_name(i) && used < size; i++)
    used += (size_t)snprintf(out + used, size - used, "%s %s", i ? "," : "", scree_solver_name(i));
  if (used < size)
    snprintf(out + used, size - used,
        "; docs/solvers.md says which is for what.\n"
        "Problems are written by `scree dump`, or by w:dump_problem(\"file\") in a scene or script. Files "
        "of\n"
        "FCLib (HDF5) are read where scree was built with the HDF5 library; their tolerance is that of the\n"
        "field. Exit code 0 means that the tolerance was reached, 1 that it was not.\n");
  return out;
}

int cmd_solve(int argc, char **argv) {
  options o = {.solver = "auto", .tolerance = 1e-8, .iterations = 10000, .threads = 1, .directions = 8};
  char more[1024];
  int operands = CLI_PARSE("solve", more_help(more, sizeof more), table, &o);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands < 1) return cli_fail(CLI_USAGE, "solve", "needs a stored problem");
  if (check_solver(o.solver)) return CLI_USAGE;
  if (!(o.tolerance >= 0) || o.iterations < 1 || o.threads < 1 || o.directions < 2)
    return cli_fail(CLI_USAGE, "solve", "a number is out of range");
  cli_say_former(o.solver);
  int code = CLI_OK;
  for (int i = 1; i <= operands; i++) {
    history h = {0};
    scree_problem_result result;
    scree_error error = {SCREE_OK, ""};
    if (o.table) {
      if ((code = print_table(argv[i], &o))) return code;
      continue;
    }
    scree_status status = trace_residuals(argv[i], &o, &h, &result, &error);
    if (status != SCREE_OK) return cli_fail(cli_exit_code(status), "solve", "%s: %s", argv[i], error.text);
    (o.json ? print_solve_json : print_solve_text)(argv[i], &o, &h, &result);
    if (!has_converged(&o, &result)) code = CLI_FAILED;
  }
  return code;
}
