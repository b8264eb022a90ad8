/* Checkpoints of worlds.
 *
 * Purpose: a restart to the same bits. In and out: plain bytes of the arrays that decide later results, one section each:
 *   world.head      counts, clocks, energies, gravity and step
 *   world.<array>   one section for each array of the bodies, in rows; slots with generations and the free list, so that ids stay
 *   world.shapes    rows of shapes; a geometry is written as its number in world.geometries
 *   world.geometries  one hash of the corners for each geometry in use
 *   world.names, world.materials, world.rules, world.table, world.joints
 *   world.collide   neighbour list and contact memory
 * Pointers are never written: laws are checked by number and name, geometries are found again among those that the fresh world's
 * shapes hold. */
#include "scree/checkpoint.h"
#include "io/checkpoint.h"
#include "model/geometry.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct scree_checkpoint { sc_sections sections; };

scree_checkpoint *scree_checkpoint_create(void) { return sc_alloc(sizeof(scree_checkpoint)); }

void scree_checkpoint_destroy(scree_checkpoint *checkpoint) {
  if (checkpoint) sc_sections_free(&checkpoint->sections);
  sc_free(checkpoint);
}

scree_status scree_checkpoint_put(scree_checkpoint *checkpoint, const char *name, const void *bytes, size_t size,
    scree_error *error) {
  return sc_section_write(&checkpoint->sections, name, bytes, size, error);
}

const void *scree_checkpoint_get(const scree_checkpoint *checkpoint, const char *name, size_t *size, scree_error *error) {
  return sc_section_find(&checkpoint->sections, name, size, error);
}

scree_status scree_checkpoint_write(const scree_checkpoint *checkpoint, const char *path, int keep, scree_error *error) {
  if (keep < 1) return sc_fail(error, SCREE_E_ARGUMENT, "a checkpoint keeps at least 1 generation, not %d", keep);
  return sc_checkpoint_save(&checkpoint->sections, path, keep, error);
}

scree_checkpoint *scree_checkpoint_read(const char *path, int *generation, scree_error *error) {
  scree_checkpoint *checkpoint = scree_checkpoint_create();
  if (!checkpoint) sc_fail(error, SCREE_E_MEMORY, "no memory for a checkpoint");
  else if (!sc_checkpoint_load(&checkpoint->sections, path, generation, error)) return checkpoint;
  scree_checkpoint_destroy(checkpoint);
  return NULL;
}

const char *scree_checkpoint_section(const scree_checkpoint *checkpoint, int64_t place, size_t *size) {
  if (place < 0 || (uint64_t)place >= checkpoint->sections.count) return NULL;
  *size = checkpoint->sections.row[place].size;
  return checkpoint->sections.row[place].name;
}

/* ---- what is in it ---- */

/* Plain numbers of the world. */
typedef struct head {
  int32_t bodies, shapes, names, materials, rules, laws, user_laws, geometries, state_stride, joints;
  uint32_t slots_count, free_slot;
  uint64_t shape_bytes, version, fills, joint_serial;
  int64_t step, iterations;
  double time, dissipated, residual_scale, penetration, elastic, stable_dt, sliding_loss, contact_age;
  double gravity[3], dt, seconds[SCREE_STAGES];
} head;

/* Arrays of the bodies that lie in memory as they are saved, with the bytes of one row. */
typedef struct stretch { const char *name; void **array; size_t size; bool slots; } stretch;
enum { STRETCHES = 12 };

static void lay_out(sc_bodies *b, stretch out[STRETCHES]) {
  const stretch all[STRETCHES] = {
    { "world.position", (void **)&b->position, sizeof *b->position, false },
        { "world.orientation", (void **)&b->orientation, sizeof *b->orientation, false },
    { "world.velocity", (void **)&b->velocity, sizeof *b->velocity, false },
        { "world.spin", (void **)&b->spin, sizeof *b->spin, false },
    { "world.inv_mass", (void **)&b->inv_mass, sizeof *b->inv_mass, false },
        { "world.mass", (void **)&b->mass, sizeof *b->mass, false },
    { "world.radius", (void **)&b->radius, sizeof *b->radius, false },
    { "world.kind", (void **)&b->kind, sizeof *b->kind, false },
    { "world.first_shape", (void **)&b->first_shape, sizeof *b->first_shape, false },
        { "world.slot", (void **)&b->slot, sizeof *b->slot, false },
    { "world.slot_row", (void **)&b->slot_row, sizeof *b->slot_row, true },
    { "world.slot_generation", (void **)&b->slot_generation, sizeof *b->slot_generation, true },
  };
  memcpy(out, all, sizeof all);
}

