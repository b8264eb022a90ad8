/* The hulls and meshes of a file: each kept once, told apart by content, named by its place.
 *
 * Bytes of one: u32 type (scree_shape_type), u32 points, u32 triangles, u32 0, points as f64 triples,
 * triangles as i32 triples. */
#ifndef SC_GEOMETRIES_H
#define SC_GEOMETRIES_H

#include "io/container/file.h"
#include "scree/geometry.h"

typedef struct sc_geometries {
  /* one share each; geometry NULL where the file's could not be made */
  struct {
    uint64_t hash;
    const scree_geometry *geometry;
  } * row;
  size_t count, capacity;
  struct {
    const scree_geometry *key;
    int64_t place;
  } * seen; /* open addressing, keys hold a share */
  size_t slots, used;
} sc_geometries;

void sc_geometries_free(sc_geometries *table);
/* Place of a geometry, entered where it is new; -1 without memory. NULL has no place: also -1, with
 * *none set. */
int64_t sc_geometries_place(sc_geometries *table, const scree_geometry *geometry, bool *none);
/* Gives a geometry a place that another process has found; false without memory. Places that are skipped
 * stay empty. */
bool sc_geometries_name(sc_geometries *table, const scree_geometry *geometry, int64_t place);
/* The one at a place, NULL for a place that is not there. */
const scree_geometry *sc_geometries_at(const sc_geometries *table, int64_t place);
/* Appends the bytes of a geometry. False without memory. */
bool sc_geometry_write(const scree_geometry *geometry, sc_bytes *bytes);
/* Enters what the bytes of a file say, at the next place. Bytes that make no geometry leave an empty
 * place (SCREE_E_FORMAT). */
scree_status sc_geometries_read(
    sc_geometries *table, const unsigned char *bytes, size_t count, scree_error *error);
/* True if two geometries have the same type, points and triangles. */
bool sc_geometry_same(const scree_geometry *a, const scree_geometry *b);

#endif
