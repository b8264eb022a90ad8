/* Frames: copies of the world's state as plain arrays, sorted by body id. */
#include "model/frame.h"
#include "world/world.h"
#include "world/query/forces.h"
#include "world/bodies/rows.h"
#include "world/query/frame.h"
#include "world/account/totals.h"
#include "math/vec.h"

#include <stdlib.h>
#include <string.h>

scree_frame_buffer *scree_frame_buffer_create(void) { return sc_alloc(sizeof(scree_frame_buffer)); }

void scree_frame_buffer_destroy(scree_frame_buffer *b) {
  if (!b) return;
  void *blocks[] = {b->id, b->row, b->group, b->kind, b->radius, b->mass, b->position, b->orientation,
      b->velocity, b->spin, b->value, b->shape, b->contact, b->bond, b->inertia};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) sc_free(blocks[i]);
  sc_free(b);
}

void scree_frame_buffer_choose(scree_frame_buffer *b, const scree_frame_choice *choice) {
  SC_DEMAND(b, NULL, );
  b->has_choice = choice != NULL;
  b->choice = choice ? *choice : (scree_frame_choice){0};
}

bool sc_frame_wants(const scree_frame_buffer *b, const sc_bodies *bodies, int32_t row) {
  if (!sc_bodies_own(bodies, row)) return false;
  return !b->has_choice ||
      sc_frame_choice_has(&b->choice, sc_bodies_id(bodies, row), sc_bodies_group(bodies, row));
}

/* Grows one array to `need` rows of `width` bytes. Does not change the capacity; the caller sets the common
 * capacity after it has grown all arrays. Returns false without memory. */
static bool grow_array(void *array, size_t capacity, size_t need, size_t width) {
  return sc_grow(array, &capacity, need, width);
}

bool sc_frame_reserve(scree_frame_buffer *b, size_t bodies, size_t shapes, size_t contacts) {
  size_t n = bodies > b->bodies ? bodies + bodies / 2 + 16 : b->bodies, c = b->bodies;
  bool ok = grow_array(&b->id, c, n, sizeof *b->id) && grow_array(&b->row, c, n, sizeof *b->row) &&
      grow_array(&b->group, c, n, sizeof *b->group) && grow_array(&b->kind, c, n, sizeof *b->kind) &&
      grow_array(&b->radius, c, n, sizeof *b->radius) && grow_array(&b->mass, c, n, sizeof *b->mass) &&
      grow_array(&b->position, c, n, 3 * sizeof(double)) &&
      grow_array(&b->orientation, c, n, 4 * sizeof(double)) &&
      grow_array(&b->velocity, c, n, 3 * sizeof(double)) && grow_array(&b->spin, c, n, 3 * sizeof(double));
  if (!ok) return false;
  b->bodies = n;
  return SC_GROW(b->shape, b->shapes, shapes) && SC_GROW(b->contact, b->contacts, contacts);
}

bool sc_frame_reserve_values(scree_frame_buffer *b, const sc_bodies *of, size_t bodies) {
  return !of->columns || SC_GROW(b->value, b->values, bodies * (size_t)of->columns + 1);
}

void sc_frame_body_inertia(const sc_bodies *bodies, int32_t row, double inertia[6]) {
  memset(inertia, 0, 6 * sizeof *inertia);
  if (!(bodies->inv_mass[row] > 0)) return;
  sc_bodies_inertia(bodies, row, inertia);
  const double r = sc_bodies_ball(bodies, row), solid = 0.4 * bodies->mass[row] * r * r;
  if (r > 0 && fabs(inertia[0] - solid) <= 1e-14 * solid) memset(inertia, 0, 6 * sizeof *inertia);
}

bool sc_frame_put_inertia(scree_frame_buffer *b, size_t index, size_t count, const double inertia[6]) {
  static const double none[6];
  if (!b->frame.inertia) {
    if (!memcmp(inertia, none, sizeof none)) return true;
    if (!SC_GROW(b->inertia, b->inertia_capacity, 6 * count)) return false;
    memset(b->inertia, 0, 6 * count * sizeof *b->inertia);
    b->frame.inertia = b->inertia;
  }
  memcpy(b->inertia + 6 * index, inertia, sizeof none);
  return true;
}

static int by_id(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Copies the captured bodies of this rank, sorted by id. Returns false without memory. */
static bool copy_bodies(scree_frame_buffer *b, const scree_world *world) {
  const sc_bodies *bodies = &world->bodies;
  int32_t count = 0;
  for (int32_t row = 0; row < bodies->count; row++)
    if (sc_frame_wants(b, bodies, row)) b->id[count++] = sc_bodies_id(bodies, row);
  if (count > 1) qsort(b->id, (size_t)count, sizeof *b->id, by_id);
  b->frame.bodies = count;
  b->frame.inertia = NULL;
  double inertia[6];
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
    if (bodies->columns)
      memcpy(b->value + i * bodies->columns, sc_bodies_values(bodies, row), sc_bodies_values_size(bodies));
    sc_frame_body_inertia(bodies, row, inertia);
    if (!sc_frame_put_inertia(b, (size_t)i, (size_t)count, inertia)) return false;
  }
  return true;
}