/* Properties of a body that lie elsewhere or nowhere where they are nothing (model/bodies.h), one section each. */
typedef struct property {
  const char *name;
  size_t size;
  void (*get)(const scree_world *w, int32_t row, void *out);
} property;

static void get_force(const scree_world *w, int32_t row, void *out) { memcpy(out, sc_bodies_load(&w->bodies, row), 3 * sizeof(double)); }
static void get_torque(const scree_world *w, int32_t row, void *out) {
  memcpy(out, sc_bodies_load(&w->bodies, row) + 3, 3 * sizeof(double));
}
static void get_inertia(const scree_world *w, int32_t row, void *out) { sc_bodies_inertia(&w->bodies, row, out); }
static void get_inverse(const scree_world *w, int32_t row, void *out) { sc_bodies_inverse_inertia(&w->bodies, row, out); }
static void get_ball(const scree_world *w, int32_t row, void *out) { *(double *)out = sc_bodies_ball(&w->bodies, row); }
static void get_group(const scree_world *w, int32_t row, void *out) { *(int64_t *)out = sc_bodies_group(&w->bodies, row); }
static void get_shapes(const scree_world *w, int32_t row, void *out) { *(int32_t *)out = sc_shapes_of(&w->shapes, &w->bodies, row); }

enum { FORCE, TORQUE, INERTIA, INVERSE, BALL, GROUP, SHAPES, PROPERTIES };
static const property properties[PROPERTIES] = {
  [FORCE] = { "world.force", 3 * sizeof(double), get_force }, [TORQUE] = { "world.torque", 3 * sizeof(double), get_torque },
  [INERTIA] = { "world.inertia", 6 * sizeof(double), get_inertia },
  [INVERSE] = { "world.inv_inertia", 6 * sizeof(double), get_inverse }, [BALL] = { "world.ball", sizeof(double), get_ball },
  [GROUP] = { "world.group", sizeof(int64_t), get_group }, [SHAPES] = { "world.shapes_count", sizeof(int32_t), get_shapes },
};

/* A shape with the links of its row. */
typedef struct saved_shape { int32_t body, next; sc_shape shape; } saved_shape;

static uint64_t geometry_hash(const scree_geometry *g) {
  uint64_t hash = sc_hash(SC_HASH_START, &g->type, sizeof g->type);
  hash = sc_hash(hash, g->point, (size_t)g->points * sizeof *g->point);
  return sc_hash(hash, g->triangle, (size_t)g->triangles * sizeof *g->triangle);
}

