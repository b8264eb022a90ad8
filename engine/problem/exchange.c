/* The exchange of a problem that lies on one rank. */
#include "problem/exchange.h"

static void start(void *context, const struct sc_solver_body *body) { (void)context, (void)body; }
static bool advance(void *context, struct sc_solver_body *body) { return (void)context, (void)body, false; }
static void finish(void *context, struct sc_solver_body *body) { (void)context, (void)body; }
static double own(void *context, double value) { return (void)context, value; }
static double decide(void *context, bool first, double value) { return (void)context, (void)first, value; }

const sc_exchange sc_exchange_none = {
    .start = start, .advance = advance, .finish = finish, .largest = own, .decide = decide, .conclude = own};