static void copy_shapes(scree_frame_buffer *b, const scree_world *world) {
  int64_t count = 0;
  for (int64_t i = 0; i < b->frame.bodies; i++)
    for (int32_t s = world->bodies.first_shape[b->row[i]]; s >= 0; s = world->shapes.row[s].next)
      scree_world_shape(world, s, b->shape + count++);
  b->frame.shapes = count;
}

void sc_frame_copy_contacts(scree_frame_buffer *b, const scree_world *world, double (*force)[3]) {
  const int32_t count = sc_world_listed_count(world);
  for (int32_t c = 0; c < count; c++) {
    sc_listed listed;
    sc_world_listed(world, c, &listed);
    const sc_contact *contact = &listed.contact;
    scree_frame_contact *out = b->contact + c;
    out->body1 = listed.body1;
    out->body2 = listed.body2;
    sc_copy3(contact->point, out->point);
    sc_copy3(contact->normal, out->normal);
    out->gap = contact->gap;
    for (int k = 0; k < 3; k++) out->image[k] = contact->image.n[k];
    sc_copy3(listed.impulse, out->impulse);
    sc_copy3(listed.moment, out->moment);
    if (force) sc_copy3(force[c], out->force);
    else sc_set3(0, 0, 0, out->force);
  }
  b->frame.contacts = count;
  b->frame.forces = force != NULL;
}

/* Copies the impulses of bonds. Points and axes are those for the present positions of the bodies. */
static void copy_bonds(scree_frame_buffer *b, const scree_world *world) {
  const sc_bonds *bonds = &world->joints.bonds;
  sc_bond_pose pose;
  for (int32_t i = 0; i < bonds->count; i++) {
    const sc_bond *bond = bonds->row + i;
    if (!sc_bond_place(&world->bodies, bond, &pose)) continue;
    scree_frame_contact *out = b->bond + b->frame.bonds++;
    *out = (scree_frame_contact){.body1 = bond->a, .body2 = bond->b};
    sc_axpy(pose.arm1, pose.axis, world->bodies.position[pose.row1], out->point);
    sc_scale(-1, pose.axis, out->normal);
    sc_reaction mean;
    sc_world_bond_reaction(world, bond, &mean);
    sc_scale(world->def.dt, mean.force, out->impulse);
  }
}

static scree_status capture_contacts(scree_frame_buffer *b, const scree_world *world, scree_error *error) {
  sc_arena arena = {0};
  if (!SC_GROW(b->bond, b->bonds, (size_t)world->joints.bonds.count))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bonds", world->joints.bonds.count);
  copy_bonds(b, world);
  double(*force)[3];
  scree_status status = sc_world_recorded_forces(world, &arena, &force, error);
  if (status == SCREE_OK) sc_frame_copy_contacts(b, world, force);
  sc_arena_free(&arena);
  return status;
}

/* ---- capture ---- */

/* Sets *bodies and *shapes to upper bounds of the numbers of captured bodies and their shapes. */
static void count_rows(
    const scree_frame_buffer *b, const scree_world *world, size_t *bodies, size_t *shapes) {
  *bodies = (size_t)world->bodies.count, *shapes = (size_t)world->shapes.count;
  if (!b->has_choice) return;
  *bodies = *shapes = 0;
  for (int32_t row = 0; row < world->bodies.count; row++)
    if (sc_frame_wants(b, &world->bodies, row))
      ++*bodies, *shapes += (size_t)sc_shapes_of(&world->shapes, &world->bodies, row);
}

scree_status sc_frame_capture_here(
    scree_frame_buffer *b, const scree_world *world, bool with_contacts, scree_error *error) {
  size_t contacts = with_contacts ? (size_t)sc_world_listed_count(world) : 0, bodies, shapes;
  count_rows(b, world, &bodies, &shapes);
  if (!sc_frame_reserve(b, bodies, shapes, contacts) || !sc_frame_reserve_values(b, &world->bodies, bodies))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for a frame of %d bodies", world->bodies.count);
  if (!copy_bodies(b, world))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for a frame of %d bodies", world->bodies.count);
  copy_shapes(b, world);
  b->frame.contacts = b->frame.bonds = 0;
  b->frame.forces = 0;
  return with_contacts ? capture_contacts(b, world, error) : SCREE_OK;
}

const scree_frame *scree_frame_capture(
    scree_frame_buffer *b, const scree_world *world, int how, scree_error *error) {
  SC_DEMAND(b && world, error, NULL);
  bool contacts = how & SCREE_FRAME_CONTACTS;
  sc_world_settle_contacts((scree_world *)world);
  scree_status status = how & SCREE_FRAME_PART
      ? sc_frame_capture_here(b, world, contacts, error)
      : world->ranks->frame(world->ranks->context, world, contacts, b, error);
  if (status != SCREE_OK) return NULL;
  scree_frame *f = &b->frame;
  f->time = world->time;
  f->step = world->step;
  f->dt = world->def.dt;
  f->id = b->id;
  f->group = b->group;
  f->kind = b->kind;
  f->radius = b->radius;
  f->mass = b->mass;
  f->position = b->position;
  f->orientation = b->orientation;
  f->velocity = b->velocity;
  f->spin = b->spin;
  f->columns = world->bodies.columns;
  f->column = world->bodies.column;
  f->value = f->columns ? b->value : NULL;
  f->shape = b->shape;
  f->contact = b->contact;
  f->bond = b->bond;
  f->has_cell = f->images = scree_world_get_cell(world, &f->cell);
  return f;
}