/* Distinct geometries in the order in which shapes hold them; false without memory. */
static bool geometries_of(const sc_shapes *shapes, const scree_geometry ***list, int32_t *count) {
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

scree_status scree_checkpoint_about(const scree_checkpoint *checkpoint, scree_checkpoint_info *info, scree_error *error) {
  head h;
  size_t size;
  scree_status status = sc_section_read(&checkpoint->sections, "world.head", &h, sizeof h, error);
  const void *bytes = status ? NULL : sc_section_find(&checkpoint->sections, "world.collide", &size, error);
  if (status || !bytes) return status ? status : SCREE_E_FORMAT;
  *info = (scree_checkpoint_info){ .time = h.time, .dt = h.dt, .dissipated = h.dissipated, .step = h.step, .bodies = h.bodies,
      .shapes = h.shapes,
                                   .joints = h.joints, .contacts = sc_collide_saved_contacts(bytes, size),
                                       .materials = h.materials };
  return SCREE_OK;
}

/* ---- saving ---- */

static void fill_head(const scree_world *w, int32_t geometries, head *h) {
  *h = (head){ .bodies = w->bodies.count, .shapes = w->shapes.count, .names = w->names, .materials = w->pairs.materials,
      .rules = w->pairs.rules,
    .laws = w->laws, .user_laws = w->user_laws, .geometries = geometries, .state_stride = w->state_stride,
    .joints = w->joints.count, .joint_serial = w->joints.serial, .slots_count = w->bodies.slots_count,
    .free_slot = w->bodies.free_slot, .shape_bytes = sizeof(saved_shape), .version = w->version, .fills = w->fills, .step = w->step,
    .iterations = w->iterations, .time = w->time, .dissipated = w->dissipated, .residual_scale = w->residual_scale,
        .penetration = w->penetration,
    .elastic = w->elastic, .stable_dt = w->stable_dt, .sliding_loss = w->sliding_loss, .contact_age = w->contact_age,
        .dt = w->def.dt };
  memcpy(h->gravity, w->def.gravity, sizeof h->gravity);
  memcpy(h->seconds, w->seconds, sizeof h->seconds);
}

/* Shapes with geometries as numbers from 1. */
static scree_status save_shapes(const scree_world *w, const scree_geometry *const *list, int32_t count, sc_sections *out,
    scree_error *error) {
  size_t bytes = (size_t)w->shapes.count * sizeof(saved_shape);
  saved_shape *copy = sc_alloc(bytes + 1);
  uint64_t *hash = sc_alloc((size_t)count * sizeof *hash + 1);
  scree_status status = copy && hash ? SCREE_OK : sc_fail(error, SCREE_E_MEMORY, "no memory to save shapes");
  for (int32_t k = 0; !status && k < count; k++) hash[k] = geometry_hash(list[k]);
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
  if (!status) status = sc_section_write(out, "world.geometries", hash, (size_t)count * sizeof *hash, error);
  sc_free(copy);
  sc_free(hash);
  return status;
}

static scree_status save_collide(const scree_world *w, sc_sections *out, scree_error *error) {
  void *bytes = NULL;
  size_t count = 0;
  scree_status status = sc_collide_save(w->collide, &w->shapes, &bytes, &count);
  status = status ? sc_fail(error, status, "no memory to save contacts")
      : sc_section_write(out, "world.collide", bytes, count, error);
  sc_free(bytes);
  return status;
}

static scree_status save_properties(const scree_world *w, sc_sections *out, scree_error *error) {
  size_t rows = (size_t)w->bodies.count;
  unsigned char *block = sc_alloc(rows * 6 * sizeof(double) + 1);
  scree_status status = block ? SCREE_OK : sc_fail(error, SCREE_E_MEMORY, "no memory to save %d bodies", w->bodies.count);
  for (int k = 0; k < PROPERTIES && !status; k++) {
    const property *p = properties + k;
    for (size_t row = 0; row < rows; row++) p->get(w, (int32_t)row, block + row * p->size);
    status = sc_section_write(out, p->name, block, rows * p->size, error);
  }
  sc_free(block);
  return status;
}

static scree_status save_whole(const scree_world *w, scree_checkpoint *checkpoint, scree_error *error) {
  sc_sections *out = &checkpoint->sections;
  const scree_geometry **list;
  int32_t geometries;
  stretch part[STRETCHES];
  head h;
  if (!geometries_of(&w->shapes, &list, &geometries)) return sc_fail(error, SCREE_E_MEMORY, "no memory to save shapes");
  fill_head(w, geometries, &h);
  lay_out((sc_bodies *)&w->bodies, part);
  scree_status status = sc_section_write(out, "world.head", &h, sizeof h, error);
  for (int k = 0; k < STRETCHES && !status; k++)
    status = sc_section_write(out, part[k].name, *part[k].array,
        part[k].size * (part[k].slots ? h.slots_count : (size_t)h.bodies), error);
  if (!status) status = save_properties(w, out, error);
  if (!status) status = save_shapes(w, list, geometries, out, error);
  sc_free(list);
  const sc_pairs *p = &w->pairs;
  if (!status) status = sc_section_write(out, "world.names", w->name, (size_t)w->names * sizeof *w->name, error);
  if (!status) status = sc_section_write(out, "world.materials", p->material, (size_t)p->materials * sizeof *p->material, error);
  if (!status) status = sc_section_write(out, "world.rules", p->rule, (size_t)p->rules * sizeof *p->rule, error);
  if (!status)
    status = sc_section_write(out, "world.table", p->table, (size_t)p->materials * (size_t)p->materials * sizeof *p->table, error);
  if (!status)
    status = sc_section_write(out, "world.joints", w->joints.row, (size_t)w->joints.count * sizeof *w->joints.row, error);
  if (!status) status = sc_section_write(out, "world.blows", w->blow, (size_t)w->blows * sizeof *w->blow, error);
  return status ? status : save_collide(w, out, error);
}

/* On several ranks the whole is put together on rank 0, as one rank would save it. */
scree_status scree_world_save(const scree_world *w, scree_checkpoint *checkpoint, scree_error *error) {
  if (!w->ranks) return save_whole(w, checkpoint, error);
  scree_world *whole;
  scree_status status = w->ranks->collect(w->ranks->context, w, &whole, error);
  if (status == SCREE_OK && whole) status = save_whole(whole, checkpoint, error);
  w->ranks->collect_free(whole);
  return status;
}

/* ---- loading ---- */

static scree_status check_head(const scree_world *w, const head *h, scree_error *error) {
  if (h->shape_bytes != sizeof(saved_shape) || h->bodies < 0 || h->shapes < 0 || h->names < 0 || h->materials < 1 || h->rules < 1 ||
      h->geometries < 0 || h->joints < 0 ||
      (uint32_t)h->bodies > h->slots_count)
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint is damaged or from another build");
  if (h->laws != w->laws || h->user_laws != w->user_laws)
    return sc_fail(error, SCREE_E_ARGUMENT, "the checkpoint knows %d laws, %d of them from scripts; this world has %d and %d",
        h->laws, h->user_laws, w->laws, w->user_laws);
  return SCREE_OK;
}

/* Every section has the size that the counts of the head announce: nothing is allocated on the word of the head alone. */
static scree_status check_sizes(const head *h, const sc_sections *in, scree_error *error) {
  const size_t bodies = (size_t)h->bodies, materials = (size_t)h->materials;
  const struct { const char *name; size_t bytes; } wanted[] = {
    { "world.position", bodies * sizeof(double[3]) }, { "world.slot", bodies * sizeof(uint32_t) },
        { "world.slot_row", (size_t)h->slots_count * sizeof(uint32_t) },
    { "world.shapes", (size_t)h->shapes * sizeof(saved_shape) }, { "world.geometries", (size_t)h->geometries * sizeof(uint64_t) },
    { "world.names", (size_t)h->names * sizeof(sc_body_name) }, { "world.materials", materials * sizeof(sc_material) },
    { "world.rules", (size_t)h->rules * sizeof(sc_rule) }, { "world.table", materials * materials * sizeof(int32_t) },
    { "world.joints", (size_t)h->joints * sizeof(sc_joint) },
  };
  for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
    size_t size;
    if (!sc_section_find(in, wanted[k].name, &size, error)) return SCREE_E_FORMAT;
    if (size != wanted[k].bytes)
      return sc_fail(error, SCREE_E_FORMAT, "section '%s' has %zu bytes, not %zu", wanted[k].name, size, wanted[k].bytes);
  }
  return SCREE_OK;
}

