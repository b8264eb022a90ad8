#include "io/trajectory/geometries.h"

#include <string.h>

enum { HEAD = 16 }; /* size of the four numbers before the points [bytes] */

void sc_geometries_free(sc_geometries *table) {
  for (size_t i = 0; i < table->count; i++) scree_geometry_release(table->row[i].geometry);
  for (size_t i = 0; i < table->slots; i++) scree_geometry_release(table->seen[i].key);
  sc_free(table->row);
  sc_free(table->seen);
  memset(table, 0, sizeof *table);
}

const scree_geometry *sc_geometries_at(const sc_geometries *table, int64_t place) {
  return place >= 0 && (size_t)place < table->count ? table->row[place].geometry : NULL;
}

/* ---- bytes ---- */

bool sc_geometry_write(const scree_geometry *geometry, sc_bytes *bytes) {
  SC_ASSERT(geometry && bytes);
  const double(*point)[3];
  const int32_t(*triangle)[3];
  scree_geometry_info info;
  scree_geometry_get_info(geometry, &info);
  int64_t points = scree_geometry_points(geometry, &point),
          triangles = scree_geometry_triangles(geometry, &triangle);
  unsigned char *at = sc_bytes_take(bytes, HEAD + (size_t)points * 24 + (size_t)triangles * 12);
  if (!at) return false;
  sc_put_u32(at, (uint32_t)info.type);
  sc_put_u32(at + 4, (uint32_t)points);
  sc_put_u32(at + 8, (uint32_t)triangles);
  sc_put_u32(at + 12, 0);
  at += HEAD;
  for (int64_t i = 0; i < points * 3; i++, at += 8) sc_put_u64(at, sc_bits(point[i / 3][i % 3]));
  for (int64_t i = 0; i < triangles * 3; i++, at += 4) sc_put_u32(at, (uint32_t)triangle[i / 3][i % 3]);
  return true;
}

bool sc_geometry_same(const scree_geometry *a, const scree_geometry *b) {
  if (a == b || !a || !b) return a == b;
  const double(*p)[3], (*q)[3];
  const int32_t(*s)[3], (*t)[3];
  int64_t n = scree_geometry_points(a, &p), m = scree_geometry_triangles(a, &s);
  if (n != scree_geometry_points(b, &q) || m != scree_geometry_triangles(b, &t)) return false;
  return !memcmp(p, q, (size_t)n * sizeof *p) && !memcmp(s, t, (size_t)m * sizeof *s);
}

/* Reads points and triangles from bytes. The caller has checked their number. */
static void read_arrays(
    const unsigned char *at, int64_t points, double (*point)[3], int64_t triangles, int32_t (*triangle)[3]) {
  for (int64_t i = 0; i < points * 3; i++, at += 8) point[i / 3][i % 3] = sc_from_bits(sc_get_u64(at));
  for (int64_t i = 0; i < triangles * 3; i++, at += 4) triangle[i / 3][i % 3] = (int32_t)sc_get_u32(at);
}

static scree_geometry *make_geometry(const unsigned char *bytes, size_t count, scree_error *error) {
  uint32_t type = count >= HEAD ? sc_get_u32(bytes) : 0, points = count >= HEAD ? sc_get_u32(bytes + 4) : 0,
           triangles = count >= HEAD ? sc_get_u32(bytes + 8) : 0;
  if ((type != SCREE_HULL && type != SCREE_MESH) ||
      count != HEAD + (uint64_t)points * 24 + (uint64_t)triangles * 12) {
    sc_fail(error, SCREE_E_FORMAT, "a hull or mesh has the wrong size");
    return NULL;
  }
  double(*point)[3] = sc_alloc(((size_t)points + 1) * sizeof *point);
  int32_t(*triangle)[3] = sc_alloc(((size_t)triangles + 1) * sizeof *triangle);
  scree_geometry *made = NULL;
  if (!point || !triangle) sc_fail(error, SCREE_E_MEMORY, "out of memory for a hull or mesh");
  else {
    read_arrays(bytes + HEAD, points, point, triangles, triangle);
    scree_mesh_def def = {.points = (const double(*)[3])point,
        .points_count = points,
        .triangles = (const int32_t(*)[3])triangle,
        .triangles_count = triangles};
    made = type == SCREE_HULL ? scree_geometry_hull(def.points, points, error)
                              : scree_geometry_mesh(&def, error);
  }
  sc_free(point);
  sc_free(triangle);
  return made;
}

