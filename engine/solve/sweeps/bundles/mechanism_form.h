/* Forms of mechanisms: who is alike, and how their rows are eliminated. */
#ifndef SC_MECHANISM_FORM_H
#define SC_MECHANISM_FORM_H

#include "base/texts.h"
#include "solve/sweeps/bundles/mechanisms.h"

/* What finding forms works on. */
typedef struct sc_form_finder {
  const sc_problem *problem;
  sc_arena *arena;
  sc_texts texts;       /* bodies of every row, how many, and whether the rows hold points */
  int32_t *local;       /* per body of the problem: its number in a mechanism, or -1 */
  int32_t *text, *body; /* of the mechanism at hand */
  int32_t bodies;
  sc_mechanism_form *form;
} sc_form_finder;

/* False without memory. */
bool sc_forms_open(sc_form_finder *finder, const sc_problem *problem, sc_arena *arena);
/* The form of a mechanism of so many rows; -1 without memory. Its movable bodies are in finder->body then,
 * and behind them what cannot move. */
int32_t sc_form_of(sc_form_finder *finder, const int32_t *row, int32_t rows);

#endif
