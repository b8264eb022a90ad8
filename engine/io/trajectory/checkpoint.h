/* Named sections of bytes, and the checkpoint file made of them.
 *
 * Whoever has state writes it under a name of his own ("world.bodies", "lua.state", "collide"); nobody
 * needs to know the others. A checkpoint is the list of sections in one container (schema CKPT), written
 * under a temporary name, synced and renamed, with the one before kept as the second generation: at
 * every moment one whole checkpoint lies on the disk.
 *
 * Sections are the machine's own bytes: a checkpoint is for going on with a run, not an exchange format.
 * The container records byte order and word sizes and refuses another machine's. */
#ifndef SC_CHECKPOINT_H
#define SC_CHECKPOINT_H

#include "io/container/container.h"

enum { SC_SECTION_NAME = 64 }; /* bytes of a name with its end */

/* packed: bytes holds `stored` compressed ones of `size`, with their Adler sum (pieces.h). */
typedef struct sc_section {
  char name[SC_SECTION_NAME];
  unsigned char *bytes;
  size_t size, stored;
  uint32_t adler;
  bool packed;
} sc_section;
typedef struct sc_sections {
  sc_section *row;
  uint64_t *key; /* per row: hash of the name */
  size_t count, capacity, keys;
} sc_sections;

/* The section called name, or NULL (sections.c). */
sc_section *sc_section_at(const sc_sections *sections, const char *name);
void sc_sections_free(sc_sections *sections);
/* Adds a copy of size bytes under a name not taken yet (size may be 0). */
scree_status sc_section_write(
    sc_sections *sections, const char *name, const void *bytes, size_t size, scree_error *error);
/* Bytes of a section and their number; NULL and a text if there is none. A section of no bytes gives a
 * pointer that is not NULL. */
const void *sc_section_find(const sc_sections *sections, const char *name, size_t *size, scree_error *error);
/* Copies a section that must have exactly size bytes. */
scree_status sc_section_read(
    const sc_sections *sections, const char *name, void *bytes, size_t size, scree_error *error);

/* Writes sections as a container of a schema to path, which is replaced at once and as a whole:
 * temporary name, sync, rename. */
scree_status sc_sections_store(
    const sc_sections *sections, const char *path, uint32_t schema, int level, scree_error *error);
/* Reads them back, every byte checked; an unfinished or damaged file is SCREE_E_FORMAT. */
scree_status sc_sections_load(sc_sections *sections, const char *path, uint32_t schema, scree_error *error);

/* Generations: path, path.previous, path.previous.2, ...; keep (>= 1) of them stay. path is relative to an
 * open folder (AT_FDCWD: to the working directory). */
scree_status sc_checkpoint_save(
    const sc_sections *sections, int folder, const char *path, int keep, scree_error *error);
/* The newest whole generation: *generation from 0 (may be NULL). Where none can be read the text says why. */
scree_status sc_checkpoint_load(sc_sections *sections, const char *path, int *generation, scree_error *error);

#endif
