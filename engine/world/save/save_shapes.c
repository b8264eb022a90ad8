/* Shapes in checkpoints. Every shape has a complete row, although shapes in memory may share a form or store
 * none. A geometry is written as its number in the list of hashes in world.geometries. */
#include "model/geometry/geometry.h"
#include "model/shape/kind.h"
#include "world/world.h"
#include "world/save/save.h"

#include <math.h>
#include <string.h>

/* Returns a hash of the points and triangles of a geometry. A closed wall and a solid with equal triangles
 * have different hashes. The solid has the simpler hash, because older checkpoints stored such triangles as a
 * solid. */
static uint64_t geometry_hash(const scree_geometry *g) {
  static const int32_t closed_wall = 1;
  uint64_t hash = sc_hash(SC_HASH_START, &g->type, sizeof g->type);
  hash = sc_hash(hash, g->point, (size_t)g->points * sizeof *g->point);
  hash = sc_hash(hash, g->triangle, (size_t)g->triangles * sizeof *g->triangle);
  return g->closed && !g->is_solid ? sc_hash(hash, &closed_wall, sizeof closed_wall) : hash;
}

bool sc_save_geometries(const sc_shapes *shapes, const scree_geometry ***list, int32_t *count) {
  size_t capacity = 0;
  *list = NULL, *count = 0;
  for (int32_t i = 0; i < shapes->count; i++) {
    const scree_geometry *g = sc_shapes_geometry(shapes, i);
    int32_t k = 0;
    while (k < *count && (*list)[k] != g) k++;
    if (!g || k < *count) continue;
    if (!SC_GROW(*list, capacity, (size_t)*count + 1)) return false;
    (*list)[(*count)++] = g;
  }
  return true;
}

scree_status sc_save_geometry_hashes(
    const scree_geometry *const *list, int32_t count, sc_sections *out, scree_error *error) {
  uint64_t *hash = sc_alloc((size_t)count * sizeof *hash + 1);
  if (!hash) return sc_fail(error, SCREE_E_MEMORY, "no memory to save %d hulls and meshes", count);
  for (int32_t k = 0; k < count; k++) hash[k] = geometry_hash(list[k]);
  scree_status status = sc_section_write(out, "world.geometries", hash, (size_t)count * sizeof *hash, error);
  sc_free(hash);
  return status;
}

/* Geometries are numbered from 1; 0: no geometry. */
scree_status sc_save_shapes(const scree_world *w, const scree_geometry *const *list, int32_t count,
    sc_sections *out, scree_error *error) {
  size_t bytes = (size_t)w->shapes.count * sizeof(sc_saved_shape);
  sc_saved_shape *copy = sc_alloc(bytes + 1);
  scree_status status = copy ? SCREE_OK : sc_fail(error, SCREE_E_MEMORY, "no memory to save shapes");
  for (int32_t i = 0; !status && i < w->shapes.count; i++) {
    sc_shape *shape = &copy[i].shape;
    uintptr_t number = 0;
    copy[i].body = w->shapes.row[i].body, copy[i].next = w->shapes.row[i].next;
    sc_shapes_get(&w->shapes, i, shape);
    for (int32_t k = 0; k < count; k++)
      if (list[k] == shape->geometry) number = (uintptr_t)k + 1;
    shape->geometry = (const scree_geometry *)number;
  }
  if (!status) status = sc_section_write(out, "world.shapes", copy, bytes, error);
  if (!status) status = sc_save_geometry_hashes(list, count, out, error);
  sc_free(copy);
  return status;
}

/* Saves the shapes of the bodies in `part`. The shapes of one body get consecutive rows in the checkpoint. */
scree_status sc_save_shapes_part(
    const scree_world *w, const sc_saved_part *part, sc_pieces *out, scree_error *error) {
  size_t bytes = (size_t)part->shapes * sizeof(sc_saved_shape);
  sc_saved_shape *copy = sc_alloc(bytes + 1), *to = copy;
  if (!copy) return sc_fail(error, SCREE_E_MEMORY, "no memory to save shapes");
  int32_t row = part->before_shapes;
  for (int32_t i = 0; i < part->bodies; i++)
    for (int32_t s = w->bodies.first_shape[part->own[i]]; s >= 0; s = w->shapes.row[s].next, to++) {
      row++;
      to->body = part->before_bodies + i, to->next = w->shapes.row[s].next < 0 ? -1 : row;
      sc_shapes_get(&w->shapes, s, &to->shape);
      uint32_t number = w->ranks->geometry_number(w->ranks->context, to->shape.geometry);
      to->shape.geometry = (const scree_geometry *)(uintptr_t)(number ? part->geometry[number - 1] : 0);
    }
  scree_status status = sc_pieces_put(out, "world.shapes", copy, bytes, error);
  sc_free(copy);
  return status;
}

