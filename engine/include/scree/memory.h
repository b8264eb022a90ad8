/* Use of memory: the heap bytes of all worlds, files and geometries of the process.
 *
 * A program that runs scripts from untrusted sources sets a limit. Allocations beyond the limit fail with
 * SCREE_E_MEMORY, as on a machine without memory. The count is global for the process. */
#ifndef SCREE_MEMORY_H
#define SCREE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

/* Sets the largest number of bytes; 0: no limit (default). */
void scree_memory_limit(size_t bytes);
/* Returns the bytes allocated by the engine. */
size_t scree_memory_used(void);
/* Sets the bytes allocated by the caller, which count too. bytes: the present total, not an increment. */
void scree_memory_beside(size_t bytes);
/* Returns the bytes left below the limit; SIZE_MAX without a limit. */
size_t scree_memory_left(void);
/* Returns whether an allocation has failed because of the limit since the last call. */
bool scree_memory_refused(void);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
