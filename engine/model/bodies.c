/* The table of bodies: its rows, and the slots that make ids permanent. */
#include "model/bodies.h"
#include "model/lookup.h"

#include <math.h>
#include <string.h>

/* An array with one row per body: offset of its pointer in sc_bodies, and bytes of a row. Columns from LOAD
 * on are NULL until their first use. */
typedef struct {
  size_t offset, width;
} column;
#define COLUMN(member) \
  { offsetof(sc_bodies, member), sizeof *((sc_bodies *)0)->member }
enum {
  COLUMNS_ALWAYS = 13,
  LOAD = COLUMNS_ALWAYS,
  LEFT,
  GROUP,
  REST,
  WAIT,
  CENTRE,
  OWNER,
  REPLICATED,
  GENERATION,
  VALUE,
  COLUMNS
};
static const column columns[COLUMNS] = {
    COLUMN(position),
    COLUMN(orientation),
    COLUMN(velocity),
    COLUMN(spin),
    COLUMN(inv_mass),
    COLUMN(mass),
    COLUMN(radius),
    COLUMN(kind),
    COLUMN(first_shape),
    COLUMN(slot),
    COLUMN(tensor_row),
    COLUMN(ball_inertia),
    COLUMN(ball_inverse),
    [LOAD] = COLUMN(load),
    [LEFT] = COLUMN(left),
    [GROUP] = COLUMN(group),
    [REST] = COLUMN(rest),
    [WAIT] = COLUMN(wait),
    [CENTRE] = COLUMN(centre),
    [OWNER] = COLUMN(owner),
    [REPLICATED] = COLUMN(replicated),
    [GENERATION] = COLUMN(generation),
    [VALUE] = COLUMN(value),
};

static char **array_of(const sc_bodies *bodies, int c) {
  return (char **)((char *)bodies + columns[c].offset);
}

/* Returns the number of bytes in a row of column c. A row of column VALUE has one number for each column that
 * scripts have added. */
static size_t width_of(const sc_bodies *bodies, int c) {
  return c == VALUE ? sc_bodies_values_size(bodies) : columns[c].width;
}

void sc_bodies_free(sc_bodies *bodies) {
  for (int c = 0; c < COLUMNS; c++) sc_free(*array_of(bodies, c));
  sc_alike_free(&bodies->tensor);
  sc_free(bodies->slot_row);
  sc_free(bodies->slot_generation);
  sc_free(bodies->found);
  sc_free(bodies->column);
  memset(bodies, 0, sizeof *bodies);
}

size_t sc_bodies_bytes(const sc_bodies *bodies) {
  size_t row = 0;
  for (int c = 0; c < COLUMNS; c++) row += *array_of(bodies, c) ? width_of(bodies, c) : 0;
  return bodies->capacity * row + sc_alike_bytes(&bodies->tensor) +
      bodies->slots_capacity * (sizeof *bodies->slot_row + sizeof *bodies->slot_generation) +
      bodies->found_size * 2 * sizeof *bodies->found;
}

/* Grows all allocated columns to at least `need` rows. Sets bodies->capacity only after all columns have
 * grown. */
static bool reserve_rows(sc_bodies *bodies, size_t need) {
  if (need <= bodies->capacity) return true;
  if (need > INT32_MAX / 2) return false;
  size_t capacity = sc_lean_capacity(bodies->capacity, need);
  for (int c = 0; c < COLUMNS; c++) {
    if (c >= COLUMNS_ALWAYS && !*array_of(bodies, c)) continue;
    char *grown = sc_realloc(*array_of(bodies, c), capacity * width_of(bodies, c));
    if (!grown) return false;
    *array_of(bodies, c) = grown;
  }
  bodies->capacity = capacity;
  return true;
}

/* Allocates column c, set to 0, if it is not allocated. */
static bool hold_column(sc_bodies *bodies, int c) {
  if (*array_of(bodies, c)) return true;
  if (!reserve_rows(bodies, 1)) return false;
  *array_of(bodies, c) = sc_alloc(bodies->capacity * width_of(bodies, c));
  return *array_of(bodies, c) != NULL;
}

