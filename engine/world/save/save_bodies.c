/* Bodies in checkpoints. There is one section for each array on which later results depend, with a row per
 * body. Slots, generations and the free list are saved too, so that ids do not change. A section has a row
 * for every body even if the table of bodies stores the property only for some bodies. */
#include "world/world.h"
#include "world/mechanism/roll.h"
#include "world/save/save.h"

#include <math.h>
#include <string.h>

/* An array of the table of bodies whose memory is saved unchanged as a section. */
typedef struct stretch {
  const char *name; /* name of the section */
  void **array;
  size_t size; /* bytes of one row */
  bool slots;  /* true: a row per slot; false: a row per body */
} stretch;
enum { STRETCHES = 12 };

static void lay_out(sc_bodies *b, stretch out[STRETCHES]) {
  const stretch all[STRETCHES] = {
      {"world.position", (void **)&b->position, sizeof *b->position, false},
      {"world.orientation", (void **)&b->orientation, sizeof *b->orientation, false},
      {"world.velocity", (void **)&b->velocity, sizeof *b->velocity, false},
      {"world.spin", (void **)&b->spin, sizeof *b->spin, false},
      {"world.inv_mass", (void **)&b->inv_mass, sizeof *b->inv_mass, false},
      {"world.mass", (void **)&b->mass, sizeof *b->mass, false},
      {"world.radius", (void **)&b->radius, sizeof *b->radius, false},
      {"world.kind", (void **)&b->kind, sizeof *b->kind, false},
      {"world.first_shape", (void **)&b->first_shape, sizeof *b->first_shape, false},
      {"world.slot", (void **)&b->slot, sizeof *b->slot, false},
      {"world.slot_row", (void **)&b->slot_row, sizeof *b->slot_row, true},
      {"world.slot_generation", (void **)&b->slot_generation, sizeof *b->slot_generation, true},
  };
  memcpy(out, all, sizeof all);
}

/* A property that the table of bodies does not store as an array with one row per body (model/bodies.h). */
typedef struct property {
  const char *name;
  size_t size;
  void (*get)(const scree_world *w, int32_t row, void *out);
} property;

static void get_force(const scree_world *w, int32_t row, void *out) {
  memcpy(out, sc_bodies_load(&w->bodies, row), 3 * sizeof(double));
}
static void get_torque(const scree_world *w, int32_t row, void *out) {
  memcpy(out, sc_bodies_load(&w->bodies, row) + 3, 3 * sizeof(double));
}
static void get_inertia(const scree_world *w, int32_t row, void *out) {
  sc_bodies_inertia(&w->bodies, row, out);
}
static void get_inverse(const scree_world *w, int32_t row, void *out) {
  sc_bodies_inverse_inertia(&w->bodies, row, out);
}
static void get_ball(const scree_world *w, int32_t row, void *out) {
  *(double *)out = sc_bodies_ball(&w->bodies, row);
}
static void get_group(const scree_world *w, int32_t row, void *out) {
  *(int64_t *)out = sc_bodies_group(&w->bodies, row);
}
static void get_centre(const scree_world *w, int32_t row, void *out) {
  memcpy(out, sc_bodies_centre(&w->bodies, row), 3 * sizeof(double));
}
static void get_shapes(const scree_world *w, int32_t row, void *out) {
  *(int32_t *)out = sc_shapes_of(&w->shapes, &w->bodies, row);
}

enum { FORCE, TORQUE, INERTIA, INVERSE, BALL, GROUP, SHAPES, CENTRE, PROPERTIES };
static const property properties[PROPERTIES] = {
    [FORCE] = {"world.force", 3 * sizeof(double), get_force},
    [TORQUE] = {"world.torque", 3 * sizeof(double), get_torque},
    [INERTIA] = {"world.inertia", 6 * sizeof(double), get_inertia},
    [INVERSE] = {"world.inv_inertia", 6 * sizeof(double), get_inverse},
    [BALL] = {"world.ball", sizeof(double), get_ball},
    [GROUP] = {"world.group", sizeof(int64_t), get_group},
    [SHAPES] = {"world.shapes_count", sizeof(int32_t), get_shapes},
    [CENTRE] = {"world.centre", 3 * sizeof(double), get_centre}, /* missing in older checkpoints */
};

