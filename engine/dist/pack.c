/* Bodies, states and cached contacts as bytes in messages, bit for bit. Messages contain the number of a
 * geometry (sd_geometry_number) instead of its address. */
#include "dist/dist.h"
#include "model/lookup.h"
#include "math/vec.h"
#include "scree/geometry.h"
#include "world/account/totals.h"

/* A body in a message. Its shapes and column values follow. */
typedef struct packed {
  uint32_t slot, generation;
  int32_t owner, shapes;
  int64_t group;
  uint8_t kind, replicated, pad[6];
  double state[SD_STATE], inv_mass, mass, inertia[6], inv_inertia[6], radius, ball, centre[3];
} packed;

/* ---- states ---- */

void sd_pack_state(const sc_bodies *b, int32_t row, double *out) {
  sc_copy3(b->position[row], out);
  memcpy(out + 3, b->orientation[row], 4 * sizeof *out);
  sc_copy3(b->velocity[row], out + 7);
  sc_copy3(b->spin[row], out + 10);
  memcpy(out + 13, sc_bodies_load(b, row), 6 * sizeof *out);
}

bool sd_unpack_state(const double *in, sc_bodies *b, int32_t row) {
  sc_copy3(in, b->position[row]);
  memcpy(b->orientation[row], in + 3, 4 * sizeof *in);
  sc_copy3(in + 7, b->velocity[row]);
  sc_copy3(in + 10, b->spin[row]);
  return sc_bodies_set_load(b, row, in + 13);
}

/* ---- geometry ---- */

uint32_t sd_geometry_number(void *context, const scree_geometry *geometry) {
  sd_dist *d = context;
  for (uint32_t i = 0; i < d->geometries && geometry; i++)
    if (d->geometry[i] == geometry) return i + 1;
  if (!geometry || !SC_GROW(d->geometry, d->geometry_capacity, (size_t)d->geometries + 1)) return 0;
  scree_geometry_retain(geometry);
  d->geometry[d->geometries++] = geometry;
  return d->geometries;
}

const scree_geometry *sd_geometry(void *context, uint32_t number) {
  const sd_dist *d = context;
  return number && number <= d->geometries ? d->geometry[number - 1] : NULL;
}

/* ---- bodies ---- */

bool sd_pack_body(sd_dist *d, const scree_world *world, int32_t row, sd_buffer *out) {
  const sc_bodies *b = &world->bodies;
  size_t shapes = (size_t)sc_shapes_of(&world->shapes, b, row);
  unsigned char *at = sd_append(out, sizeof(packed) + shapes * sizeof(sc_shape) + sc_bodies_values_size(b));
  if (!at) return false;
  packed p = {.slot = b->slot[row],
      .generation = b->generation[row],
      .owner = b->owner[row],
      .shapes = (int32_t)shapes,
      .group = sc_bodies_group(b, row),
      .kind = b->kind[row],
      .replicated = b->replicated[row],
      .inv_mass = b->inv_mass[row],
      .mass = b->mass[row],
      .radius = b->radius[row],
      .ball = sc_bodies_ball(b, row)};
  sd_pack_state(b, row, p.state);
  sc_copy3(sc_bodies_centre(b, row), p.centre);
  sc_bodies_inertia(b, row, p.inertia);
  sc_bodies_inverse_inertia(b, row, p.inv_inertia);
  memcpy(at, &p, sizeof p);
  at += sizeof p;
  for (int32_t s = b->first_shape[row]; s >= 0; s = world->shapes.row[s].next, at += sizeof(sc_shape)) {
    sc_shape shape;
    sc_shapes_get(&world->shapes, s, &shape);
    shape.geometry = (const scree_geometry *)(uintptr_t)sd_geometry_number(d, shape.geometry);
    memcpy(at, &shape, sizeof shape);
  }
  if (b->columns) memcpy(at, sc_bodies_values(b, row), sc_bodies_values_size(b));
  return true;
}

static bool set_row(sc_bodies *b, int32_t row, const packed *p) {
  b->owner[row] = p->owner, b->kind[row] = p->kind, b->replicated[row] = p->replicated;
  b->inv_mass[row] = p->inv_mass, b->mass[row] = p->mass, b->radius[row] = p->radius;
  return sd_unpack_state(p->state, b, row) && sc_bodies_set_group(b, row, p->group) &&
      sc_bodies_set_centre(b, row, p->centre) &&
      sc_bodies_set_inertia(b, row, p->ball > 0, p->inertia, p->inv_inertia);
}

