/* The account of memory: everything that worlds, files and geometries of the process hold on the heap.
 *
 * A program that works for a script from a stranger sets a limit; allocations beyond it fail as those of
 * a machine without memory do, with SCREE_E_MEMORY. The account is one for the process. */
#ifndef SCREE_MEMORY_H
#define SCREE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

/* Most bytes of the account; 0: no limit, as at the start. */
void scree_memory_limit(size_t bytes);
/* What the engine holds now. */
size_t scree_memory_used(void);
/* What the caller holds beside it counts, too: the present sum, not what is added. */
void scree_memory_beside(size_t bytes);
/* What is left below the limit; SIZE_MAX without one. */
size_t scree_memory_left(void);
/* Whether an allocation has failed for the limit since the last call. */
bool scree_memory_refused(void);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
