/* Rows of bodies and the slots that give them lasting ids. */
#include "model/bodies.h"

#include <string.h>

/* Every per-row array: where its pointer lives and how wide a row is. */
typedef struct { size_t offset, width; } column;
#define COLUMN(member) {offsetof(sc_bodies, member), sizeof *((sc_bodies *)0)->member}
static const column columns[] = {
  COLUMN(position), COLUMN(orientation), COLUMN(velocity), COLUMN(spin), COLUMN(force), COLUMN(torque), COLUMN(inv_mass), COLUMN(mass),
  COLUMN(inertia), COLUMN(inv_inertia), COLUMN(radius), COLUMN(ball), COLUMN(kind), COLUMN(group), COLUMN(first_shape),
  COLUMN(shapes_count), COLUMN(slot),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static char **array_of(const sc_bodies *bodies, int c) { return (char **)((char *)bodies + columns[c].offset); }

void sc_bodies_free(sc_bodies *bodies) {
  for (int c = 0; c < COLUMNS; c++) sc_free(*array_of(bodies, c));
  sc_free(bodies->slot_row);
  sc_free(bodies->slot_generation);
  memset(bodies, 0, sizeof *bodies);
}

size_t sc_bodies_bytes(const sc_bodies *bodies) {
  size_t row = 0;
  for (int c = 0; c < COLUMNS; c++) row += columns[c].width;
  return bodies->capacity * row + bodies->slots_capacity * (sizeof *bodies->slot_row + sizeof *bodies->slot_generation);
}

/* All columns grow together; capacity is raised only when every one has succeeded. */
static bool reserve_rows(sc_bodies *bodies, size_t need) {
  if (need <= bodies->capacity) return true;
  if (need > INT32_MAX / 2) return false;
  size_t capacity = bodies->capacity + bodies->capacity / 2;
  if (capacity < need) capacity = need;
  if (capacity < 64) capacity = 64;
  for (int c = 0; c < COLUMNS; c++) {
    char *grown = sc_realloc(*array_of(bodies, c), capacity * columns[c].width);
    if (!grown) return false;
    *array_of(bodies, c) = grown;
  }
  bodies->capacity = capacity;
  return true;
}

/* A free slot, or UINT32_MAX without memory. */
static uint32_t take_slot(sc_bodies *bodies) {
  if (bodies->slots_count && bodies->free_slot != UINT32_MAX) {
    uint32_t slot = bodies->free_slot;
    bodies->free_slot = bodies->slot_row[slot];
    return slot;
  }
  size_t rows = bodies->slots_capacity, generations = bodies->slots_capacity;
  if (!SC_GROW(bodies->slot_row, rows, bodies->slots_count + 1u)) return UINT32_MAX;
  if (!SC_GROW(bodies->slot_generation, generations, bodies->slots_count + 1u)) return UINT32_MAX;
  bodies->slots_capacity = generations;
  if (!bodies->slots_count) bodies->free_slot = UINT32_MAX;
  bodies->slot_generation[bodies->slots_count] = 0;
  return bodies->slots_count++;
}

int32_t sc_bodies_add(sc_bodies *bodies) {
  if (!reserve_rows(bodies, (size_t)bodies->count + 1)) return -1;
  uint32_t slot = take_slot(bodies);
  if (slot == UINT32_MAX) return -1;
  int32_t row = bodies->count++;
  for (int c = 0; c < COLUMNS; c++) memset(*array_of(bodies, c) + (size_t)row * columns[c].width, 0, columns[c].width);
  bodies->orientation[row][0] = 1;
  bodies->first_shape[row] = -1;
  bodies->slot[row] = slot;
  bodies->slot_row[slot] = (uint32_t)row;
  return row;
}

void sc_bodies_remove(sc_bodies *bodies, int32_t row) {
  uint32_t slot = bodies->slot[row];
  int32_t last = --bodies->count;
  if (row != last) {
    for (int c = 0; c < COLUMNS; c++) {
      char *array = *array_of(bodies, c);
      memcpy(array + (size_t)row * columns[c].width, array + (size_t)last * columns[c].width, columns[c].width);
    }
    bodies->slot_row[bodies->slot[row]] = (uint32_t)row;
  }
  bodies->slot_generation[slot]++;
  bodies->slot_row[slot] = bodies->free_slot;
  bodies->free_slot = slot;
}

scree_id sc_bodies_id(const sc_bodies *bodies, int32_t row) {
  uint32_t slot = bodies->slot[row];
  return (uint64_t)bodies->slot_generation[slot] << 32 | (slot + 1u);
}

int32_t sc_bodies_row(const sc_bodies *bodies, scree_id id) {
  uint32_t slot = (uint32_t)id - 1u, generation = (uint32_t)(id >> 32);
  if (slot >= bodies->slots_count || bodies->slot_generation[slot] != generation) return -1;
  uint32_t row = bodies->slot_row[slot];
  return row < (uint32_t)bodies->count && bodies->slot[row] == slot ? (int32_t)row : -1;
}

void sc_bodies_permute(sc_bodies *bodies, const int32_t *order, void *scratch) {
  if (!bodies->count) return;
  for (int c = 0; c < COLUMNS; c++) {
    size_t width = columns[c].width;
    char *array = *array_of(bodies, c);
    for (int32_t row = 0; row < bodies->count; row++) memcpy((char *)scratch + (size_t)row * width, array + (size_t)order[row] * width, width);
    memcpy(array, scratch, (size_t)bodies->count * width);
  }
  for (int32_t row = 0; row < bodies->count; row++) bodies->slot_row[bodies->slot[row]] = (uint32_t)row;
}
