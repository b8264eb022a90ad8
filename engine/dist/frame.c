/* Frames of a distributed world. Every rank packs its own bodies, their shapes and its contacts. All ranks
 * then merge the data of all ranks in the order of ids. */
#include "dist/calls.h"
#include "world/query/frame.h"
#include "world/account/totals.h"
#include "math/vec.h"

#include <stdlib.h>

/* A body in a message. Its shapes follow in another message, in the order of bodies. shapes: number of
 * shapes. */
typedef struct traveller {
  uint64_t id;
  int64_t group;
  double radius, mass, inertia[6], position[3], orientation[4], velocity[3], spin[3];
  int32_t kind, shapes;
} traveller;

/* A shape in a message. geometry: number of the shape's hull or mesh (sd_geometry_number), which replaces the
 * address in `info`. */
typedef struct travelling_shape {
  scree_shape_info info;
  uint64_t geometry;
} travelling_shape;

enum { PARCELS = 4 }; /* number of messages per frame: bodies, shapes, contacts, column values */
typedef struct parcels {
  void *bytes[PARCELS];
  size_t size[PARCELS];
} parcels;

static void free_parcels(parcels *p) {
  for (int k = 0; k < PARCELS; k++) sc_free(p->bytes[k]);
}

static void pack_body(const scree_world *world, int32_t row, traveller *t) {
  const sc_bodies *bodies = &world->bodies;
  *t = (traveller){.id = sc_bodies_id(bodies, row),
      .group = sc_bodies_group(bodies, row),
      .radius = bodies->radius[row],
      .kind = bodies->kind[row],
      .mass = bodies->inv_mass[row] > 0 ? bodies->mass[row] : INFINITY,
      .shapes = sc_shapes_of(&world->shapes, bodies, row)};
  sc_copy3(bodies->position[row], t->position);
  memcpy(t->orientation, bodies->orientation[row], sizeof t->orientation);
  sc_copy3(bodies->velocity[row], t->velocity);
  sc_copy3(bodies->spin[row], t->spin);
  sc_frame_body_inertia(bodies, row, t->inertia);
}

/* Packs this rank's own bodies, their shapes and column values, and its contacts. Returns false if out of
 * memory. */
static bool pack_frame(
    sd_dist *d, scree_frame_buffer *b, const scree_world *world, bool with_contacts, parcels *out) {
  const sc_bodies *bodies = &world->bodies;
  traveller *body = out->bytes[0] = sc_alloc(((size_t)bodies->count + 1) * sizeof *body);
  travelling_shape *shape = out->bytes[1] = sc_alloc(((size_t)world->shapes.count + 1) * sizeof *shape);
  const size_t contacts = (size_t)sc_world_listed_count(world);
  scree_frame_contact *contact = out->bytes[2] = sc_alloc((contacts + 1) * sizeof *contact);
  const size_t each = sc_bodies_values_size(bodies);
  unsigned char *value = out->bytes[3] = sc_alloc((size_t)bodies->count * each + 1);
  if (!body || !shape || !contact || !value || !SC_GROW(b->contact, b->contacts, contacts + 1)) return false;
  size_t count = 0, shapes = 0;
  for (int32_t row = 0; row < bodies->count; row++) {
    if (!sc_frame_wants(b, bodies, row)) continue;
    if (each) memcpy(value + count * each, sc_bodies_values(bodies, row), each);
    pack_body(world, row, body + count++);
    for (int32_t s = bodies->first_shape[row]; s >= 0; s = world->shapes.row[s].next, shapes++) {
      scree_world_shape(world, s, &shape[shapes].info);
      shape[shapes].geometry = sd_geometry_number(d, shape[shapes].info.geometry);
    }
  }
  if (with_contacts) {
    sc_frame_copy_contacts(b, world, NULL);
    memcpy(contact, b->contact, contacts * sizeof *contact);
  }
  out->size[0] = count * sizeof *body, out->size[1] = shapes * sizeof *shape;
  out->size[3] = count * each;
  out->size[2] = with_contacts ? contacts * sizeof *contact : 0;
  return true;
}

