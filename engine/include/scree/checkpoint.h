/* Checkpoints: everything that decides the rest of a run, as named sections of bytes in one file.
 *
 * A restarted run goes on to the same bits as one that never stopped. The world saves its bodies,
 * shapes, contacts with their memory, names, rules and clocks; scripts and programs add sections of
 * their own. A world is loaded into one that was made in the same way (same def, laws, materials, hulls
 * and meshes): callbacks and pointers are not in the file. docs/experiments.md. */
#ifndef SCREE_CHECKPOINT_H
#define SCREE_CHECKPOINT_H

#include <stddef.h>
#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_checkpoint scree_checkpoint;
/* NULL without memory. */
scree_checkpoint *scree_checkpoint_create(void);
void scree_checkpoint_destroy(scree_checkpoint *checkpoint);
/* Adds a copy of bytes under a name of at most 63 characters that is not taken. */
scree_status scree_checkpoint_put(
    scree_checkpoint *checkpoint, const char *name, const void *bytes, size_t size, scree_error *error);
/* Bytes of a section; NULL and a text if there is none. */
const void *scree_checkpoint_get(
    const scree_checkpoint *checkpoint, const char *name, size_t *size, scree_error *error);
/* Writes to path as a whole (temporary name, sync, rename). The keep - 1 before it stay as
 * path.previous, path.previous.2, ...; keep from 1. */
scree_status scree_checkpoint_write(
    const scree_checkpoint *checkpoint, const char *path, int keep, scree_error *error);
/* Writes like scree_checkpoint_write, with path relative to the open folder (AT_FDCWD: to the working
 * directory). The checkpoint reaches that folder even if its name has changed since. */
scree_status scree_checkpoint_write_at(
    const scree_checkpoint *checkpoint, int folder, const char *path, int keep, scree_error *error);
/* Reads the newest whole generation; *generation (may be NULL) is 0, 1 for path.previous, and so on.
 * NULL on error. */
scree_checkpoint *scree_checkpoint_read(const char *path, int *generation, scree_error *error);

/* Name and bytes of the section at a place from 0, in the order in which they were put; NULL past the
 * last. */
const char *scree_checkpoint_section(const scree_checkpoint *checkpoint, int64_t place, size_t *size);
/* What a saved world was like. */
typedef struct scree_checkpoint_info {
  double time, dt, dissipated;
  int64_t step, bodies, shapes, joints, contacts, materials;
} scree_checkpoint_info;
scree_status scree_checkpoint_about(
    const scree_checkpoint *checkpoint, scree_checkpoint_info *info, scree_error *error);

scree_status scree_world_save(const scree_world *world, scree_checkpoint *checkpoint, scree_error *error);
/* Errors: SCREE_E_FORMAT (damaged, another build), SCREE_E_ARGUMENT (the world was made differently).
 * After an error the world must not be stepped. */
scree_status scree_world_load(scree_world *world, const scree_checkpoint *checkpoint, scree_error *error);

#ifdef __cplusplus
}
#endif
#endif
