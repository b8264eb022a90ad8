/* The exchange of a problem that lies on one rank. */
#include "problem/exchange.h"

static void start_nothing(void *context, const struct sc_solver_body *body) { (void)context, (void)body; }
static bool advance_nothing(void *context, struct sc_solver_body *body) {
  return (void)context, (void)body, false;
}
static void finish_nothing(void *context, struct sc_solver_body *body) { (void)context, (void)body; }
static double return_value(void *context, double value) { return (void)context, value; }
static double decide_alone(void *context, bool first, double value) {
  return (void)context, (void)first, value;
}

const sc_exchange sc_exchange_none = {.start = start_nothing,
    .advance = advance_nothing,
    .finish = finish_nothing,
    .largest = return_value,
    .decide = decide_alone,
    .conclude = return_value};
