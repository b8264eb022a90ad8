/* Forms of mechanisms: which mechanisms have equal structure, and how their rows are eliminated. */
#ifndef SC_MECHANISM_FORM_H
#define SC_MECHANISM_FORM_H

#include "base/texts.h"
#include "solve/sweeps/bundles/mechanisms.h"

/* State of the search for forms. */
typedef struct sc_form_finder {
  const sc_problem *problem;
  sc_arena *arena;
  sc_texts texts;          /* key of each form: body numbers of all rows, number of bodies, form.points */
  int32_t *local;          /* [bodies] number within a mechanism; -1: none */
  int32_t *text;           /* key of the present mechanism, which is built here */
  int32_t *body;           /* [bodies + 1] movable bodies of the present mechanism, then an immovable body */
  int32_t bodies;          /* number of movable bodies of the present mechanism */
  sc_mechanism_form *form; /* [texts.count] forms found so far */
} sc_form_finder;

/* Allocates the state in the arena. Returns false if out of memory. */
bool sc_forms_open(sc_form_finder *finder, const sc_problem *problem, sc_arena *arena);
/* Returns the index in finder->form of a mechanism's form. Adds the form if it is new. Returns -1 if out of
 * memory. row: [rows] indices into problem.joint_row. Sets finder->body and finder->bodies. */
int32_t sc_form_of(sc_form_finder *finder, const int32_t *row, int32_t rows);

#endif
