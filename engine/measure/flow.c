/* Flow: which grains enter and leave a region from frame to frame, and how long they stay.
 *
 * The memory is the list of grains inside, sorted by id, with mass and time of entry. Frames are sorted
 * by id too, so one look is a merge of two lists. */
#include "measure/measure.h"

#include <math.h>
#include <string.h>

typedef struct guest {
  uint64_t id;
  double mass, since;
} guest; /* since: NAN if there from the start */

typedef struct tally {
  int64_t frames, entered, left, vanished, stays;
  double mass_entered, mass_left, sum, squares, start, time;
} tally;

struct scree_flow {
  scree_region region;
  int64_t group, count, next_count;
  size_t capacity, next_capacity;
  guest *inside, *next;
  tally tally;
};

scree_flow *scree_flow_create(const scree_region *region, int64_t group, scree_error *error) {
  scree_flow *flow = sc_alloc(sizeof *flow);
  if (!flow) {
    sc_fail(error, SCREE_E_MEMORY, "no memory for a flow");
    return NULL;
  }
  *flow = (scree_flow){.region = *region, .group = group};
  return flow;
}

void scree_flow_destroy(scree_flow *flow) {
  if (!flow) return;
  sc_free(flow->inside);
  sc_free(flow->next);
  sc_free(flow);
}

/* A grain has gone: out of the region, or out of the world. */
static void leave(scree_flow *flow, const guest *g, double time, bool vanished) {
  tally *t = &flow->tally;
  t->left++;
  t->vanished += vanished;
  t->mass_left += g->mass;
  if (isnan(g->since)) return;
  t->stays++;
  t->sum += time - g->since;
  t->squares += (time - g->since) * (time - g->since);
}

/* A grain is inside now; known is its entry in the list, or NULL. */
static bool keep(scree_flow *flow, const scree_frame *f, int64_t i, const guest *known) {
  if (!SC_GROW(flow->next, flow->next_capacity, (size_t)flow->next_count + 1)) return false;
  guest *g = flow->next + flow->next_count++;
  if (known) {
    *g = *known;
    return true;
  }
  *g = (guest){f->id[i], f->mass[i], flow->tally.frames ? f->time : NAN};
  if (!flow->tally.frames) return true;
  flow->tally.entered++;
  flow->tally.mass_entered += g->mass;
  return true;
}

scree_status scree_flow_add(scree_flow *flow, const scree_frame *f, scree_error *error) {
  int64_t old = 0;
  flow->next_count = 0;
  for (int64_t i = 0; i < f->bodies; i++) {
    for (; old < flow->count && flow->inside[old].id < f->id[i]; old++)
      leave(flow, flow->inside + old, f->time, true);
    const guest *known = old < flow->count && flow->inside[old].id == f->id[i] ? flow->inside + old++ : NULL;
    bool now = sc_measure_grain(f, i, &flow->region, flow->group);
    if (!now && known) leave(flow, known, f->time, false);
    if (now && !keep(flow, f, i, known))
      return sc_fail(
          error, SCREE_E_MEMORY, "no memory for a flow of %lld grains", (long long)flow->next_count);
  }
  for (; old < flow->count; old++) leave(flow, flow->inside + old, f->time, true);
  guest *swap = flow->inside;
  size_t capacity = flow->capacity;
  flow->inside = flow->next, flow->capacity = flow->next_capacity, flow->count = flow->next_count;
  flow->next = swap, flow->next_capacity = capacity;
  if (!flow->tally.frames++) flow->tally.start = f->time;
  flow->tally.time = f->time;
  return SCREE_OK;
}

void scree_flow_get(const scree_flow *flow, scree_flow_result *r) {
  const tally *t = &flow->tally;
  double span = t->time - t->start, n = (double)t->stays;
  *r = (scree_flow_result){.inside = flow->count,
      .entered = t->entered,
      .left = t->left,
      .vanished = t->vanished,
      .mass_entered = t->mass_entered,
      .mass_left = t->mass_left,
      .stays = t->stays,
      .start = t->start,
      .time = t->time};
  for (int64_t i = 0; i < flow->count; i++) r->mass_inside += flow->inside[i].mass;
  if (span > 0) r->rate_entered = t->mass_entered / span, r->rate_left = t->mass_left / span;
  r->residence = n > 0 ? t->sum / n : NAN;
  r->residence_deviation = n > 1 ? sqrt(fmax(0, (t->squares - t->sum * t->sum / n) / (n - 1))) : NAN;
}

