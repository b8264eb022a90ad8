/* Handles a failure of SC_ASSERT. This is the only place where the engine prints and aborts. */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void sc_assert_failed(const char *condition, const char *file, int line, const char *function) {
  fprintf(stderr, "scree: %s:%d: %s: expected %s\n", file, line, function, condition);
  abort();
}