static scree_status save_properties(const scree_world *w, sc_sections *out, scree_error *error) {
  size_t rows = (size_t)w->bodies.count;
  unsigned char *block = sc_alloc(rows * 6 * sizeof(double) + 1);
  scree_status status = block
      ? SCREE_OK
      : sc_fail(error, SCREE_E_MEMORY, "no memory to save %d bodies", w->bodies.count);
  for (int k = 0; k < PROPERTIES && !status; k++) {
    const property *p = properties + k;
    for (size_t row = 0; row < rows; row++) p->get(w, (int32_t)row, block + row * p->size);
    status = sc_section_write(out, p->name, block, rows * p->size, error);
  }
  sc_free(block);
  return status;
}

/* A row of section world.rolling: a body's row in the checkpoint, and the record of the body that rolls on
 * one contact (mechanism/roll.h). The section is sorted by `row`. */
typedef struct rolling {
  int64_t row;
  sc_roll roll;
} rolling;

static scree_status save_rolling(const scree_world *w, sc_sections *out, scree_error *error) {
  const sc_bodies *b = &w->bodies;
  rolling *list = sc_alloc(((size_t)w->mechanisms.rollings + 1) * sizeof *list);
  int32_t *place = sc_alloc(((size_t)b->count + 1) * sizeof *place);
  size_t count = 0;
  scree_status status = list && place
      ? SCREE_OK
      : sc_fail(error, SCREE_E_MEMORY, "no memory to save %d bodies", b->count);
  if (!status) sc_world_find_rolling(w, place);
  for (int32_t row = 0; row < b->count && !status; row++)
    if (place[row] >= 0) list[count++] = (rolling){row, w->mechanisms.rolling[place[row]].roll};
  if (!status) status = sc_section_write(out, "world.rolling", list, count * sizeof *list, error);
  sc_free(list);
  sc_free(place);
  return status;
}

/* Loads the records of bodies that roll. Older checkpoints and checkpoints of several ranks have no such
 * section. */
static scree_status load_rolling(scree_world *w, const sc_sections *in, scree_error *error) {
  const sc_bodies *b = &w->bodies;
  size_t size, count;
  const rolling *list = sc_section_find(in, "world.rolling", &size, NULL);
  count = list ? size / sizeof *list : 0;
  w->mechanisms.rollings = 0;
  if (!SC_GROW_LEAN(w->mechanisms.rolling, w->mechanisms.rolling_capacity, count))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %zu bodies that roll", count);
  for (size_t i = 0; i < count; i++) {
    const rolling *r = list + i;
    if (r->row < 0 || r->row >= b->count || b->tensor_row[r->row] < 0 || !sc_save_finite(r->roll.arm, 3) ||
        !sc_save_finite(r->roll.u, 3))
      return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's bodies are damaged");
    w->mechanisms.rolling[w->mechanisms.rollings++] = (sc_rolling){sc_bodies_id(b, (int32_t)r->row), r->roll};
  }
  return SCREE_OK;
}

/* Saves the sleep states of bodies, if islands of the world may sleep. */
static scree_status save_rest(const sc_bodies *b, sc_sections *out, scree_error *error) {
  if (!b->rest) return SCREE_OK;
  return sc_section_write(out, "world.rest", b->rest, (size_t)b->count * sizeof *b->rest, error);
}

static scree_status load_rest(sc_bodies *b, const sc_sections *in, scree_error *error) {
  size_t size, wanted = (size_t)b->count * sizeof *b->rest;
  const sc_rest *rest = sc_section_find(in, "world.rest", &size, NULL);
  if (!rest && b->rest) memset(b->rest, 0, wanted);
  if (!rest) return SCREE_OK;
  bool fits = size == wanted;
  for (int32_t row = 0; row < b->count && fits; row++)
    fits = rest[row].calm >= 0 && rest[row].island <= b->slots_count &&
        (!rest[row].island || b->kind[row] == SCREE_DYNAMIC);
  if (!fits) return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's sleeping bodies are damaged");
  if (!sc_bodies_hold_rest(b)) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", b->count);
  if (wanted) memcpy(b->rest, rest, wanted);
  return SCREE_OK;
}

/* Saves the back-off counters of bodies for solver `auto`. Saves nothing if no island backs off. */
static scree_status save_waits(const sc_bodies *b, sc_sections *out, scree_error *error) {
  bool any = false;
  for (int32_t row = 0; row < b->count && b->wait; row++) any |= b->wait[row].last > 0;
  if (!any) return SCREE_OK;
  return sc_section_write(out, "world.wait", b->wait, (size_t)b->count * sizeof *b->wait, error);
}

