/* Frames: a picture of the world as plain arrays sorted by id. */
#include "scree/frame.h"
#include "math/vec.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

struct scree_frame_buffer {
  scree_frame frame;
  size_t bodies, shapes, contacts; /* capacities */
  uint64_t *id;
  int32_t *row; /* rows in the order of ids */
  int64_t *group;
  uint8_t *kind;
  double *radius, *mass, *position, *orientation, *velocity, *spin;
  scree_shape_info *shape;
  scree_frame_contact *contact;
};

scree_frame_buffer *scree_frame_buffer_create(void) { return sc_alloc(sizeof(scree_frame_buffer)); }

void scree_frame_buffer_destroy(scree_frame_buffer *b) {
  if (!b) return;
  void *blocks[] = {b->id, b->row, b->group, b->kind, b->radius, b->mass, b->position, b->orientation,
      b->velocity, b->spin, b->shape, b->contact};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) sc_free(blocks[i]);
  sc_free(b);
}

/* Grows one array to hold need rows of the given width; capacity is raised by the caller when all have
 * grown. */
static bool grow(void *array, size_t capacity, size_t need, size_t width) {
  return sc_grow(array, &capacity, need, width);
}

static bool reserve(scree_frame_buffer *b, size_t bodies, size_t shapes, size_t contacts) {
  size_t n = bodies > b->bodies ? bodies + bodies / 2 + 16 : b->bodies, c = b->bodies;
  bool ok = grow(&b->id, c, n, sizeof *b->id) && grow(&b->row, c, n, sizeof *b->row) &&
      grow(&b->group, c, n, sizeof *b->group) && grow(&b->kind, c, n, sizeof *b->kind) &&
      grow(&b->radius, c, n, sizeof *b->radius) && grow(&b->mass, c, n, sizeof *b->mass) &&
      grow(&b->position, c, n, 3 * sizeof(double)) && grow(&b->orientation, c, n, 4 * sizeof(double)) &&
      grow(&b->velocity, c, n, 3 * sizeof(double)) && grow(&b->spin, c, n, 3 * sizeof(double));
  if (!ok) return false;
  b->bodies = n;
  return SC_GROW(b->shape, b->shapes, shapes) && SC_GROW(b->contact, b->contacts, contacts);
}

