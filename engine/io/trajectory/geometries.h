/* The hulls and meshes of a file. Geometries with equal contents are stored once. The place of a geometry is
 * its index in the list of the file, from 0.  Bytes of a geometry: u32 type (scree_shape_type), u32 points,
 * u32 triangles, u32 0, points as f64 triples, triangles as i32 triples. */
#ifndef SC_GEOMETRIES_H
#define SC_GEOMETRIES_H

#include "io/container/file.h"
#include "scree/geometry.h"

/* The table of a file's geometries. A zeroed table is empty. The table retains every geometry in row and
 * seen. */
typedef struct sc_geometries {
  /* [count] hash of the contents, and geometry at each place. NULL: the bytes of the file make no geometry,
   * or the place is not used. */
  struct {
    uint64_t hash;
    const scree_geometry *geometry;
  } * row;
  size_t count, capacity;
  /* [slots] hash table from the address of a geometry to its place, with open addressing */
  struct {
    const scree_geometry *key;
    int64_t place;
  } * seen;
  size_t slots, used;
} sc_geometries;

/* Releases all geometries and zeroes the table. */
void sc_geometries_free(sc_geometries *table);
/* Returns the place of a geometry. Adds the geometry if its contents are new. Returns -1 if out of memory.
 * For NULL sets *none and returns -1. */
int64_t sc_geometries_place(sc_geometries *table, const scree_geometry *geometry, bool *none);
/* Stores a geometry at a place that another process has chosen. Lower places without a geometry stay empty.
 * Returns false if out of memory. */
bool sc_geometries_name(sc_geometries *table, const scree_geometry *geometry, int64_t place);
/* Returns the geometry at a place; NULL if there is none. */
const scree_geometry *sc_geometries_at(const sc_geometries *table, int64_t place);
/* Appends the bytes of a geometry to `bytes`. Returns false if out of memory. */
bool sc_geometry_write(const scree_geometry *geometry, sc_bytes *bytes);
/* Makes a geometry from the bytes of a file and adds it at the next place. If the bytes make no geometry, the
 * place stays empty and the function fails with SCREE_E_FORMAT. */
scree_status sc_geometries_read(
    sc_geometries *table, const unsigned char *bytes, size_t count, scree_error *error);
/* Returns whether two geometries have equal points and triangles. */
bool sc_geometry_same(const scree_geometry *a, const scree_geometry *b);

#endif