/* Whether a stretch of doubles holds finite numbers only. */
static bool all_finite(const void *values, size_t count) {
  const double *at = values;
  for (size_t i = 0; i < count; i++)
    if (!isfinite(at[i])) return false;
  return true;
}

/* Rows and slots point at each other, the free slots form a list that ends, and what moves is finite. */
static bool bodies_fit(const sc_bodies *b, int32_t shapes) {
  size_t n = (size_t)b->count;
  for (int32_t row = 0; row < b->count; row++)
    if (b->slot[row] >= b->slots_count || b->slot_row[b->slot[row]] != (uint32_t)row || b->first_shape[row] < -1 ||
        b->first_shape[row] >= shapes || b->kind[row] > SCREE_FIXED)
      return false;
  uint32_t free_slots = 0;
  for (uint32_t slot = b->free_slot; slot != UINT32_MAX && b->slots_count; slot = b->slot_row[slot])
    if (slot >= b->slots_count || ++free_slots > b->slots_count - (uint32_t)b->count) return false;
  return all_finite(b->position, 3 * n) && all_finite(b->orientation, 4 * n) && all_finite(b->velocity, 3 * n) &&
      all_finite(b->spin, 3 * n) && all_finite(b->inv_mass, n);
}

/* The shapes of a body form a list of the announced length. */
static bool chains_fit(const sc_bodies *b, const sc_shapes *shapes, const int32_t *count) {
  int64_t seen = 0;
  for (int32_t row = 0; row < b->count; row++) {
    int32_t length = 0, at = b->first_shape[row];
    for (; at >= 0 && length < count[row] && shapes->row[at].body == row; at = shapes->row[at].next) length++;
    if (at >= 0 || length != count[row]) return false;
    seen += length;
  }
  return seen == shapes->count;
}