static int by_id(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Bodies in the order of their ids; of a spread world this rank's own. */
static void copy_bodies(scree_frame_buffer *b, const scree_world *world) {
  const sc_bodies *bodies = &world->bodies;
  int32_t count = 0;
  for (int32_t row = 0; row < bodies->count; row++)
    if (sc_bodies_own(bodies, row)) b->id[count++] = sc_bodies_id(bodies, row);
  if (count > 1) qsort(b->id, (size_t)count, sizeof *b->id, by_id);
  b->frame.bodies = count;
  for (int32_t i = 0; i < count; i++) {
    int32_t row = b->row[i] = sc_bodies_row(bodies, b->id[i]);
    b->group[i] = sc_bodies_group(bodies, row);
    b->kind[i] = bodies->kind[row];
    b->radius[i] = bodies->radius[row];
    b->mass[i] = bodies->inv_mass[row] > 0 ? bodies->mass[row] : INFINITY;
    sc_copy3(bodies->position[row], b->position + 3 * i);
    memcpy(b->orientation + 4 * i, bodies->orientation[row], 4 * sizeof(double));
    sc_copy3(bodies->velocity[row], b->velocity + 3 * i);
    sc_copy3(bodies->spin[row], b->spin + 3 * i);
  }
}

static void copy_shapes(scree_frame_buffer *b, const scree_world *world) {
  int64_t count = 0;
  for (int64_t i = 0; i < b->frame.bodies; i++)
    for (int32_t s = world->bodies.first_shape[b->row[i]]; s >= 0; s = world->shapes.row[s].next)
      scree_world_shape(world, s, b->shape + count++);
  b->frame.shapes = count;
}

static void copy_contacts(scree_frame_buffer *b, const scree_world *world, double (*force)[3]) {
  for (int32_t c = 0; c < world->contacts; c++) {
    sc_contact found, *contact = &found;
    sc_world_contact(world, c, contact);
    scree_frame_contact *out = b->contact + c;
    out->body1 = sc_bodies_id(&world->bodies, contact->body1);
    out->body2 = sc_bodies_id(&world->bodies, contact->body2);
    sc_copy3(contact->point, out->point);
    sc_copy3(contact->normal, out->normal);
    out->gap = contact->gap;
    sc_world_contact_impulse(world, c, out->impulse);
    if (force) sc_copy3(force[c], out->force);
    else sc_set3(0, 0, 0, out->force);
  }
  b->frame.contacts = world->contacts;
  b->frame.forces = force != NULL;
}

static scree_status capture_contacts(scree_frame_buffer *b, const scree_world *world, scree_error *error) {
  sc_arena arena = {0};
  double(*force)[3];
  scree_status status = sc_world_recorded_forces(world, &arena, &force, error);
  if (status == SCREE_OK) copy_contacts(b, world, force);
  sc_arena_free(&arena);
  return status;
}

/* ---- frames of worlds that are spread over ranks ---- */

/* One body as it travels, its shapes following in the same order. */
typedef struct traveller {
  uint64_t id;
  int64_t group;
  double radius, mass, position[3], orientation[4], velocity[3], spin[3];
  int32_t kind, shapes;
} traveller;

/* A shape without its geometry's address. */
typedef struct travelling_shape {
  scree_shape_info info;
  uint64_t geometry;
} travelling_shape;

typedef struct parcels {
  void *bytes[3];
  size_t size[3];
} parcels; /* bodies, shapes, contacts */

static void free_parcels(parcels *p) {
  for (int k = 0; k < 3; k++) sc_free(p->bytes[k]);
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
}

/* This rank's own bodies, their shapes, and its contacts. */
static bool pack(scree_frame_buffer *b, const scree_world *world, bool with_contacts, parcels *out) {
  const sc_bodies *bodies = &world->bodies;
  traveller *body = out->bytes[0] = sc_alloc(((size_t)bodies->count + 1) * sizeof *body);
  travelling_shape *shape = out->bytes[1] = sc_alloc(((size_t)world->shapes.count + 1) * sizeof *shape);
  scree_frame_contact *contact = out->bytes[2] = sc_alloc(((size_t)world->contacts + 1) * sizeof *contact);
  if (!body || !shape || !contact || !SC_GROW(b->contact, b->contacts, (size_t)world->contacts + 1))
    return false;
  size_t count = 0, shapes = 0;
  for (int32_t row = 0; row < bodies->count; row++) {
    if (!sc_bodies_own(bodies, row)) continue;
    pack_body(world, row, body + count++);
    for (int32_t s = bodies->first_shape[row]; s >= 0; s = world->shapes.row[s].next, shapes++) {
      scree_world_shape(world, s, &shape[shapes].info);
      shape[shapes].geometry = world->ranks->geometry_number(
          world->ranks->context, shape[shapes].info.geometry);
    }
  }
  if (with_contacts) {
    copy_contacts(b, world, NULL);
    memcpy(contact, b->contact, (size_t)world->contacts * sizeof *contact);
  }
  out->size[0] = count * sizeof *body, out->size[1] = shapes * sizeof *shape;
  out->size[2] = with_contacts ? (size_t)world->contacts * sizeof *contact : 0;
  return true;
}

typedef struct sorted {
  uint64_t id;
  size_t body, shape;
} sorted;

static void unpack_body(scree_frame_buffer *b, int64_t i, const traveller *t) {
  b->id[i] = t->id, b->group[i] = t->group, b->kind[i] = (uint8_t)t->kind, b->radius[i] = t->radius,
  b->mass[i] = t->mass;
  sc_copy3(t->position, b->position + 3 * i);
  memcpy(b->orientation + 4 * i, t->orientation, sizeof t->orientation);
  sc_copy3(t->velocity, b->velocity + 3 * i);
  sc_copy3(t->spin, b->spin + 3 * i);
}

/* All ranks' bodies in the order of ids. */
static bool unpack(scree_frame_buffer *b, const scree_world *world, const parcels *all) {
  size_t count = all->size[0] / sizeof(traveller), shapes = all->size[1] / sizeof(travelling_shape),
         contacts = all->size[2] / sizeof(scree_frame_contact);
  const traveller *body = all->bytes[0];
  const travelling_shape *shape = all->bytes[1];
  sorted *order = sc_alloc((count + 1) * sizeof *order);
  bool ok = order && reserve(b, count, shapes, contacts);
  size_t at = 0;
  for (size_t i = 0; i < count && ok; at += (size_t)body[i].shapes, i++)
    order[i] = (sorted){body[i].id, i, at};
  if (ok && count > 1) qsort(order, count, sizeof *order, by_id);
  b->frame.shapes = 0;
  for (size_t i = 0; i < count && ok; i++) {
    const traveller *t = body + order[i].body;
    unpack_body(b, (int64_t)i, t);
    for (int32_t s = 0; s < t->shapes; s++) {
      scree_shape_info *info = b->shape + b->frame.shapes++;
      *info = shape[order[i].shape + (size_t)s].info;
      info->geometry = world->ranks->geometry(
          world->ranks->context, (uint32_t)shape[order[i].shape + (size_t)s].geometry);
    }
  }
  if (ok && contacts) memcpy(b->contact, all->bytes[2], all->size[2]);
  b->frame.bodies = ok ? (int64_t)count : 0;
  b->frame.contacts = ok ? (int64_t)contacts : 0;
  sc_free(order);
  return ok;
}

static scree_status capture_ranks(
    scree_frame_buffer *b, const scree_world *world, bool with_contacts, scree_error *error) {
  parcels own = {0}, all = {0};
  scree_status status = pack(b, world, with_contacts, &own)
      ? SCREE_OK
      : sc_fail(error, SCREE_E_MEMORY, "no memory for a frame of %d bodies", world->bodies.count);
  for (int k = 0; k < 3 && status == SCREE_OK; k++)
    status = world->ranks->gather(
        world->ranks->context, own.bytes[k], own.size[k], true, &all.bytes[k], &all.size[k], error);
  if (status == SCREE_OK && !unpack(b, world, &all))
    status = sc_fail(error, SCREE_E_MEMORY, "no memory for a frame of all ranks");
  free_parcels(&own);
  free_parcels(&all);
  b->frame.forces = 0;
  return status;
}

/* ---- capturing ---- */

/* All rows that are this rank's own: of a whole world, all. */
static scree_status capture_whole(
    scree_frame_buffer *b, const scree_world *world, bool with_contacts, scree_error *error) {
  size_t contacts = with_contacts ? (size_t)world->contacts : 0;
  if (!reserve(b, (size_t)world->bodies.count, (size_t)world->shapes.count, contacts))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for a frame of %d bodies", world->bodies.count);
  copy_bodies(b, world);
  copy_shapes(b, world);
  b->frame.contacts = 0;
  b->frame.forces = 0;
  return with_contacts ? capture_contacts(b, world, error) : SCREE_OK;
}

const scree_frame *scree_frame_capture(
    scree_frame_buffer *b, const scree_world *world, int how, scree_error *error) {
  bool contacts = how & SCREE_FRAME_CONTACTS;
  sc_world_settle_contacts((scree_world *)world);
  scree_status status = sc_ranks_spread(world->ranks) && !(how & SCREE_FRAME_PART)
      ? capture_ranks(b, world, contacts, error)
      : capture_whole(b, world, contacts, error);
  if (status != SCREE_OK) return NULL;
  scree_frame *f = &b->frame;
  f->time = world->time;
  f->step = world->step;
  f->id = b->id;
  f->group = b->group;
  f->kind = b->kind;
  f->radius = b->radius;
  f->mass = b->mass;
  f->position = b->position;
  f->orientation = b->orientation;
  f->velocity = b->velocity;
  f->spin = b->spin;
  f->shape = b->shape;
  f->contact = b->contact;
  return f;
}