int32_t sd_unpack_body(sd_dist *d, scree_world *world, const unsigned char **at) {
  packed p;
  memcpy(&p, *at, sizeof p);
  *at += sizeof p;
  const unsigned char *shapes = *at;
  const unsigned char *values = shapes + (size_t)p.shapes * sizeof(sc_shape);
  *at = values + sc_bodies_values_size(&world->bodies);
  int32_t row = world->bodies.distributed ? sc_lookup_find(&world->bodies, p.slot) : -1;
  bool known = row >= 0;
  if (!known &&
      (!sc_shapes_reserve(&world->shapes, p.shapes, p.shapes) ||
          (row = sc_bodies_adopt(&world->bodies, p.slot, p.generation)) < 0))
    return -1;
  if (!set_row(&world->bodies, row, &p)) return -1;
  if (world->bodies.columns)
    memcpy(sc_bodies_values(&world->bodies, row), values, sc_bodies_values_size(&world->bodies));
  for (int32_t i = 0; i < p.shapes && !known; i++) {
    sc_shape shape;
    memcpy(&shape, shapes + (size_t)i * sizeof shape, sizeof shape);
    shape.geometry = sd_geometry(d, (uint32_t)(uintptr_t)shape.geometry);
    sc_shapes_attach(&world->shapes, &world->bodies, row, &shape);
  }
  return row;
}

/* ---- cached contacts ---- */

/* Returns the number of bytes of law state that follow a record. width: number of doubles. */
static size_t state_bytes(int32_t width) { return (size_t)width * sizeof(double); }

/* Returns the number of bytes of sums over substeps that follow the law state of a record; 0 in a world
 * without substeps. */
static size_t total_bytes(const scree_world *world) { return world->totals ? sizeof(sc_total) : 0; }
bool sd_pack_record(scree_world *world, const sc_remembered *from, sd_buffer *out) {
  size_t state = state_bytes(sc_collide_stride(world->collide)), sums = total_bytes(world);
  unsigned char *at = sd_append(out, sizeof(sd_record) + state + sums);
  if (!at) return false;
  const sc_shapes *shapes = &world->shapes;
  sd_record record;
  memset(&record, 0, sizeof record);
  record.slot[0] = world->bodies.slot[shapes->row[from->shape1].body];
  record.slot[1] = world->bodies.slot[shapes->row[from->shape2].body];
  record.serial[0] = sc_shapes_serial(shapes, from->shape1),
  record.serial[1] = sc_shapes_serial(shapes, from->shape2);
  record.contact = *from, record.contact.law = NULL;
  memcpy(at, &record, sizeof record);
  if (state) memcpy(at + sizeof record, from->law, state);
  const sc_total total = sc_totals_hand_over(world, from->tag);
  if (sums) memcpy(at + sizeof record + state, &total, sums);
  return true;
}

/* Returns the index in world->shapes of the shape with a serial number in the body at a slot; -1: this rank
 * does not have the shape. */
static int32_t shape_row(const scree_world *world, uint32_t slot, uint32_t serial) {
  int32_t row = world->bodies.distributed ? sc_lookup_find(&world->bodies, slot)
                                          : (int32_t)world->bodies.slot_row[slot];
  for (int32_t s = row < 0 ? -1 : world->bodies.first_shape[row]; s >= 0; s = world->shapes.row[s].next)
    if (sc_shapes_serial(&world->shapes, s) == serial) return s;
  return -1;
}

/* Adds the sums over substeps of a received contact to world->totals. Sets *tag to their number there, 0 if
 * the contact has no sums. Returns false if out of memory. */
static bool recall_total(scree_world *world, const unsigned char *at, int32_t *tag) {
  sc_total total;
  *tag = 0;
  if (!world->totals) return true;
  memcpy(&total, at, sizeof total);
  return sc_totals_take_over(world, &total, tag);
}

scree_status sd_recall(
    scree_world *world, int32_t width, const void *bytes, size_t size, scree_error *error) {
  size_t stride = (size_t)width, each = sizeof(sd_record) + state_bytes(width) + total_bytes(world),
         count = size / each;
  sd_record *record = sc_alloc((count + 1) * sizeof *record);
  sc_remembered *memory = sc_alloc((count + 1) * sizeof *memory);
  double *state = sc_alloc((count * stride + 1) * sizeof *state);
  int32_t kept = 0;
  scree_status status = record && memory && state
      ? SCREE_OK
      : sc_fail(error, SCREE_E_MEMORY, "no memory for %zu contacts", count);
  for (size_t i = 0; i < count && status == SCREE_OK; i++) {
    const unsigned char *at = (const unsigned char *)bytes + i * each;
    memcpy(record + i, at, sizeof *record);
    if (stride) memcpy(state + i * stride, at + sizeof *record, stride * sizeof *state);
    if (!recall_total(world, at + sizeof *record + state_bytes(width), &record[i].contact.tag))
      status = sc_fail(error, SCREE_E_MEMORY, "no memory for the sums of %zu contacts", count);
    int32_t a = shape_row(world, record[i].slot[0], record[i].serial[0]),
            b = shape_row(world, record[i].slot[1], record[i].serial[1]);
    if (a < 0 || b < 0) continue;
    memory[kept] = record[i].contact;
    memory[kept].shape1 = a, memory[kept].shape2 = b, memory[kept++].law = state + i * stride;
  }
  if (status == SCREE_OK && kept)
    status = sc_collide_remember(world->collide, world->shapes.count, memory, kept, width, error);
  sc_free(record);
  sc_free(memory);
  sc_free(state);
  return status;
}