/* Hands the properties of all bodies to where they belong. */
static scree_status set_properties(sc_bodies *b, const void *const *from, scree_error *error) {
  const double (*force)[3] = from[FORCE], (*torque)[3] = from[TORQUE], (*inertia)[6] = from[INERTIA], (*inverse)[6] = from[INVERSE];
  const double *ball = from[BALL];
  const int64_t *group = from[GROUP];
  for (int32_t row = 0; row < b->count; row++) {
    double load[6];
    memcpy(load, force[row], sizeof force[row]);
    memcpy(load + 3, torque[row], sizeof torque[row]);
    bool moves = b->kind[row] != SCREE_DYNAMIC || inertia[row][0] > 0, round = ball[row] == 0 || ball[row] == b->radius[row];
    if (!moves || !round || !all_finite(load, 6) || !all_finite(inertia[row], 6) || !all_finite(inverse[row], 6))
      return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's bodies are damaged");
    if (!sc_bodies_set_load(b, row, load) || !sc_bodies_set_group(b, row, group[row]) ||
        !sc_bodies_set_inertia(b, row, ball[row] > 0, inertia[row], inverse[row]))
      return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", b->count);
  }
  return SCREE_OK;
}

static scree_status load_properties(scree_world *w, const sc_sections *in, scree_error *error) {
  const void *from[PROPERTIES];
  size_t size;
  for (int k = 0; k < PROPERTIES; k++) {
    from[k] = sc_section_find(in, properties[k].name, &size, error);
    if (!from[k]) return SCREE_E_FORMAT;
    if (size != (size_t)w->bodies.count * properties[k].size)
      return sc_fail(error, SCREE_E_FORMAT, "section '%s' has the wrong size", properties[k].name);
  }
  if (!chains_fit(&w->bodies, &w->shapes, from[SHAPES])) return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's bodies are damaged");
  return set_properties(&w->bodies, from, error);
}

/* Makes rows and slots until the arrays are large enough, then fills them. */
static scree_status load_bodies(scree_world *w, const head *h, const sc_sections *in, scree_error *error) {
  sc_bodies *b = &w->bodies;
  stretch part[STRETCHES];
  int32_t more = h->bodies > b->count ? h->bodies - b->count : 0;
  if (!sc_bodies_reserve(b, (size_t)more)) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", h->bodies);
  while (b->slots_count < h->slots_count)
    if (sc_bodies_add(b) < 0) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", h->bodies);
  lay_out(b, part);
  scree_status status = SCREE_OK;
  for (int k = 0; k < STRETCHES && !status; k++)
    status = sc_section_read(in, part[k].name, *part[k].array,
        part[k].size * (part[k].slots ? h->slots_count : (size_t)h->bodies), error);
  b->count = h->bodies, b->slots_count = h->slots_count, b->free_slot = h->free_slot;
  b->tensors = 0;
  for (int32_t row = 0; row < b->count; row++) b->tensor_row[row] = SC_TENSOR_NONE;
  if (!status && !bodies_fit(b, h->shapes)) status = sc_fail(error, SCREE_E_FORMAT, "the checkpoint's bodies are damaged");
  return status ? status : load_properties(w, in, error);
}

/* The geometries of the checkpoint among those of the fresh world. */
static scree_status find_geometries(const scree_world *w, const head *h, const sc_sections *in, const scree_geometry **out,
    scree_error *error) {
  const scree_geometry **mine;
  int32_t count;
  size_t size;
  const uint64_t *hash = sc_section_find(in, "world.geometries", &size, error);
  if (!hash || size != (size_t)h->geometries * sizeof *hash)
    return hash ? sc_fail(error, SCREE_E_FORMAT, "the checkpoint's geometries are damaged") : SCREE_E_FORMAT;
  if (!geometries_of(&w->shapes, &mine, &count)) return sc_fail(error, SCREE_E_MEMORY, "no memory for geometries");
  scree_status status = SCREE_OK;
  for (int32_t k = 0; k < h->geometries && !status; k++) {
    out[k] = NULL;
    for (int32_t i = 0; i < count && !out[k]; i++)
      if (geometry_hash(mine[i]) == hash[k]) out[k] = mine[i];
    if (!out[k])
      status = sc_fail(error, SCREE_E_ARGUMENT,
          "a hull or mesh of the checkpoint is not among those that setup makes; make all of them in setup");
  }
  sc_free(mine);
  return status;
}

