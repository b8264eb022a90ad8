/* scree diff: prints the first frame, body and field in which two trajectories differ, and the largest
 * differences. Compares frames of equal times. */
#include "cli.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "files.h"
#include "record.h"

typedef struct options {
  int json;
  double tolerance;
} options;
static const cli_option table[] = {
    {"json", 'j', CLI_FLAG, NULL, offsetof(options, json), "print one JSON object"},
    {"tolerance", 't', CLI_NUMBER, "X", offsetof(options, tolerance),
        "values count as the same within X times the field's largest value (default 0: every bit counts)"}};

static void print_difference(const char *lead, const scree_difference *d) {
  printf("%sframe %lld", lead, (long long)d->frame);
  if (d->frame_b != d->frame) printf(" (%lld in B)", (long long)d->frame_b);
  if (d->body) printf(", body %llu", (unsigned long long)d->body);
  printf(", %s", scree_diff_field_name(d->field));
  if (d->field == SCREE_DIFF_BODY) {
    printf(": only in %s\n", d->a > 0 ? "A" : "B");
    return;
  }
  if (d->field == SCREE_DIFF_SHAPE) {
    puts(d->component ? ": differs" : ": another number of shapes");
    return;
  }
  if ((d->field >= SCREE_DIFF_POSITION && d->field <= SCREE_DIFF_SPIN) ||
      (d->field == SCREE_DIFF_COLUMN && d->body))
    printf("[%d]", d->component + 1);
  printf(": %.17g, %.17g, apart by %.3g\n", d->a, d->b, fabs(d->a - d->b));
}

static void print_diff_text(const scree_comparison *c) {
  if (c->same) {
    printf("same: %lld frames\n", (long long)c->compared);
    return;
  }
  if (c->frames_a != c->compared || c->frames_b != c->compared)
    printf("frames: %lld in A, %lld in B, %lld of the same time\n", (long long)c->frames_a,
        (long long)c->frames_b, (long long)c->compared);
  if (!c->differences) {
    if (c->compared) printf("the %lld frames that both have are the same\n", (long long)c->compared);
    else puts("no frame of A has the time of a frame of B");
    return;
  }
  print_difference("first:   ", &c->first);
  for (int field = 0; field < SCREE_DIFF_FIELDS; field++)
    if (c->largest[field].frame >= 0) print_difference("largest: ", c->largest + field);
  printf("%lld values differ in %lld frames compared\n", (long long)c->differences, (long long)c->compared);
}

static void json_difference(const scree_difference *d) {
  printf("{\"frame\": %lld, \"frame_b\": %lld, \"body\": %llu, \"field\": \"%s\", \"component\": %d",
      (long long)d->frame, (long long)d->frame_b, (unsigned long long)d->body,
      scree_diff_field_name(d->field), d->component);
  cli_json_member(stdout, "a", d->a);
  cli_json_member(stdout, "b", d->b);
  putchar('}');
}

/* Returns the step after which rigid contacts became springs in the run of a trajectory. Returns 0 if they
 * did not, or if the run has no record. */
static int64_t read_softened(const char *path) {
  cli_record record;
  return cli_read_record(path, &record) == CLI_RECORD ? record.softened : 0;
}

/* Prints " never in A" or " after step 512 in A". */
static void name_softened(const char *name, int64_t softened) {
  if (softened > 0) printf(" after step %lld in %s", (long long)softened, name);
  else printf(" never in %s", name);
}

/* Prints after which steps contacts of two runs became springs, if the steps differ. softened: step of each
 * run. */
static void compare_softened(const int64_t softened[2]) {
  if (softened[0] == softened[1]) return;
  fputs("rigid contacts became springs (solver.soften):", stdout);
  name_softened("A", softened[0]);
  putchar(',');
  name_softened("B", softened[1]);
  putchar('\n');
}

/* softened: step after which contacts became springs in A and B. */
static void print_diff_json(const scree_comparison *c, const int64_t softened[2]) {
  printf("{\"same\": %s, \"frames_a\": %lld, \"frames_b\": %lld, \"compared\": %lld, \"differences\": %lld, "
         "\"first\": ",
      c->same ? "true" : "false", (long long)c->frames_a, (long long)c->frames_b, (long long)c->compared,
      (long long)c->differences);
  if (c->first.frame >= 0) json_difference(&c->first);
  else fputs("null", stdout);
  fputs(", \"largest\": [", stdout);
  const char *comma = "";
  for (int field = 0; field < SCREE_DIFF_FIELDS; field++) {
    if (c->largest[field].frame < 0) continue;
    fputs(comma, stdout);
    json_difference(c->largest + field);
    comma = ", ";
  }
  printf("], \"softened_a\": %lld, \"softened_b\": %lld}\n", (long long)softened[0], (long long)softened[1]);
}

int cmd_diff(int argc, char **argv) {
  options o = {0};
  int operands = cli_parse(
      "diff", "exit code 0: the same; 1: different\n", table, sizeof table / sizeof *table, &o, argc, argv);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands != 2) return cli_fail(CLI_USAGE, "diff", "needs two trajectories, A and B");
  if (!(o.tolerance >= 0)) return cli_fail(CLI_USAGE, "diff", "--tolerance must not be negative");
  scree_reader *a = cli_open("diff", argv[1]), *b = a ? cli_open("diff", argv[2]) : NULL;
  scree_comparison c;
  scree_error error = {SCREE_OK, ""};
  int code = CLI_IO;
  if (a && b) {
    scree_status status = scree_compare(a, b, o.tolerance, &c, &error);
    if (status) code = cli_fail(cli_exit_code(status), "diff", "%s", error.text);
    else {
      const int64_t softened[2] = {read_softened(argv[1]), read_softened(argv[2])};
      if (o.json) print_diff_json(&c, softened);
      else print_diff_text(&c), compare_softened(softened);
      code = c.same ? CLI_OK : CLI_FAILED;
    }
  }
  scree_reader_close(a);
  scree_reader_close(b);
  return code;
}
