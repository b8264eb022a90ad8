/* The lists of stages in docs/theory/stepping.md equal the stages that steps run: names, order, parts and
 * clocks. Clocks measure the wall time of their stages; only one clock runs at a time. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "base/stopwatch.h"
#include "scree/world.h"
#include "world/world.h"
#include "world/step/step.h"

enum { LINE = 200, TEXT = 8000 };

/* Appends one line to `out` for each stage of a table and for its parts, indented by depth. */
static void print_stages(const sc_stage *stage, int depth, char *out) {
  for (; stage->name; stage++) {
    char *end = out + strlen(out);
    assert_true(end - out + LINE < TEXT);
    if (stage->clock == SC_NO_CLOCK) snprintf(end, LINE, "%*s- `%s`\n", 2 * depth, "", stage->name);
    else snprintf(end, LINE, "%*s- `%s` (%s)\n", 2 * depth, "", stage->name, scree_stage_name(stage->clock));
    if (stage->parts) print_stages(stage->parts, depth + 1, out);
  }
}

/* Appends the list of stages under a heading of the page to `out`, without descriptions. */
static void read_list(const char *heading, char *out) {
  char line[LINE], head[LINE];
  bool inside = false;
  FILE *page = fopen(SCREE_TESTS_DIR "/../docs/theory/stepping.md", "r");
  assert_non_null(page);
  snprintf(head, sizeof head, "### %s\n", heading);
  while (fgets(line, sizeof line, page)) {
    if (line[0] == '#') inside = !strcmp(line, head);
    const char *item = line + strspn(line, " ");
    if (!inside || strncmp(item, "- `", 3)) continue;
    line[strcspn(line, ":\n")] = 0;
    assert_true(strlen(out) + LINE < TEXT);
    strcat(strcat(out, line), "\n");
  }
  fclose(page);
}

static void compare(const char *heading, const sc_stage *stages) {
  char program[TEXT] = "", page[TEXT] = "";
  print_stages(stages, 0, program);
  read_list(heading, page);
  assert_string_equal(page, program);
}

static void lists_of_the_page_are_those_of_the_program(void **state) {
  (void)state;
  compare("Every substep", sc_substep_stages);
  compare("Stepper `semi_implicit`", sc_find_stepper(SCREE_STEPPER_SEMI_IMPLICIT)->stages);
  compare("Stepper `penalty`", sc_find_stepper(SCREE_STEPPER_PENALTY)->stages);
  compare("Stepper `stewart_trinkle`", sc_find_stepper(SCREE_STEPPER_STEWART_TRINKLE)->stages);
  compare("Stepper `second_order`", sc_find_stepper(SCREE_STEPPER_SECOND_ORDER)->stages);
}

/* ---- the loop over stages ---- */

typedef struct record {
  char order[16];
  int clock[16], count, fails, ends;
} record;

static scree_status note(sc_step *step, char name, scree_error *error) {
  record *r = step->own;
  r->order[r->count] = name;
  r->clock[r->count++] = step->world->watch.running;
  if (r->count == r->ends) step->ended = true;
  return r->count == r->fails ? sc_fail(error, SCREE_E_NUMERIC, "stage %c", name) : SCREE_OK;
}
static scree_status run_a(sc_step *step, scree_error *error) { return note(step, 'a', error); }
static scree_status run_b(sc_step *step, scree_error *error) { return note(step, 'b', error); }
static scree_status run_c(sc_step *step, scree_error *error) { return note(step, 'c', error); }

static const sc_stage inner[] = {{"a", SCREE_STAGE_SOLVE, run_a}, {"b", SC_NO_CLOCK, run_b}, {NULL}};
static scree_status run_inner(sc_step *step, scree_error *error) {
  const scree_status status = sc_run_stages(step, inner, error);
  return status == SCREE_OK ? note(step, 'i', error) : status;
}
static const sc_stage outer[] = {{"c", SCREE_STAGE_BROAD, run_c}, {"i", SCREE_STAGE_NARROW, run_inner, inner},
    {"c", SC_NO_CLOCK, run_c}, {NULL}};

static record run(scree_world *world, int fails, int ends, scree_status expected) {
  record r = {.fails = fails, .ends = ends};
  sc_step step = {.world = world, .own = &r};
  scree_error error;
  assert_int_equal(sc_run_stages(&step, outer, &error), expected);
  assert_int_equal(world->watch.running, SC_NO_CLOCK);
  return r;
}

static void the_loop_switches_clocks_and_stops_at_the_first_error(void **state) {
  (void)state;
  scree_error error;
  const scree_world_def def = scree_world_defaults();
  scree_world *world = scree_world_create(&def, &error);
  assert_non_null(world);
  record r = run(world, 0, 0, SCREE_OK);
  assert_string_equal(r.order, "cabic");
  const int clock[] = {SCREE_STAGE_BROAD, SCREE_STAGE_SOLVE, SC_NO_CLOCK, SCREE_STAGE_NARROW, SC_NO_CLOCK};
  assert_memory_equal(r.clock, clock, sizeof clock);
  assert_true(world->watch.seconds[SCREE_STAGE_SOLVE] > 0);
  assert_true(world->watch.seconds[SCREE_STAGE_ASSEMBLE] == 0);
  assert_string_equal(run(world, 3, 0, SCREE_E_NUMERIC).order, "cab");
  assert_string_equal(run(world, 0, 2, SCREE_OK).order, "cai");
  scree_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists_of_the_page_are_those_of_the_program),
      cmocka_unit_test(the_loop_switches_clocks_and_stops_at_the_first_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