/* Sizes and pose of a shape as the binding lets them through. */
static bool shape_fits(const saved_shape *saved, const head *h) {
  const sc_shape *s = &saved->shape;
  bool sizes = s->radius >= 0 && s->half >= 0 && s->extent[0] >= 0 && s->extent[1] >= 0 && s->extent[2] >= 0 &&
      isfinite(s->radius + s->half) && all_finite(s->extent, 3);
  bool bound = s->type == SCREE_HALFSPACE || (s->bound > 0 && isfinite(s->bound));
  bool links = saved->body >= 0 && saved->body < h->bodies && saved->next >= -1 && saved->next < h->shapes && s->material >= 0 &&
      s->material < h->materials;
  bool solid = (s->type != SCREE_HULL && s->type != SCREE_MESH) || s->geometry;
  return sizes && bound && links && solid && s->type >= 0 && s->type < SCREE_SHAPE_TYPES && all_finite(s->position, 3) &&
      all_finite(s->orientation, 4);
}

static scree_status load_shape(scree_world *w, const head *h, const unsigned char *at, const scree_geometry *const *geometry,
    scree_error *error) {
  saved_shape s;
  memcpy(&s, at, sizeof s);
  uintptr_t number = (uintptr_t)s.shape.geometry;
  s.shape.geometry = number && number <= (uintptr_t)h->geometries ? geometry[number - 1] : NULL;
  if (number > (uintptr_t)h->geometries || !shape_fits(&s, h))
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's shapes are damaged");
  int32_t first = w->shapes.count ? 1 : h->shapes;
  if (!sc_shapes_reserve(&w->shapes, first, 1)) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d shapes", h->shapes);
  int32_t row = sc_shapes_append(&w->shapes, s.body, &s.shape);
  w->shapes.row[row].next = s.next;
  return SCREE_OK;
}

static scree_status load_shapes(scree_world *w, const head *h, const sc_sections *in, scree_error *error) {
  const scree_geometry **geometry = sc_alloc((size_t)h->geometries * sizeof *geometry + 1);
  if (!geometry) return sc_fail(error, SCREE_E_MEMORY, "no memory for shapes");
  scree_status status = find_geometries(w, h, in, geometry, error);
  for (int32_t k = 0; k < h->geometries && !status; k++) scree_geometry_retain(geometry[k]);
  if (!status) {
    sc_shapes_free(&w->shapes);
    size_t size;
    const unsigned char *at = sc_section_find(in, "world.shapes", &size, error);
    if (!at || size != (size_t)h->shapes * sizeof(saved_shape)) status = SCREE_E_FORMAT;
    for (int32_t i = 0; i < h->shapes && !status; i++, at += sizeof(saved_shape)) status = load_shape(w, h, at, geometry, error);
    for (int32_t k = 0; k < h->geometries; k++) scree_geometry_release(geometry[k]);
  }
  sc_free(geometry);
  return status;
}

static scree_status load_rules(scree_world *w, const head *h, const sc_sections *in, scree_error *error) {
  sc_pairs *p = &w->pairs;
  size_t cells = (size_t)h->materials * (size_t)h->materials;
  if (!SC_GROW(p->material, p->material_capacity, (size_t)h->materials) || !SC_GROW(p->rule, p->rule_capacity, (size_t)h->rules) ||
      !SC_GROW(p->table, p->table_capacity, cells) || !SC_GROW(w->name, w->name_capacity, (size_t)h->names))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for materials");
  scree_status status = sc_section_read(in, "world.materials", p->material, (size_t)h->materials * sizeof *p->material, error);
  if (!status) status = sc_section_read(in, "world.rules", p->rule, (size_t)h->rules * sizeof *p->rule, error);
  if (!status) status = sc_section_read(in, "world.table", p->table, cells * sizeof *p->table, error);
  if (!status) status = sc_section_read(in, "world.names", w->name, (size_t)h->names * sizeof *w->name, error);
  if (status) return status;
  p->materials = h->materials, p->rules = h->rules, w->names = h->names;
  for (size_t i = 0; i < cells; i++)
    if (p->table[i] < 0 || p->table[i] >= p->rules) return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's pairs are damaged");
  for (int32_t i = 0; i < p->rules; i++)
    if (p->rule[i].law < 0 || p->rule[i].law >= w->laws) return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's laws are damaged");
  return SCREE_OK;
}

