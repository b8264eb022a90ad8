/* Use of memory: the heap bytes of all worlds, files and geometries of the process.
 *
 * A program that runs scripts from untrusted sources sets a limit. Allocations beyond the limit fail with
 * SCREE_E_MEMORY, as on a machine without free memory. The count of bytes is global for the process. */
#ifndef SCREE_MEMORY_H
#define SCREE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

/* Sets the largest number of bytes that may be allocated; 0: no limit (default). */
void scree_memory_limit(size_t bytes);
/* Returns the number of bytes that the engine has allocated. */
size_t scree_memory_used(void);
/* Sets the number of bytes that the caller itself has allocated. These bytes count towards the limit. bytes:
 * the present total, not an increment. */
void scree_memory_beside(size_t bytes);
/* Returns the number of bytes that may still be allocated; SIZE_MAX without a limit. */
size_t scree_memory_left(void);
/* Returns true if an allocation has failed because of the limit since the last call. */
bool scree_memory_refused(void);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