bool sc_bodies_hold_groups(sc_bodies *bodies) { return hold_column(bodies, GROUP); }
bool sc_bodies_hold_left(sc_bodies *bodies) { return hold_column(bodies, LEFT); }
bool sc_bodies_hold_waits(sc_bodies *bodies) { return hold_column(bodies, WAIT); }
bool sc_bodies_hold_rest(sc_bodies *bodies) { return hold_column(bodies, REST); }
bool sc_bodies_hold_owners(sc_bodies *bodies) {
  return hold_column(bodies, OWNER) && hold_column(bodies, REPLICATED);
}

bool sc_bodies_set_group(sc_bodies *bodies, int32_t row, int64_t group) {
  SC_ASSERT(row >= 0 && row < bodies->count);
  if (group == sc_bodies_group(bodies, row)) return true;
  if (!sc_bodies_hold_groups(bodies)) return false;
  bodies->group[row] = group;
  return true;
}

bool sc_bodies_set_centre(sc_bodies *bodies, int32_t row, const double centre[3]) {
  SC_ASSERT(row >= 0 && row < bodies->count && centre);
  bool none = centre[0] == 0 && centre[1] == 0 && centre[2] == 0;
  if (none && !bodies->centre) return true;
  if (!hold_column(bodies, CENTRE)) return false;
  memcpy(bodies->centre[row], centre, sizeof *bodies->centre);
  return true;
}

bool sc_bodies_set_load(sc_bodies *bodies, int32_t row, const double load[6]) {
  SC_ASSERT(row >= 0 && row < bodies->count && load);
  bool none = true;
  for (int k = 0; k < 6; k++) none = none && load[k] == 0;
  if (none && !bodies->load) return true;
  if (!hold_column(bodies, LOAD)) return false;
  memcpy(bodies->load[row], load, sizeof *bodies->load);
  return true;
}

bool sc_bodies_add_load(sc_bodies *bodies, int32_t row, const double force[3], const double torque[3]) {
  SC_ASSERT(row >= 0 && row < bodies->count && force && torque);
  const double *load = sc_bodies_load(bodies, row);
  double sum[6];
  for (int k = 0; k < 3; k++) sum[k] = load[k] + force[k], sum[3 + k] = load[3 + k] + torque[k];
  return sc_bodies_set_load(bodies, row, sum);
}

bool sc_bodies_add_column(sc_bodies *bodies, const scree_column *added) {
  SC_ASSERT(added);
  const size_t before = sc_bodies_values_size(bodies), width = before + sizeof *bodies->value;
  if (!reserve_rows(bodies, 1)) return false;
  scree_column *list = sc_realloc(bodies->column, ((size_t)bodies->columns + 1) * sizeof *list);
  if (!list) return false;
  bodies->column = list;
  char *value = sc_alloc(bodies->capacity * width);
  if (!value) return false;
  for (size_t row = 0; row < (size_t)bodies->count; row++) {
    if (before) memcpy(value + row * width, (char *)bodies->value + row * before, before);
    memcpy(value + row * width + before, &added->preset, sizeof added->preset);
  }
  sc_free(bodies->value);
  bodies->value = (double *)(void *)value;
  bodies->column[bodies->columns++] = *added;
  return true;
}

static bool reserve_slots(sc_bodies *bodies, size_t need) {
  size_t rows = bodies->slots_capacity, generations = bodies->slots_capacity;
  if (!SC_GROW_LEAN(bodies->slot_row, rows, need) ||
      !SC_GROW_LEAN(bodies->slot_generation, generations, need))
    return false;
  bodies->slots_capacity = generations;
  return true;
}

bool sc_bodies_reserve(sc_bodies *bodies, size_t more) {
  SC_ASSERT(bodies);
  size_t rows = (size_t)bodies->count + more;
  return reserve_rows(bodies, rows) && (bodies->distributed || reserve_slots(bodies, rows));
}

