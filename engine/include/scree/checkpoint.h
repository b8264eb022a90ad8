/* Checkpoints: everything that determines the rest of a run, as named sections of bytes in one file.
 *
 * A restarted run computes the same bits as a run that never stopped. The world saves its bodies, shapes,
 * contacts with the contact cache, names, rules and clocks. Scripts and programs add their own sections. A
 * checkpoint is loaded into a world that was created in the same way, with the same definition, laws,
 * materials, hulls and meshes. This is necessary because the file contains neither callbacks nor pointers.
 * See docs/experiments.md. */
#ifndef SCREE_CHECKPOINT_H
#define SCREE_CHECKPOINT_H

#include <stddef.h>
#include "scree/world.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_checkpoint scree_checkpoint;
/* Returns an empty checkpoint, or NULL without memory. */
scree_checkpoint *scree_checkpoint_create(void);
/* Frees a checkpoint. NULL is allowed. */
void scree_checkpoint_destroy(scree_checkpoint *checkpoint);
/* Adds a section with a copy of `size` bytes. name: at most 63 characters, not in use. */
scree_status scree_checkpoint_put(
    scree_checkpoint *checkpoint, const char *name, const void *bytes, size_t size, scree_error *error);
/* Returns the bytes of a section and sets *size. Returns NULL and an error if there is no such section. */
const void *scree_checkpoint_get(
    const scree_checkpoint *checkpoint, const char *name, size_t *size, scree_error *error);
/* Writes a checkpoint to `path` atomically (temporary name, sync, rename). The keep - 1 checkpoints before it
 * remain as path.previous, path.previous.2, ...; keep >= 1. */
scree_status scree_checkpoint_write(
    const scree_checkpoint *checkpoint, const char *path, int keep, scree_error *error);
/* Writes a checkpoint like scree_checkpoint_write. folder: descriptor of an open folder, or AT_FDCWD for the
 * working directory. path: relative to this folder. The checkpoint is written into the folder even if the
 * folder has been renamed since it was opened. */
scree_status scree_checkpoint_write_at(
    const scree_checkpoint *checkpoint, int folder, const char *path, int keep, scree_error *error);
/* Reads the newest complete checkpoint of `path`. *generation: 0 for path, 1 for path.previous, and so on;
 * generation may be NULL. Returns NULL on error. */
scree_checkpoint *scree_checkpoint_read(const char *path, int *generation, scree_error *error);

/* Returns the name of a section and sets *size to its number of bytes. place: index in the order in which
 * sections were added. Returns NULL for an index past the last section. */
const char *scree_checkpoint_section(const scree_checkpoint *checkpoint, int64_t place, size_t *size);
/* Properties of a saved world: its time and time step [s], its dissipated energy [J], the number of steps so
 * far, and the numbers of its bodies, shapes, joints, contacts and materials. softened: step after which
 * rigid contacts became springs (scree_solver_def.soften); 0: no contacts changed. */
typedef struct scree_checkpoint_info {
  double time, dt, dissipated;
  int64_t step, bodies, shapes, joints, contacts, materials, softened;
} scree_checkpoint_info;
/* Reads the properties of a saved world into *info. */
scree_status scree_checkpoint_about(
    const scree_checkpoint *checkpoint, scree_checkpoint_info *info, scree_error *error);

/* ---- states in memory ---- */

/* Returns the state of a world. It is a checkpoint without the sections of scripts. It also owns references
 * to the world's hulls and meshes until scree_checkpoint_destroy. scree_checkpoint_write can write it to a
 * file. The callbacks of laws are not part of it. Returns NULL on an error. Collective. */
scree_checkpoint *scree_world_save_state(const scree_world *world, scree_error *error);
/* Restores a world to one of its former states, or to the state of a world that was created in the same way.
 * Bodies get the ids that they had. The world then computes the same bits as the saved world did. Returns
 * SCREE_E_ARGUMENT if the world has other laws, or another stepper, plane, cell or setting `losses`. Also
 * returns it if the state comes from a file and the world lacks one of its hulls or meshes, or if the world
 * is on several ranks. Returns SCREE_E_FORMAT if the state is damaged. In both cases the world does not
 * change. After SCREE_E_MEMORY the world must not be stepped. */
scree_status scree_world_restore_state(scree_world *world, const scree_checkpoint *state, scree_error *error);
/* Returns a copy of a world with the same state, ids, materials, pairs and laws. Laws that the program
 * defined call the same functions with the same pointer. Settings of scree_world_set_stop,
 * scree_world_record_forces and scree_world_set_dump_directory are not copied. Returns NULL on an error, or
 * if the world is on several ranks. */
scree_world *scree_world_clone(const scree_world *world, scree_error *error);

/* ---- worlds in checkpoints ---- */

/* Adds the sections of a world to a checkpoint. Collective. */
scree_status scree_world_save(const scree_world *world, scree_checkpoint *checkpoint, scree_error *error);
/* Loads a world from a checkpoint. Returns SCREE_E_FORMAT if the checkpoint is damaged or from another build,
 * and SCREE_E_ARGUMENT if the world was created in another way. After an error the world must not be
 * stepped. */
scree_status scree_world_load(scree_world *world, const scree_checkpoint *checkpoint, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