typedef struct sorted {
  uint64_t id;
  size_t body, shape;
} sorted;

static int compare_ids(const void *a, const void *b) {
  uint64_t x = ((const sorted *)a)->id, y = ((const sorted *)b)->id;
  return (x > y) - (x < y);
}

static void unpack_body(scree_frame_buffer *b, int64_t i, const traveller *t) {
  b->id[i] = t->id, b->group[i] = t->group, b->kind[i] = (uint8_t)t->kind, b->radius[i] = t->radius,
  b->mass[i] = t->mass;
  sc_copy3(t->position, b->position + 3 * i);
  memcpy(b->orientation + 4 * i, t->orientation, sizeof t->orientation);
  sc_copy3(t->velocity, b->velocity + 3 * i);
  sc_copy3(t->spin, b->spin + 3 * i);
}

/* Fills the frame of a buffer with the bodies and contacts of all ranks, bodies in the order of ids. Returns
 * false if out of memory. */
static bool unpack_frame(sd_dist *d, scree_frame_buffer *b, const sc_bodies *bodies, const parcels *all) {
  size_t count = all->size[0] / sizeof(traveller), shapes = all->size[1] / sizeof(travelling_shape),
         contacts = all->size[2] / sizeof(scree_frame_contact);
  const traveller *body = all->bytes[0];
  const travelling_shape *shape = all->bytes[1];
  const double *value = all->bytes[3];
  const size_t columns = (size_t)bodies->columns;
  sorted *order = sc_alloc((count + 1) * sizeof *order);
  bool ok = order && sc_frame_reserve(b, count, shapes, contacts) &&
      sc_frame_reserve_values(b, bodies, count);
  size_t at = 0;
  for (size_t i = 0; i < count && ok; at += (size_t)body[i].shapes, i++)
    order[i] = (sorted){body[i].id, i, at};
  if (ok && count > 1) qsort(order, count, sizeof *order, compare_ids);
  b->frame.shapes = 0;
  b->frame.inertia = NULL;
  for (size_t i = 0; i < count && ok; i++) {
    const traveller *t = body + order[i].body;
    unpack_body(b, (int64_t)i, t);
    ok = sc_frame_put_inertia(b, i, count, t->inertia);
    if (columns) memcpy(b->value + i * columns, value + order[i].body * columns, columns * sizeof *value);
    for (int32_t s = 0; s < t->shapes; s++) {
      scree_shape_info *info = b->shape + b->frame.shapes++;
      *info = shape[order[i].shape + (size_t)s].info;
      info->geometry = sd_geometry(d, (uint32_t)shape[order[i].shape + (size_t)s].geometry);
    }
  }
  if (ok && contacts) memcpy(b->contact, all->bytes[2], all->size[2]);
  b->frame.bodies = ok ? (int64_t)count : 0;
  b->frame.contacts = ok ? (int64_t)contacts : 0;
  sc_free(order);
  return ok;
}

scree_status sd_frame(
    void *context, const scree_world *world, bool with_contacts, scree_frame_buffer *b, scree_error *error) {
  sd_dist *d = context;
  parcels own = {0}, all = {0};
  scree_status status = pack_frame(d, b, world, with_contacts, &own)
      ? SCREE_OK
      : sc_fail(error, SCREE_E_MEMORY, "no memory for a frame of %d bodies", world->bodies.count);
  for (int k = 0; k < PARCELS && status == SCREE_OK; k++)
    status = sd_gather(d, own.bytes[k], own.size[k], true, &all.bytes[k], &all.size[k], error);
  if (status == SCREE_OK && !unpack_frame(d, b, &world->bodies, &all))
    status = sc_fail(error, SCREE_E_MEMORY, "no memory for a frame of all ranks");
  free_parcels(&own);
  free_parcels(&all);
  b->frame.forces = 0;
  return status;
}
