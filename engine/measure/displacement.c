/* Mean and mean squared displacement of grains since the first sample.
 *
 *   drift = <d>,   msd = <d.d>,   d = x(t) - x(0)
 *
 * <> is the mean over the grains that were in the region at the first sample and are still in the world.
 * The positions of grains at the first sample are stored sorted by id. Frames are sorted by id too, so a
 * sample is a merge of two lists. In a periodic cell positions are not wrapped, so d is continuous when a
 * grain crosses a face of the cell. */
#include "measure/measure.h"

#include <math.h>
#include <string.h>

typedef scree_measure_def keys;
static const scree_param params[] = {
    SC_MEASURE_PART("region", 0, "where the grains are at the first look; everywhere without it"),
    SC_MEASURE_GROUP};
enum { MSD, SQUARE, DRIFT = 4, GRAINS = 7, TIME };
static const scree_measure_field fields[] = {{"msd", "msd", SCREE_FIGURE}, {"xx", "xx", SCREE_FIGURE},
    {"yy", "yy", SCREE_FIGURE}, {"zz", "zz", SCREE_FIGURE}, {"drift_x", "drift_x", SCREE_FIGURE},
    {"drift_y", "drift_y", SCREE_FIGURE}, {"drift_z", "drift_z", SCREE_FIGURE},
    {"grains", "grains", SCREE_WHOLE}, {"time", NULL, SCREE_FIGURE}};

typedef struct place {
  uint64_t id;
  double x[3];
} place;

/* State of the measurement: number of samples so far; number of grains in the last sample and sums of d and
 * d^2 over them; times of the first and of the last sample. */
typedef struct tally {
  int64_t looks, grains;
  double start, time, sum[3], square[3];
} tally;

typedef struct memory {
  bool everywhere;
  scree_region region;
  int64_t group, count;
  size_t capacity;
  place *from;
  tally tally;
} memory;

static void *create_displacement(const scree_measure_def *def, scree_error *error) {
  memory *m = sc_alloc(sizeof *m);
  if (!m) return sc_measure_no_memory(error), NULL;
  *m = (memory){.everywhere = !def->region, .group = def->group};
  if (def->region) m->region = *def->region;
  return m;
}

static void destroy_displacement(void *data) {
  sc_free(((memory *)data)->from);
  sc_free(data);
}

static void reset_displacement(void *data) {
  memory *m = data;
  m->count = 0, m->tally = (tally){0};
}

/* Stores the grains of the first sample and their positions. */
static bool store_grains(memory *m, const scree_frame *f) {
  for (int64_t i = 0; i < f->bodies; i++) {
    if (!sc_measure_grain(f, i, m->everywhere ? NULL : &m->region, m->group)) continue;
    if (!SC_GROW(m->from, m->capacity, (size_t)m->count + 1)) return false;
    m->from[m->count] = (place){.id = f->id[i]};
    memcpy(m->from[m->count++].x, f->position + 3 * i, sizeof m->from->x);
  }
  m->tally.start = f->time;
  return true;
}

static scree_status add_displacement(void *data, const scree_frame *f, scree_error *error) {
  memory *m = data;
  tally *t = &m->tally;
  if (!t->looks && !store_grains(m, f)) return reset_displacement(m), sc_measure_no_memory(error);
  *t = (tally){.looks = t->looks + 1, .start = t->start, .time = f->time};
  int64_t i = 0;
  for (int64_t n = 0; n < m->count; n++) {
    while (i < f->bodies && f->id[i] < m->from[n].id) i++;
    if (i == f->bodies || f->id[i] != m->from[n].id) continue;
    t->grains++;
    for (int k = 0; k < 3; k++) {
      const double d = f->position[3 * i + k] - m->from[n].x[k];
      t->sum[k] += d, t->square[k] += d * d;
    }
  }
  return SCREE_OK;
}

static scree_status get_displacement(void *data, scree_measure_result *out, scree_error *error) {
  const tally *t = &((const memory *)data)->tally;
  (void)error;
  const double n = t->grains ? (double)t->grains : NAN;
  for (int k = 0; k < 3; k++) {
    sc_measure_set(out, SQUARE + k, t->square[k] / n);
    sc_measure_set(out, DRIFT + k, t->sum[k] / n);
  }
  sc_measure_set(out, MSD, (t->square[0] + t->square[1] + t->square[2]) / n);
  sc_measure_set(out, GRAINS, (double)t->grains);
  sc_measure_set(out, TIME, t->time - t->start);
  return SCREE_OK;
}

static scree_status save_displacement(const void *data, void **bytes, size_t *count, scree_error *error) {
  const memory *m = data;
  const size_t places = (size_t)m->count * sizeof(place);
  char *block = sc_alloc(sizeof(tally) + places);
  if (!block) return sc_measure_no_memory(error);
  memcpy(block, &m->tally, sizeof(tally));
  if (places) memcpy(block + sizeof(tally), m->from, places);
  *bytes = block, *count = sizeof(tally) + places;
  return SCREE_OK;
}

static scree_status load_displacement(void *data, const void *bytes, size_t count, scree_error *error) {
  memory *m = data;
  if (count < sizeof(tally) || (count - sizeof(tally)) % sizeof(place))
    return sc_fail(error, SCREE_E_FORMAT, "the saved displacement is damaged");
  const size_t places = (count - sizeof(tally)) / sizeof(place);
  if (!SC_GROW(m->from, m->capacity, places)) return sc_measure_no_memory(error);
  memcpy(&m->tally, bytes, sizeof(tally));
  if (places) memcpy(m->from, (const char *)bytes + sizeof(tally), places * sizeof(place));
  m->count = (int64_t)places;
  return SCREE_OK;
}

const scree_measure_kind sc_measure_displacement = {.name = "displacement",
    .doc = "how far grains have come since the first look",
    SC_MEASURE_TABLES,
    SC_MEASURE_FUNCTIONS(displacement)};
