/* The hulls and meshes of a file. Each is stored once; equal contents are one. Its place in the list is
 * its id.  Bytes of a geometry: u32 type (scree_shape_type), u32 points, u32 triangles, u32 0, points as
 * f64 triples, triangles as i32 triples. */
#ifndef SC_GEOMETRIES_H
#define SC_GEOMETRIES_H

#include "io/container/file.h"
#include "scree/geometry.h"

/* A zeroed table is empty. It retains every geometry in row and seen. */
typedef struct sc_geometries {
  /* [count] by place; geometry NULL: the file's bytes make no geometry, or the place was skipped */
  struct {
    uint64_t hash;
    const scree_geometry *geometry;
  } * row;
  size_t count, capacity;
  /* [slots] hash table from addresses to places, with open addressing */
  struct {
    const scree_geometry *key;
    int64_t place;
  } * seen;
  size_t slots, used;
} sc_geometries;

/* Releases all geometries and zeroes the table. */
void sc_geometries_free(sc_geometries *table);
/* Returns the place of a geometry, added if it is new; -1 if out of memory. For NULL returns -1 and sets
 * *none. */
int64_t sc_geometries_place(sc_geometries *table, const scree_geometry *geometry, bool *none);
/* Assigns a place that another process has chosen to a geometry. Returns false if out of memory. Skipped
 * places stay empty. */
bool sc_geometries_name(sc_geometries *table, const scree_geometry *geometry, int64_t place);
/* Returns the geometry at a place, NULL if there is none. */
const scree_geometry *sc_geometries_at(const sc_geometries *table, int64_t place);
/* Appends the bytes of a geometry. Returns false if out of memory. */
bool sc_geometry_write(const scree_geometry *geometry, sc_bytes *bytes);
/* Adds the geometry with these bytes of a file at the next place. If the bytes make no geometry, the place
 * stays empty and the function fails with SCREE_E_FORMAT. */
scree_status sc_geometries_read(
    sc_geometries *table, const unsigned char *bytes, size_t count, scree_error *error);
/* Returns whether two geometries have equal points and triangles. */
bool sc_geometry_same(const scree_geometry *a, const scree_geometry *b);

#endif