/* ---- the table ---- */

static bool add_row(sc_geometries *table, uint64_t hash, const scree_geometry *geometry) {
  if (!SC_GROW(table->row, table->capacity, table->count + 1)) return false;
  table->row[table->count].hash = hash;
  table->row[table->count++].geometry = geometry;
  return true;
}

/* Returns the slot of an address in the hash table, or the free slot in which it belongs. */
static size_t slot_of(const sc_geometries *table, const scree_geometry *geometry) {
  size_t at = (size_t)(((uintptr_t)geometry >> 4) * 0x9e3779b97f4a7c15ull >> 32) & (table->slots - 1);
  while (table->seen[at].key && table->seen[at].key != geometry) at = (at + 1) & (table->slots - 1);
  return at;
}

/* Doubles the hash table, so that at most half of the slots are used. Returns false if out of memory. */
static bool more_slots(sc_geometries *table) {
  sc_geometries grown = *table;
  grown.slots = table->slots ? 2 * table->slots : 16;
  grown.seen = sc_alloc(grown.slots * sizeof *grown.seen);
  if (!grown.seen) return false;
  for (size_t i = 0; i < table->slots; i++)
    if (table->seen[i].key) grown.seen[slot_of(&grown, table->seen[i].key)] = table->seen[i];
  sc_free(table->seen);
  *table = grown;
  return true;
}

/* Stores the place of a geometry under its address. The table retains the geometry, because its address must
 * not become that of another geometry. Returns false if out of memory. */
static bool store_place(sc_geometries *table, const scree_geometry *geometry, int64_t place) {
  if (2 * (table->used + 1) > table->slots && !more_slots(table)) return false;
  size_t slot = slot_of(table, geometry);
  scree_geometry_retain(geometry);
  table->seen[slot].key = geometry;
  table->seen[slot].place = place;
  table->used++;
  return true;
}

scree_status sc_geometries_read(
    sc_geometries *table, const unsigned char *bytes, size_t count, scree_error *error) {
  SC_ASSERT(table && (bytes || !count));
  scree_error why = {SCREE_OK, ""};
  scree_geometry *made = make_geometry(bytes, count, &why);
  scree_status status = made ? SCREE_OK : why.status == SCREE_E_MEMORY ? SCREE_E_MEMORY : SCREE_E_FORMAT;
  if (!add_row(table, sc_hash(SC_HASH_START, bytes, count), made)) {
    scree_geometry_release(made);
    return sc_fail(error, SCREE_E_MEMORY, "out of memory for a hull or mesh");
  }
  if (made && !store_place(table, made, (int64_t)table->count - 1))
    return sc_fail(error, SCREE_E_MEMORY, "out of memory for a hull or mesh");
  return status ? sc_fail(error, status, "%.300s", why.text) : SCREE_OK;
}

/* Returns the place of the geometry with equal contents. Adds the geometry if there is none. Returns -1 if
 * out of memory. */
static int64_t place_of_content(sc_geometries *table, const scree_geometry *geometry) {
  sc_bytes bytes = {0};
  bool ok = sc_geometry_write(geometry, &bytes);
  uint64_t hash = ok ? sc_hash(SC_HASH_START, bytes.at, bytes.count) : 0;
  sc_bytes_free(&bytes);
  if (!ok) return -1;
  for (size_t i = 0; i < table->count; i++)
    if (table->row[i].hash == hash) return (int64_t)i;
  if (!add_row(table, hash, geometry)) return -1;
  scree_geometry_retain(geometry);
  return (int64_t)table->count - 1;
}

int64_t sc_geometries_place(sc_geometries *table, const scree_geometry *geometry, bool *none) {
  SC_ASSERT(table && none);
  *none = !geometry;
  if (!geometry) return -1;
  if (table->slots) {
    size_t slot = slot_of(table, geometry);
    if (table->seen[slot].key) return table->seen[slot].place;
  }
  int64_t place = place_of_content(table, geometry);
  return place >= 0 && store_place(table, geometry, place) ? place : -1;
}

bool sc_geometries_name(sc_geometries *table, const scree_geometry *geometry, int64_t place) {
  SC_ASSERT(table && geometry && place >= 0);
  while (table->count <= (size_t)place)
    if (!add_row(table, 0, NULL)) return false;
  if (!table->row[place].geometry) {
    scree_geometry_retain(geometry);
    table->row[place].geometry = geometry;
  }
  return store_place(table, geometry, place);
}