/* Returns a free slot, or UINT32_MAX if out of memory. */
static uint32_t find_free_slot(sc_bodies *bodies) {
  if (bodies->distributed) return bodies->slots_count < UINT32_MAX - 1 ? bodies->slots_count++ : UINT32_MAX;
  if (bodies->slots_count && bodies->free_slot != UINT32_MAX) {
    uint32_t slot = bodies->free_slot;
    bodies->free_slot = bodies->slot_row[slot];
    return slot;
  }
  if (!reserve_slots(bodies, (size_t)bodies->slots_count + 1)) return UINT32_MAX;
  if (!bodies->slots_count) bodies->free_slot = UINT32_MAX;
  bodies->slot_generation[bodies->slots_count] = 0;
  return bodies->slots_count++;
}

/* Appends a row with default values for the body in a slot. Memory must have been reserved. Returns the
 * row. */
static int32_t append_row(sc_bodies *bodies, uint32_t slot) {
  int32_t row = bodies->count++;
  for (int c = 0; c < COLUMNS; c++)
    if (*array_of(bodies, c))
      memset(*array_of(bodies, c) + (size_t)row * width_of(bodies, c), 0, width_of(bodies, c));
  for (int32_t k = 0; k < bodies->columns; k++) sc_bodies_values(bodies, row)[k] = bodies->column[k].preset;
  bodies->orientation[row][0] = 1;
  bodies->first_shape[row] = -1;
  bodies->tensor_row[row] = SC_TENSOR_NONE;
  bodies->slot[row] = slot;
  if (bodies->owner) bodies->owner[row] = bodies->rank;
  if (bodies->distributed) sc_lookup_put(bodies, slot, row);
  else bodies->slot_row[slot] = (uint32_t)row;
  return row;
}

/* Reserves memory for one more row and, if the table is distributed, for its entry in the hash table. */
static bool reserve_one(sc_bodies *bodies) {
  size_t rows = (size_t)bodies->count + 1;
  return reserve_rows(bodies, rows) &&
      (!bodies->distributed || 2 * rows <= bodies->found_size || sc_lookup_build(bodies, 2 * rows));
}

int32_t sc_bodies_add(sc_bodies *bodies) {
  if (!reserve_one(bodies)) return -1;
  uint32_t slot = find_free_slot(bodies);
  return slot == UINT32_MAX ? -1 : append_row(bodies, slot);
}

int32_t sc_bodies_adopt(sc_bodies *bodies, uint32_t slot, uint32_t generation) {
  if (!reserve_one(bodies)) return -1;
  int32_t row = append_row(bodies, slot);
  bodies->generation[row] = generation;
  return row;
}

bool sc_bodies_scatter(sc_bodies *bodies, int32_t rank) {
  if (!sc_bodies_hold_owners(bodies) || !hold_column(bodies, GENERATION) ||
      !sc_lookup_build(bodies, (size_t)bodies->count + 1))
    return false;
  for (int32_t row = 0; row < bodies->count; row++)
    bodies->generation[row] = bodies->slot_generation[bodies->slot[row]];
  sc_free(bodies->slot_row);
  sc_free(bodies->slot_generation);
  bodies->slot_row = bodies->slot_generation = NULL;
  bodies->slots_capacity = 0;
  bodies->distributed = true;
  bodies->rank = rank;
  return true;
}

int32_t sc_bodies_solver(const sc_bodies *bodies, int32_t one, int32_t two) {
  if (bodies->replicated[one] != bodies->replicated[two])
    return bodies->owner[bodies->replicated[one] ? two : one];
  if (bodies->owner[one] == bodies->owner[two]) return bodies->owner[one];
  bool swap = bodies->slot[one] > bodies->slot[two];
  uint64_t low = bodies->slot[swap ? two : one], high = bodies->slot[swap ? one : two];
  /* A hash chooses the owner. The parity of slots would not divide the contacts evenly, because in a lattice
   * of bodies the slots of two neighbours across a border may always differ by an even number, or always by
   * an odd number. */
  uint64_t mixed = (low << 32 | high) * 0x9e3779b97f4a7c15u;
  return bodies->owner[(mixed >> 63 != 0) != swap ? two : one];
}