static scree_status load_waits(sc_bodies *b, const sc_sections *in, scree_error *error) {
  size_t size, wanted = (size_t)b->count * sizeof *b->wait;
  const sc_wait *wait = sc_section_find(in, "world.wait", &size, NULL);
  if (!wait && b->wait) memset(b->wait, 0, wanted);
  if (!wait) return SCREE_OK;
  if (size != wanted) return sc_fail(error, SCREE_E_FORMAT, "section 'world.wait' has the wrong size");
  if (!sc_bodies_hold_waits(b)) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", b->count);
  memcpy(b->wait, wait, wanted);
  return SCREE_OK;
}

/* Saves the columns that scripts have declared, and their values for all bodies. Saves nothing if there are
 * no columns. */
static scree_status save_columns(const sc_bodies *b, sc_sections *out, scree_error *error) {
  if (!b->columns) return SCREE_OK;
  const size_t columns = (size_t)b->columns;
  scree_status status = sc_section_write(out, "world.columns", b->column, columns * sizeof *b->column, error);
  if (status) return status;
  return sc_section_write(out, "world.values", b->value, (size_t)b->count * sc_bodies_values_size(b), error);
}

/* Adds the column values of this rank's bodies to the pieces. Rank 0 also adds the names of the columns. */
static scree_status save_columns_part(
    const scree_world *w, const sc_saved_part *part, sc_pieces *out, scree_error *error) {
  const sc_bodies *b = &w->bodies;
  const size_t each = sc_bodies_values_size(b), names = w->ranks->rank ? 0 : (size_t)b->columns;
  if (!b->columns) return SCREE_OK;
  unsigned char *block = sc_alloc((size_t)part->bodies * each + 1);
  if (!block) return sc_fail(error, SCREE_E_MEMORY, "no memory to save %d bodies", part->bodies);
  for (size_t i = 0; i < (size_t)part->bodies; i++)
    memcpy(block + i * each, sc_bodies_values(b, part->own[i]), each);
  scree_status status = sc_pieces_put(out, "world.columns", b->column, names * sizeof *b->column, error);
  if (!status) status = sc_pieces_put(out, "world.values", block, (size_t)part->bodies * each, error);
  sc_free(block);
  return status;
}

/* Returns the number of saved columns, or -1 if the section is damaged. */
static int32_t count_saved_columns(const scree_column *saved, size_t size) {
  const size_t count = size / sizeof *saved;
  if (size % sizeof *saved || count > SCREE_COLUMNS_MOST) return -1;
  for (size_t k = 0; k < count; k++) {
    if (!*saved[k].name || !memchr(saved[k].name, 0, sizeof saved[k].name) ||
        !memchr(saved[k].unit, 0, sizeof saved[k].unit) || !isfinite(saved[k].declared) ||
        !isfinite(saved[k].preset))
      return -1;
    for (size_t i = 0; i < k; i++)
      if (!strcmp(saved[i].name, saved[k].name)) return -1;
  }
  return (int32_t)count;
}

static bool is_saved_column(const scree_column *saved, int32_t count, const char *name) {
  int32_t k = 0;
  while (k < count && strcmp(saved[k].name, name)) k++;
  return k < count;
}

/* Replaces the columns of the bodies by the saved columns. Also keeps present columns that the checkpoint
 * does not have, with the declared default for all bodies. Returns false without memory. */
static bool set_columns(sc_bodies *b, const scree_column *saved, int32_t count) {
  scree_column *before = b->column;
  const int32_t columns = b->columns;
  sc_free(b->value);
  b->value = NULL, b->column = NULL, b->columns = 0;
  bool ok = true;
  for (int32_t k = 0; k < count && ok; k++) ok = sc_bodies_add_column(b, saved + k);
  for (int32_t k = 0; k < columns && ok; k++) {
    before[k].preset = before[k].declared;
    if (!is_saved_column(saved, count, before[k].name)) ok = sc_bodies_add_column(b, before + k);
  }
  sc_free(before);
  return ok;
}