static scree_status load_joints(scree_world *w, const head *h, const sc_sections *in, scree_error *error) {
  sc_joints *j = &w->joints;
  if (h->joints && !SC_GROW(j->row, j->capacity, (size_t)h->joints))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d joints", h->joints);
  scree_status status = sc_section_read(in, "world.joints", j->row, (size_t)h->joints * sizeof *j->row, error);
  if (status) return status;
  j->count = h->joints, j->serial = h->joint_serial;
  for (int32_t i = 0; i < j->count; i++)
    if (!scree_joint_type_name(j->row[i].def.type) || j->row[i].rows < 0 || j->row[i].rows > SC_JOINT_ROWS)
      return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's joints are damaged");
  return SCREE_OK;
}

/* Impulses of the last step's impacts, a row per contact or none. */
static scree_status load_blows(scree_world *w, const sc_sections *in, scree_error *error) {
  size_t size = 0;
  const void *bytes = sc_section_find(in, "world.blows", &size, NULL);
  w->blows = 0;
  if (!bytes || !size) return SCREE_OK;
  if (size != (size_t)w->contacts * sizeof *w->blow) return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's impacts are damaged");
  if (!SC_GROW(w->blow, w->blow_capacity, (size_t)w->contacts))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d impacts", w->contacts);
  memcpy(w->blow, bytes, size);
  w->blows = w->contacts;
  return SCREE_OK;
}

static void take_head(scree_world *w, const head *h) {
  w->version = h->version + 1, w->fills = h->fills, w->step = h->step, w->iterations = h->iterations, w->time = h->time;
  w->dissipated = h->dissipated, w->residual_scale = h->residual_scale, w->penetration = h->penetration, w->elastic = h->elastic;
  w->stable_dt = h->stable_dt, w->sliding_loss = h->sliding_loss, w->contact_age = h->contact_age, w->def.dt = h->dt;
  w->state_stride = h->state_stride, w->problem_valid = 0, w->removals = 1;
  memcpy(w->def.gravity, h->gravity, sizeof h->gravity);
  memcpy(w->seconds, h->seconds, sizeof h->seconds);
}

/* Contacts and the list speak of shapes that are there, whose bodies and materials have been checked. */
static bool contacts_fit(const scree_world *w) {
  if (sc_collide_known(w->collide) > w->shapes.count) return false;
  for (int32_t i = 0; i < w->contacts; i++) {
    sc_contact c;
    sc_world_contact(w, i, &c);
    if (!all_finite(c.impulse, 3)) return false;
  }
  return w->state_stride >= 0 && w->state_stride <= SCREE_LAW_MAX_STATE &&
      isfinite(w->time) &&
         w->def.dt > 0 && isfinite(w->def.dt) && all_finite(w->def.gravity, 3);
}

scree_status scree_world_load(scree_world *w, const scree_checkpoint *checkpoint, scree_error *error) {
  const sc_sections *in = &checkpoint->sections;
  head h;
  size_t size;
  scree_status status = sc_section_read(in, "world.head", &h, sizeof h, error);
  if (!status) status = check_head(w, &h, error);
  if (!status) status = check_sizes(&h, in, error);
  if (!status) status = load_shapes(w, &h, in, error);
  if (!status) status = load_bodies(w, &h, in, error);
  if (!status) status = load_rules(w, &h, in, error);
  if (!status) status = load_joints(w, &h, in, error);
  const void *bytes = status ? NULL : sc_section_find(in, "world.collide", &size, error);
  if (!status && !bytes) status = SCREE_E_FORMAT;
  if (!status) status = sc_collide_load(w->collide, &w->shapes, bytes, size, error);
  if (status) return status;
  take_head(w, &h);
  sc_collide_present(w->collide, &w->contacts, &w->state);
  if (!contacts_fit(w)) return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's contacts are damaged");
  return load_blows(w, in, error);
}
