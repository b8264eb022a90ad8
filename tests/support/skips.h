/* Test cases that are skipped, in programs that ctest then lists as skipped. */
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

/* Returns the exit code of a program of which `failed` cases fail: 77 (SKIP_RETURN_CODE in
 * tests/CMakeLists.txt) if no case fails and some are skipped. */
static int end_with_skipped(int failed) { return failed ? failed : skipped_cases ? 77 : 0; }