static scree_status load_columns(sc_bodies *b, const sc_sections *in, scree_error *error) {
  size_t size = 0, values_size = 0;
  const scree_column *saved = sc_section_find(in, "world.columns", &size, NULL);
  const double *values = sc_section_find(in, "world.values", &values_size, NULL);
  const int32_t count = saved ? count_saved_columns(saved, size) : 0;
  const size_t n = (size_t)b->count, each = count > 0 ? (size_t)count : 0;
  if (!count && !b->columns) return SCREE_OK;
  if (count < 0 || values_size != n * each * sizeof *values ||
      (count && n && !sc_save_finite(values, n * each)))
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's columns are damaged");
  if (!set_columns(b, saved, count))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for columns of %d bodies", b->count);
  for (int32_t row = 0; row < b->count && each; row++)
    memcpy(sc_bodies_values(b, row), values + (size_t)row * each, each * sizeof *values);
  return SCREE_OK;
}

scree_status sc_save_bodies(const scree_world *w, sc_sections *out, scree_error *error) {
  const sc_bodies *b = &w->bodies;
  stretch part[STRETCHES];
  scree_status status = SCREE_OK;
  lay_out((sc_bodies *)b, part);
  for (int k = 0; k < STRETCHES && !status; k++)
    status = sc_section_write(out, part[k].name, *part[k].array,
        part[k].size * (part[k].slots ? b->slots_count : (size_t)b->count), error);
  if (!status) status = save_properties(w, out, error);
  if (!status) status = save_rest(b, out, error);
  if (!status) status = save_waits(b, out, error);
  if (!status) status = save_columns(b, out, error);
  return status ? status : save_rolling(w, out, error);
}

/* ---- pieces of one rank ---- */

static void gather_rows(const stretch *s, const sc_saved_part *part, unsigned char *to) {
  const unsigned char *from = *s->array;
  for (int32_t i = 0; i < part->bodies; i++)
    memcpy(to + (size_t)i * s->size, from + (size_t)part->own[i] * s->size, s->size);
}

static void first_shapes(const scree_world *w, const sc_saved_part *part, int32_t *to) {
  for (int32_t i = 0; i < part->bodies; i++)
    to[i] = w->bodies.first_shape[part->own[i]] < 0 ? -1 : part->first_shape[part->own[i]];
}

scree_status sc_save_bodies_part(
    const scree_world *w, const sc_saved_part *part, sc_pieces *out, scree_error *error) {
  size_t rows = (size_t)part->bodies;
  stretch all[STRETCHES];
  unsigned char *block = sc_alloc(rows * 6 * sizeof(double) + 1);
  scree_status status = block ? SCREE_OK
                              : sc_fail(error, SCREE_E_MEMORY, "no memory to save %d bodies", part->bodies);
  lay_out((sc_bodies *)&w->bodies, all);
  for (int k = 0; k < STRETCHES && !status; k++) {
    if (all[k].slots) continue; /* rank 0 saves the slots */
    if (*all[k].array == w->bodies.first_shape) first_shapes(w, part, (int32_t *)block);
    else gather_rows(all + k, part, block);
    status = sc_pieces_put(out, all[k].name, block, rows * all[k].size, error);
  }
  for (int k = 0; k < PROPERTIES && !status; k++) {
    const property *p = properties + k;
    for (size_t i = 0; i < rows; i++) p->get(w, part->own[i], block + i * p->size);
    status = sc_pieces_put(out, p->name, block, rows * p->size, error);
  }
  sc_free(block);
  return status ? status : save_columns_part(w, part, out, error);
}

/* ---- loading ---- */

bool sc_save_finite(const void *values, size_t count) {
  const double *at = values;
  for (size_t i = 0; i < count; i++)
    if (!isfinite(at[i])) return false;
  return true;
}

/* Returns true if mass and inverse mass suit the kind of the body: both are positive for a dynamic body, and
 * the inverse mass is 0 for any other body. */
static bool mass_fits(const sc_bodies *b, int32_t row) {
  return isfinite(b->mass[row]) && isfinite(b->inv_mass[row]) &&
      (b->kind[row] == SCREE_DYNAMIC ? b->mass[row] > 0 && b->inv_mass[row] > 0 : b->inv_mass[row] == 0);
}

/* Returns true if rows and slots refer to each other, the list of free slots ends, and all poses and
 * velocities are finite. */
static bool bodies_fit(const sc_bodies *b, int32_t shapes) {
  size_t n = (size_t)b->count;
  for (int32_t row = 0; row < b->count; row++)
    if (b->slot[row] >= b->slots_count || b->slot_row[b->slot[row]] != (uint32_t)row ||
        b->first_shape[row] < -1 || b->first_shape[row] >= shapes || b->kind[row] > SCREE_FIXED ||
        !mass_fits(b, row))
      return false;
  uint32_t free_slots = 0;
  for (uint32_t slot = b->free_slot; slot != UINT32_MAX && b->slots_count; slot = b->slot_row[slot])
    if (slot >= b->slots_count || ++free_slots > b->slots_count - (uint32_t)b->count) return false;
  return sc_save_finite(b->position, 3 * n) && sc_save_finite(b->orientation, 4 * n) &&
      sc_save_finite(b->velocity, 3 * n) && sc_save_finite(b->spin, 3 * n);
}