void sc_bodies_remove(sc_bodies *bodies, int32_t row) {
  SC_ASSERT(row >= 0 && row < bodies->count);
  uint32_t slot = bodies->slot[row];
  int32_t last = --bodies->count;
  sc_inertia_drop(bodies, row);
  if (bodies->distributed) sc_lookup_drop(bodies, slot);
  if (row != last) {
    for (int c = 0; c < COLUMNS; c++) {
      char *array = *array_of(bodies, c);
      if (array)
        memcpy(array + (size_t)row * width_of(bodies, c), array + (size_t)last * width_of(bodies, c),
            width_of(bodies, c));
    }
    if (bodies->distributed) sc_lookup_put(bodies, bodies->slot[row], row);
    else bodies->slot_row[bodies->slot[row]] = (uint32_t)row;
  }
  if (bodies->distributed) return;
  bodies->slot_generation[slot]++;
  bodies->slot_row[slot] = bodies->free_slot;
  bodies->free_slot = slot;
}

scree_id sc_bodies_id(const sc_bodies *bodies, int32_t row) {
  SC_ASSERT(row >= 0 && row < bodies->count);
  uint32_t slot = bodies->slot[row];
  return (uint64_t)(bodies->distributed ? bodies->generation[row] : bodies->slot_generation[slot]) << 32 |
      (slot + 1u);
}

int32_t sc_bodies_row(const sc_bodies *bodies, scree_id id) {
  uint32_t slot = (uint32_t)id - 1u, generation = (uint32_t)(id >> 32);
  if (bodies->distributed) {
    int32_t found = sc_lookup_find(bodies, slot);
    return found >= 0 && bodies->generation[found] == generation ? found : -1;
  }
  if (slot >= bodies->slots_count || bodies->slot_generation[slot] != generation) return -1;
  uint32_t row = bodies->slot_row[slot];
  return row < (uint32_t)bodies->count && bodies->slot[row] == slot ? (int32_t)row : -1;
}

size_t sc_bodies_scratch(const sc_bodies *bodies) {
  size_t widest = 0, tensors = sc_alike_scratch(&bodies->tensor);
  for (int c = 0; c < COLUMNS; c++)
    if (*array_of(bodies, c) && width_of(bodies, c) > widest) widest = width_of(bodies, c);
  return widest * (size_t)bodies->count > tensors ? widest * (size_t)bodies->count : tensors;
}

void sc_bodies_permute(sc_bodies *bodies, const int32_t *order, void *scratch) {
  SC_ASSERT(order || !bodies->count);
  if (!bodies->count) return;
  for (int c = 0; c < COLUMNS; c++) {
    size_t width = width_of(bodies, c);
    char *array = *array_of(bodies, c);
    if (!array) continue;
    for (int32_t row = 0; row < bodies->count; row++)
      memcpy((char *)scratch + (size_t)row * width, array + (size_t)order[row] * width, width);
    memcpy(array, scratch, (size_t)bodies->count * width);
  }
  sc_alike_order(&bodies->tensor, bodies->tensor_row, bodies->count, scratch);
  for (int32_t row = 0; row < bodies->count; row++) {
    if (bodies->distributed) sc_lookup_put(bodies, bodies->slot[row], row);
    else bodies->slot_row[bodies->slot[row]] = (uint32_t)row;
  }
}

static double curvature_radius(const sc_bodies *bodies, int32_t row) {
  double ball = sc_bodies_ball(bodies, row);
  if (ball > 0) return ball;
  return bodies->kind[row] == SCREE_DYNAMIC ? bodies->radius[row] : INFINITY;
}

double sc_bodies_contact_radius(const sc_bodies *bodies, int32_t row1, int32_t row2) {
  return 1 / (1 / curvature_radius(bodies, row1) + 1 / curvature_radius(bodies, row2));
}