scree_status sc_save_hold_geometries(const scree_world *w, scree_checkpoint *checkpoint, scree_error *error) {
  if (w->ranks->ranks > 1) return SCREE_OK;
  if (!sc_save_geometries(&w->shapes, &checkpoint->geometry, &checkpoint->geometries))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to save hulls and meshes");
  for (int32_t k = 0; k < checkpoint->geometries; k++) scree_geometry_retain(checkpoint->geometry[k]);
  return SCREE_OK;
}

/* ---- loading ---- */

/* Sets out[] to the geometries of the checkpoint. Finds each one by its hash among the geometries of the new
 * world. The sizes of the sections must have been checked. */
static scree_status find_geometries(const scree_world *w, const sc_save_head *h, const sc_sections *in,
    const scree_geometry **out, scree_error *error) {
  const scree_geometry **mine;
  int32_t count;
  size_t size;
  const uint64_t *hash = sc_section_find(in, "world.geometries", &size, error);
  if (!sc_save_geometries(&w->shapes, &mine, &count))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for geometries");
  scree_status status = SCREE_OK;
  for (int32_t k = 0; k < h->geometries && !status; k++) {
    out[k] = NULL;
    for (int32_t i = 0; i < count && !out[k]; i++)
      if (geometry_hash(mine[i]) == hash[k]) out[k] = mine[i];
    if (!out[k])
      status = sc_fail(error, SCREE_E_ARGUMENT,
          "a hull or mesh of the checkpoint is not among those that setup makes; make all of them in setup, "
          "a "
          "solid mesh with solid = true");
  }
  sc_free(mine);
  return status;
}

/* Returns true if sizes, pose, body and material of a saved shape are valid. */
static bool shape_fits(const sc_saved_shape *saved, const sc_save_head *h) {
  const sc_shape *s = &saved->shape;
  bool sizes = s->radius >= 0 && s->half >= 0 && s->extent[0] >= 0 && s->extent[1] >= 0 &&
      s->extent[2] >= 0 && isfinite(s->radius + s->half) && sc_save_finite(s->extent, 3) &&
      sc_save_finite(s->own, SCREE_SHAPE_OWN);
  bool bound = s->type == SCREE_HALFSPACE || (s->bound > 0 && isfinite(s->bound));
  bool links = saved->body >= 0 && saved->body < h->bodies && saved->next >= -1 && saved->next < h->shapes &&
      s->material >= 0 && s->material < h->materials;
  scree_shape_def def;
  sc_shape_sizes(s, &def);
  return sizes && bound && links && sc_shape_check(&def, NULL) == SCREE_OK &&
      sc_save_finite(s->position, 3) && sc_save_finite(s->orientation, 4);
}

static scree_status load_shape(scree_world *w, const sc_save_head *h, const unsigned char *at,
    const scree_geometry *const *geometry, scree_error *error) {
  sc_saved_shape s;
  memcpy(&s, at, sizeof s);
  uintptr_t number = (uintptr_t)s.shape.geometry;
  s.shape.geometry = number && number <= (uintptr_t)h->geometries ? geometry[number - 1] : NULL;
  if (number > (uintptr_t)h->geometries || !shape_fits(&s, h))
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's shapes are damaged");
  int32_t first = w->shapes.count ? 1 : h->shapes;
  if (!sc_shapes_reserve(&w->shapes, first, 1))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d shapes", h->shapes);
  int32_t row = sc_shapes_append(&w->shapes, s.body, &s.shape);
  w->shapes.row[row].next = s.next;
  return SCREE_OK;
}

scree_status sc_load_shapes(
    scree_world *w, const sc_save_head *h, const scree_checkpoint *from, scree_error *error) {
  const sc_sections *in = &from->sections;
  const bool held = from->geometries && from->geometries == h->geometries;
  const scree_geometry **geometry = sc_alloc((size_t)h->geometries * sizeof *geometry + 1);
  if (!geometry) return sc_fail(error, SCREE_E_MEMORY, "no memory for shapes");
  scree_status status = held ? SCREE_OK : find_geometries(w, h, in, geometry, error);
  if (held) memcpy(geometry, from->geometry, (size_t)h->geometries * sizeof *geometry);
  for (int32_t k = 0; k < h->geometries && !status; k++) scree_geometry_retain(geometry[k]);
  if (!status) {
    sc_shapes_free(&w->shapes);
    size_t size;
    const unsigned char *at = sc_section_find(in, "world.shapes", &size, error);
    for (int32_t i = 0; i < h->shapes && !status; i++, at += sizeof(sc_saved_shape))
      status = load_shape(w, h, at, geometry, error);
    for (int32_t k = 0; k < h->geometries; k++) scree_geometry_release(geometry[k]);
  }
  sc_free(geometry);
  return status;
}