/* Returns true if the shapes of each body form a list of count[row] shapes, and if each shape is in such a
 * list. */
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

/* Checks the properties of all bodies and stores them in the table. from: [PROPERTIES] rows of the sections;
 * from[CENTRE] may be NULL. */
static scree_status set_properties(sc_bodies *b, const void *const *from, scree_error *error) {
  const double(*force)[3] = from[FORCE], (*torque)[3] = from[TORQUE], (*inertia)[6] = from[INERTIA],
        (*inverse)[6] = from[INVERSE], (*centre)[3] = from[CENTRE];
  static const double at_frame[3] = {0};
  const double *ball = from[BALL];
  const int64_t *group = from[GROUP];
  for (int32_t row = 0; row < b->count; row++) {
    double load[6];
    memcpy(load, force[row], sizeof force[row]);
    memcpy(load + 3, torque[row], sizeof torque[row]);
    bool moves = b->kind[row] != SCREE_DYNAMIC || inertia[row][0] > 0,
         round = ball[row] == 0 || ball[row] == b->radius[row];
    if (!moves || !round || !sc_save_finite(load, 6) || !sc_save_finite(inertia[row], 6) ||
        !sc_save_finite(inverse[row], 6) || (centre && !sc_save_finite(centre[row], 3)))
      return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's bodies are damaged");
    if (!sc_bodies_set_load(b, row, load) || !sc_bodies_set_group(b, row, group[row]) ||
        !sc_bodies_set_centre(b, row, centre ? centre[row] : at_frame) ||
        !sc_bodies_set_inertia(b, row, ball[row] > 0, inertia[row], inverse[row]))
      return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", b->count);
  }
  return SCREE_OK;
}

static scree_status load_properties(scree_world *w, const sc_sections *in, scree_error *error) {
  const void *from[PROPERTIES];
  size_t size;
  for (int k = 0; k < PROPERTIES; k++) {
    from[k] = sc_section_find(in, properties[k].name, &size, k == CENTRE ? NULL : error);
    if (!from[k] && k == CENTRE) continue;
    if (!from[k]) return SCREE_E_FORMAT;
    if (size != (size_t)w->bodies.count * properties[k].size)
      return sc_fail(error, SCREE_E_FORMAT, "section '%s' has the wrong size", properties[k].name);
  }
  if (!chains_fit(&w->bodies, &w->shapes, from[SHAPES]))
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's bodies are damaged");
  return set_properties(&w->bodies, from, error);
}

/* Adds rows and slots until the table of bodies is large enough, and then loads the sections into it. */
scree_status sc_load_bodies(
    scree_world *w, const sc_save_head *h, const sc_sections *in, scree_error *error) {
  sc_bodies *b = &w->bodies;
  stretch part[STRETCHES];
  int32_t more = h->bodies > b->count ? h->bodies - b->count : 0;
  if (!sc_bodies_reserve(b, (size_t)more))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", h->bodies);
  while (b->slots_count < h->slots_count)
    if (sc_bodies_add(b) < 0) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", h->bodies);
  lay_out(b, part);
  scree_status status = SCREE_OK;
  for (int k = 0; k < STRETCHES && !status; k++)
    status = sc_section_read(in, part[k].name, *part[k].array,
        part[k].size * (part[k].slots ? h->slots_count : (size_t)h->bodies), error);
  b->count = h->bodies, b->slots_count = h->slots_count, b->free_slot = h->free_slot;
  sc_alike_free(&b->tensor);
  for (int32_t row = 0; row < b->count; row++) b->tensor_row[row] = SC_TENSOR_NONE;
  if (!status && !bodies_fit(b, h->shapes))
    status = sc_fail(error, SCREE_E_FORMAT, "the checkpoint's bodies are damaged");
  if (!status) status = load_properties(w, in, error);
  if (!status) status = load_rest(b, in, error);
  if (!status) status = load_waits(b, in, error);
  if (!status) status = load_columns(b, in, error);
  return status ? status : load_rolling(w, in, error);
}
