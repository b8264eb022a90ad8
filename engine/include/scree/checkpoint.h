/* Checkpoints: everything that determines the rest of a run, as named sections of bytes in one file.
 *
 * A restarted run has the same bits as a run that never stopped. The world saves its bodies, shapes, contacts
 * with their contact cache, names, rules and clocks; scripts and programs add sections of their own. A world
 * is loaded into one that was made in the same way (same def, laws, materials, hulls and meshes), because
 * callbacks and pointers are not in the file. docs/experiments.md. */
#ifndef SCREE_CHECKPOINT_H
#define SCREE_CHECKPOINT_H

#include <stddef.h>
#include "scree/world.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_checkpoint scree_checkpoint;
/* Returns an empty checkpoint; NULL if out of memory. */
scree_checkpoint *scree_checkpoint_create(void);
/* Frees a checkpoint. NULL is allowed. */
void scree_checkpoint_destroy(scree_checkpoint *checkpoint);
/* Adds a copy of bytes under an unused name of at most 63 characters. */
scree_status scree_checkpoint_put(
    scree_checkpoint *checkpoint, const char *name, const void *bytes, size_t size, scree_error *error);
/* Returns the bytes of a section; NULL and an error if there is none. */
const void *scree_checkpoint_get(
    const scree_checkpoint *checkpoint, const char *name, size_t *size, scree_error *error);
/* Writes to path atomically (temporary name, sync, rename). The keep - 1 checkpoints before it remain as
 * path.previous, path.previous.2, ...; keep >= 1. */
scree_status scree_checkpoint_write(
    const scree_checkpoint *checkpoint, const char *path, int keep, scree_error *error);
/* Writes like scree_checkpoint_write, with path relative to the open folder (AT_FDCWD: to the working
 * directory). The checkpoint reaches that folder even if its name has changed since. */
scree_status scree_checkpoint_write_at(
    const scree_checkpoint *checkpoint, int folder, const char *path, int keep, scree_error *error);
/* Reads the newest complete generation; *generation (may be NULL): 0, 1 for path.previous, and so on. Returns
 * NULL on error. */
scree_checkpoint *scree_checkpoint_read(const char *path, int *generation, scree_error *error);

/* Returns the name of the section at a place, from 0 in the order in which they were added, and sets *size to
 * its bytes; NULL past the last. */
const char *scree_checkpoint_section(const scree_checkpoint *checkpoint, int64_t place, size_t *size);
/* Properties of a saved world. */
typedef struct scree_checkpoint_info {
  double time, dt, dissipated;
  int64_t step, bodies, shapes, joints, contacts, materials;
} scree_checkpoint_info;
/* Reads the properties of a saved world. */
scree_status scree_checkpoint_about(
    const scree_checkpoint *checkpoint, scree_checkpoint_info *info, scree_error *error);

/* ---- states in memory ---- */

/* Returns the state of a world: a checkpoint without the sections of scripts, which also owns references to
 * the world's hulls and meshes until scree_checkpoint_destroy. scree_checkpoint_write writes it to a file.
 * NULL on an error. The callbacks of laws are not part of a state. Collective. */
scree_checkpoint *scree_world_save_state(const scree_world *world, scree_error *error);
/* Sets a world back to a state of its own, or to the state of a world that was made in the same way. Bodies
 * get the ids that they had. The world then steps to the same bits as the saved world did.
 * SCREE_E_ARGUMENT: the world has other laws, another stepper, plane, cell or choice of losses, lacks a hull
 * or mesh of a state from a file, or lies on several ranks. SCREE_E_FORMAT: the state is damaged. The world
 * does not change in both cases. After SCREE_E_MEMORY the world must not be stepped. */
scree_status scree_world_restore_state(scree_world *world, const scree_checkpoint *state, scree_error *error);
/* Returns a second world in the same state, with the same ids, materials, pairs and laws. Laws that the
 * program defined call the same functions with the same pointer. Functions and folders that were set by
 * scree_world_set_stop, scree_world_record_forces and scree_world_set_dump_directory are not copied. NULL on
 * an error. Refused on several ranks. */
scree_world *scree_world_clone(const scree_world *world, scree_error *error);

/* ---- worlds in checkpoints ---- */

/* Adds the sections of a world to a checkpoint. Collective. */
scree_status scree_world_save(const scree_world *world, scree_checkpoint *checkpoint, scree_error *error);
/* Loads a world from a checkpoint. Errors: SCREE_E_FORMAT (damaged, another build), SCREE_E_ARGUMENT (the
 * world was made differently). After an error the world must not be stepped. */
scree_status scree_world_load(scree_world *world, const scree_checkpoint *checkpoint, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
