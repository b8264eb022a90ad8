/* The list of solvers. A new solver needs its file and a line here. */
#include "solve/solver.h"

#include <string.h>

extern const sc_solver sc_solver_apgd, sc_solver_spg, sc_solver_lemke, sc_solver_ipm;

static const sc_solver *const solvers[] = {&sc_solver_nbgs, &sc_solver_pgs, &sc_solver_apgd, &sc_solver_spg,
    &sc_solver_lemke, &sc_solver_ipm, &sc_solver_newton, &sc_solver_auto};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

const sc_solver *sc_solver_at(int index) { return index >= 0 && index < SOLVERS ? solvers[index] : NULL; }

const sc_solver *sc_solver_find(const char *name) {
  SC_ASSERT(name);
  for (int i = 0; i < SOLVERS; i++)
    if (!strcmp(solvers[i]->name, name)) return solvers[i];
  return NULL;
}
