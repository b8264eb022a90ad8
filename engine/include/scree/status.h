/* Status codes and error texts. For a mistake of the programmer (a null pointer, an index that does not
 * exist, a number out of range), functions return SCREE_E_ARGUMENT. Functions without a status return 0, NULL
 * or zeros. For failures outside the library, such as files and memory, functions return a status and a text.
 * Numerical errors are numbers in a report. The library never prints and never exits. Its only global
 * variable is the count of memory (memory.h). */
#ifndef SCREE_STATUS_H
#define SCREE_STATUS_H

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_status {
  SCREE_OK = 0,
  SCREE_E_ARGUMENT, /* a value is out of range, not finite, unknown or duplicate */
  SCREE_E_STALE,    /* an id belongs to something that has been removed */
  SCREE_E_MEMORY,   /* an allocation failed */
  SCREE_E_IO,       /* the operating system refused to read or write */
  SCREE_E_FORMAT,   /* a file is damaged or not what it claims to be */
  SCREE_E_LAW,      /* a friction law of a script failed (script error, NaN) */
  SCREE_E_NUMERIC,  /* the state of the world is not finite, or a matrix is not symmetric positive definite */
  SCREE_E_MISSING   /* an optional part (program, library, feature) is missing */
} scree_status;

enum { SCREE_ERROR_TEXT = 512 };

/* Error of a function that can fail. Callers that do not need it may pass NULL. */
typedef struct scree_error {
  scree_status status;
  char text[SCREE_ERROR_TEXT];
} scree_error;

/* Returns the name of a status, e.g. "argument"; never NULL. */
const char *scree_status_name(scree_status status);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