void scree_flow_reset(scree_flow *flow) {
  double now = flow->tally.time;
  int64_t frames = flow->tally.frames;
  flow->tally = (tally){.frames = frames, .start = now, .time = now};
}

scree_status scree_flow_save(const scree_flow *flow, void **bytes, size_t *count, scree_error *error) {
  size_t guests = (size_t)flow->count * sizeof(guest);
  char *block = sc_alloc(sizeof(tally) + guests);
  if (!block) return sc_fail(error, SCREE_E_MEMORY, "no memory to save a flow");
  memcpy(block, &flow->tally, sizeof(tally));
  if (guests) memcpy(block + sizeof(tally), flow->inside, guests);
  *bytes = block, *count = sizeof(tally) + guests;
  return SCREE_OK;
}

scree_status scree_flow_load(scree_flow *flow, const void *bytes, size_t count, scree_error *error) {
  if (count < sizeof(tally) || (count - sizeof(tally)) % sizeof(guest))
    return sc_fail(error, SCREE_E_FORMAT, "the saved flow is damaged");
  size_t guests = (count - sizeof(tally)) / sizeof(guest);
  if (!SC_GROW(flow->inside, flow->capacity, guests))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to load a flow");
  memcpy(&flow->tally, bytes, sizeof(tally));
  if (guests) memcpy(flow->inside, (const char *)bytes + sizeof(tally), guests * sizeof(guest));
  flow->count = (int64_t)guests;
  return SCREE_OK;
}

/* ---- the kind ---- */

typedef struct keys {
  scree_measure_def head;
} keys;
static const scree_param params[] = {
    SC_MEASURE_PART("region", SCREE_REQUIRED, "what is entered and left; a half-space for a plane"),
    SC_MEASURE_GROUP,
};
static const scree_measure_field fields[] = {{"inside", "inside", SCREE_WHOLE},
    {"entered", "entered", SCREE_WHOLE}, {"left", "left", SCREE_WHOLE}, {"vanished", NULL, SCREE_WHOLE},
    {"stays", NULL, SCREE_WHOLE}, {"mass_inside", NULL, SCREE_FIGURE}, {"mass_entered", NULL, SCREE_FIGURE},
    {"mass_left", "mass_left", SCREE_FIGURE}, {"rate_entered", NULL, SCREE_FIGURE},
    {"rate_left", "rate_left", SCREE_FIGURE}, {"residence", "residence", SCREE_FIGURE},
    {"residence_deviation", NULL, SCREE_FIGURE}, {"start", NULL, SCREE_FIGURE}, {"time", NULL, SCREE_FIGURE}};

static void *create(const scree_measure_def *def, scree_error *error) {
  return scree_flow_create(def->region, def->group, error);
}
static void destroy(void *memory) { scree_flow_destroy(memory); }
static scree_status add(void *memory, const scree_frame *frame, scree_error *error) {
  return scree_flow_add(memory, frame, error);
}
static scree_status get(const void *memory, scree_measure_result *out, scree_error *error) {
  scree_flow_result r;
  (void)error;
  scree_flow_get(memory, &r);
  const double figure[] = {(double)r.inside, (double)r.entered, (double)r.left, (double)r.vanished,
      (double)r.stays, r.mass_inside, r.mass_entered, r.mass_left, r.rate_entered, r.rate_left, r.residence,
      r.residence_deviation, r.start, r.time};
  for (int i = 0; i < SC_MEASURE_COUNT(fields); i++) sc_measure_set(out, i, figure[i]);
  return SCREE_OK;
}
static void reset(void *memory) { scree_flow_reset(memory); }
static scree_status save(const void *memory, void **bytes, size_t *count, scree_error *error) {
  return scree_flow_save(memory, bytes, count, error);
}
static scree_status load(void *memory, const void *bytes, size_t count, scree_error *error) {
  return scree_flow_load(memory, bytes, count, error);
}

const scree_measure_kind sc_measure_flow = {.name = "flow",
    .doc = "what enters and leaves a region, and how long it stays",
    SC_MEASURE_TABLES,
    SC_MEASURE_FUNCTIONS};
