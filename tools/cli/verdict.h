/* Verdict on a run: its faults as text, with the likely cause (docs/solvers.md, Invalid runs). */
#ifndef CLI_VERDICT_H
#define CLI_VERDICT_H

#include "scree/scree.h"

/* largest displacement of a valid run's fastest body in a step, over the smallest bounding radius */
extern const double cli_far;

enum { CLI_FAULTS = SCREE_FAULTS + 1, CLI_CAUSE = 400, CLI_FAULT_TEXT = 200 };

typedef struct cli_verdict {
  int count; /* of faults; 0: the run is valid */
  scree_fault fault[CLI_FAULTS];
  char cause[CLI_CAUSE]; /* likely cause and remedy, one line; "" without faults */
} cli_verdict;

/* Judges the world's run so far. report is the world's present one. lost is the number of grains that
 * left servo boxes. misplaced is the warning before the first step on bodies inside walls, which is the
 * cause then; "" if there was none. Collective. */
void cli_judge(const scree_world *world, const scree_report *report, int64_t lost, const char *misplaced,
    cli_verdict *out);
/* Writes a fault as text, with its value and limit, to out and returns out. */
const char *cli_fault_words(const scree_fault *fault, char out[CLI_FAULT_TEXT]);
/* Prints a line for each fault and one for the cause to stderr. Each line of a fault begins with `head`. */
void cli_print_verdict(const cli_verdict *verdict, const char *head);

#endif
