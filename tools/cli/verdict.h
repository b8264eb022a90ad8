/* Verdict on a run: its faults as text, with the likely cause (docs/solvers.md, Invalid runs). */
#ifndef CLI_VERDICT_H
#define CLI_VERDICT_H

#include "scree/scree.h"

/* largest displacement of the fastest body in a step, over the smallest bounding radius, of a valid run */
extern const double cli_far;

enum { CLI_FAULTS = SCREE_FAULTS + 1, CLI_CAUSE = 400, CLI_FAULT_TEXT = 200 };

typedef struct cli_verdict {
  int count; /* number of faults; 0: the run is valid */
  scree_fault fault[CLI_FAULTS];
  char cause[CLI_CAUSE]; /* likely cause and remedy, one line; "" without faults */
} cli_verdict;

/* Judges a run and writes its faults and their likely cause to *out. report: the present report of the
 * world. lost: number of grains that left servo boxes. misplaced: the warning, before the first step, on
 * bodies inside walls; "" if there was none. An invalid run gets this warning as its cause. Collective. */
void cli_judge(const scree_world *world, const scree_report *report, int64_t lost, const char *misplaced,
    cli_verdict *out);
/* Writes a fault as text, with its value and limit, to out and returns out. */
const char *cli_fault_words(const scree_fault *fault, char out[CLI_FAULT_TEXT]);
/* Prints one line per fault, each after `head`, and one line for the cause to stderr. */
void cli_print_verdict(const cli_verdict *verdict, const char *head);

#endif
