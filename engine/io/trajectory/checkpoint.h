/* Named sections of bytes, and the checkpoint file made of them.
 *
 * Each module writes its state into sections with names of its own ("world.bodies", "lua.state", "collide"),
 * independently of the other modules. A checkpoint is the list of sections in one container (schema CKPT). It
 * is written under a temporary name, synced and renamed; older checkpoints are kept as generations. At every
 * moment the disk has one complete checkpoint.
 *
 * Sections are raw bytes of the machine: a checkpoint serves to continue a run and is not an exchange format.
 * The container records byte order and word sizes; readers refuse files from machines where these differ. */
#ifndef SC_CHECKPOINT_H
#define SC_CHECKPOINT_H

#include "io/container/container.h"

enum { SC_SECTION_NAME = 64 }; /* largest size of a name with its final zero [bytes] */

/* One section of `size` bytes. If `packed`, `bytes` has them compressed to `stored` bytes, and adler is the
 * Adler-32 sum of the uncompressed bytes (pieces.h). */
typedef struct sc_section {
  char name[SC_SECTION_NAME];
  unsigned char *bytes;
  size_t size, stored;
  uint32_t adler;
  bool packed;
} sc_section;
/* A list of sections; a zeroed one is empty. */
typedef struct sc_sections {
  sc_section *row;
  uint64_t *key; /* [count] hash of each section's name */
  size_t count, capacity, keys;
} sc_sections;

/* Returns the section with a name; NULL if there is none (sections.c). */
sc_section *sc_section_at(const sc_sections *sections, const char *name);
/* Frees all sections. */
void sc_sections_free(sc_sections *sections);
/* Adds a section with a copy of `size` bytes (0 is allowed). Fails if a section has this name. */
scree_status sc_section_write(
    sc_sections *sections, const char *name, const void *bytes, size_t size, scree_error *error);
/* Returns the uncompressed bytes of a section, which `sections` owns, and sets *size. Returns NULL with an
 * error if there is no such section. The result is not NULL for a section of size 0. */
const void *sc_section_find(const sc_sections *sections, const char *name, size_t *size, scree_error *error);
/* Copies the uncompressed bytes of a section. Fails unless it has exactly `size` bytes. */
scree_status sc_section_read(
    const sc_sections *sections, const char *name, void *bytes, size_t size, scree_error *error);

/* Writes the sections as a container of a schema (SC_SCHEMA_...). level: compression level of zlib. Replaces
 * path atomically: temporary name, sync, rename. */
scree_status sc_sections_store(
    const sc_sections *sections, const char *path, uint32_t schema, int level, scree_error *error);
/* Reads the sections and checks every byte. Fails with SCREE_E_FORMAT if the file is unfinished or
 * damaged. */
scree_status sc_sections_load(sc_sections *sections, const char *path, uint32_t schema, scree_error *error);

/* Writes a checkpoint to path and renames older ones to path.previous, path.previous.2, ... At most `keep`
 * (>= 1) checkpoints remain, the new one included. path is relative to an open folder (AT_FDCWD: the working
 * directory). */
scree_status sc_checkpoint_save(
    const sc_sections *sections, int folder, const char *path, int keep, scree_error *error);
/* Loads the newest generation that can be read. Sets *generation (may be NULL) to 0 for path, 1 for
 * path.previous, ... If none can be read, the error says why. */
scree_status sc_checkpoint_load(sc_sections *sections, const char *path, int *generation, scree_error *error);

#endif
