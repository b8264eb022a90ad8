/* Skips test cases. ctest lists a program with skipped cases as skipped. */
#pragma once

#include <stdio.h>

static int skipped_cases;

/* Prints the reason and ends the present test case as skipped. Needs cmocka. */
#define SKIP_CASE(...) \
  do { \
    printf("skipped: " __VA_ARGS__); \
    printf("\n"); \
    skipped_cases++; \
    skip(); \
  } while (0)

/* Returns the exit code of a program with `failed` failed cases: `failed` if it is not 0; else 77 if some
 * cases were skipped (SKIP_RETURN_CODE in tests/CMakeLists.txt); else 0. */
static int end_with_skipped(int failed) { return failed ? failed : skipped_cases ? 77 : 0; }
