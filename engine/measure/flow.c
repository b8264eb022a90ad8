/* Flow: which grains enter and leave a region from frame to frame, and how long they stay.
 *
 * The list of grains inside is sorted by id. It contains their masses and times of entry. Frames are sorted
 * by id too, so a sample is a merge of two lists.
 *
 * A plane across a periodic edge of a cell has an image in every cell. For such a plane the list contains all
 * grains, each with the number of its layer between two images of the plane. Grains that cross the plane or
 * an image along the normal leave, grains that cross against the normal enter. Positions are not wrapped, so
 * passing a face does not count by itself. In a sheared cell the other edges may cross the plane, too. In the
 * next cell along such an edge the plane is shifted by the edge. A grain that lies m cells further along an
 * edge vector e therefore counts at its position minus m e.
 *
 * Rates are differences of the masses, divided by the time, over the window, or between the last two calls of
 * scree_flow_get. With a window the masses of each sample are stored. */
#include "math/vec.h"
#include "measure/measure.h"

#include <math.h>
#include <string.h>

typedef struct guest {
  uint64_t id;
  double mass, since; /* mass [kg]; time of entry [s], NAN if the body was inside at the start */
  int64_t layer;      /* plane with images: number of the layer between two images in which the body lies;
                         otherwise 0 */
  int64_t shown;      /* plane with images: 1 if the position in the frame is inside the region, else 0;
                         without images always 1 */
  int64_t cells[3];   /* plane with images: index of the body's cell along each edge; otherwise 0 */
} guest;

/* Masses that have entered and left the region until `time` [kg]. */
typedef struct account {
  double time, entered, left;
} account;

typedef struct tally {
  int64_t frames, entered, left, vanished, stays;
  double sum, squares, start;
  /* now: at the last sample; last, before: at the last and at the last but one call of scree_flow_get */
  account now, last, before;
} tally;

/* Images of a plane across a periodic edge of a cell. Lengths are measured along the normal of the plane and
 * multiplied by the length of the normal. */
typedef struct images {
  int64_t edge;    /* edge that the plane crosses, 0 to 2; -1: the plane has no images */
  double distance; /* distance between adjacent images of the plane; 0: the plane has no images */
  /* shifts of the plane along the edges at the last sample; 0 for `edge`. The shifts are continuous in time,
   * because they do not change if the cell is mapped to another cell of the lattice. */
  double shift[3];
} images;

struct scree_flow {
  scree_region region;
  int64_t group, count, next_count;
  size_t capacity, next_capacity;
  guest *inside, *next;
  double window; /* averaging time of rates [s]; 0: since the last scree_flow_get */
  account *past; /* masses at the samples within the window and at the last sample before the window, in order
                    of time */
  int64_t past_count;
  size_t past_capacity;
  tally tally;
  images images;
};

scree_flow *scree_flow_create(const scree_region *region, int64_t group, scree_error *error) {
  SC_DEMAND(region, error, NULL);
  scree_flow *flow = sc_alloc(sizeof *flow);
  if (!flow) {
    sc_fail(error, SCREE_E_MEMORY, "no memory for a flow");
    return NULL;
  }
  *flow = (scree_flow){.region = *region, .group = group, .images.edge = -1};
  return flow;
}

void scree_flow_set_window(scree_flow *flow, double seconds) {
  SC_DEMAND(flow, NULL, );
  flow->window = seconds > 0 ? seconds : 0;
}

void scree_flow_destroy(scree_flow *flow) {
  if (!flow) return;
  sc_free(flow->inside);
  sc_free(flow->next);
  sc_free(flow->past);
  sc_free(flow);
}

/* ---- planes across a cell ---- */

static void get_edge(const scree_frame *f, int k, double edge[3]) {
  const double *H = f->cell.matrix;
  sc_set3(H[k], H[3 + k], H[6 + k], edge);
}

/* At the first sample, finds the periodic edge of the cell that the plane crosses. If the plane crosses
 * several edges, chooses the edge parallel to the plane's normal. Fails if none of these edges is parallel to
 * the normal. */
static scree_status find_edge(scree_flow *flow, const scree_frame *f, scree_error *error) {
  const double *n = flow->region.axis;
  int crossed[3], count = 0;
  if (flow->region.type != SCREE_REGION_HALFSPACE || !f->has_cell) return SCREE_OK;
  for (int k = 0; k < 3; k++) {
    double edge[3];
    get_edge(f, k, edge);
    if (f->cell.periodic[k] && fabs(sc_dot(n, edge)) > 1e-9 * sc_norm(edge) * sc_norm(n))
      crossed[count++] = k;
  }
  for (int i = 0; i < count; i++) {
    double edge[3], across[3];
    get_edge(f, crossed[i], edge);
    sc_cross(n, edge, across);
    if (count > 1 && !(sc_norm(across) <= 1e-9 * sc_norm(edge) * sc_norm(n))) continue;
    flow->images.edge = crossed[i];
    return SCREE_OK;
  }
  return count
      ? sc_fail(error, SCREE_E_ARGUMENT,
            "flow: the plane with normal {%g, %g, %g} crosses edges %d and %d of the periodic cell; it "
            "must be parallel to all periodic edges but one",
            n[0], n[1], n[2], crossed[0] + 1, crossed[1] + 1)
      : SCREE_OK;
}

/* Updates distance and shifts of the plane's images from the cell of a sample. */
static void follow_cell(scree_flow *flow, const scree_frame *f) {
  images *m = &flow->images;
  double edge[3];
  if (m->edge < 0 || !f->has_cell) {
    m->distance = 0;
    return;
  }
  get_edge(f, (int)m->edge, edge);
  m->distance = fabs(sc_dot(flow->region.axis, edge));
  for (int k = 0; k < 3 && m->distance > 0; k++) {
    if (k == m->edge || !f->cell.periodic[k]) continue;
    get_edge(f, k, edge);
    const double along = sc_dot(flow->region.axis, edge);
    m->shift[k] = flow->tally.frames ? along - m->distance * rint((along - m->shift[k]) / m->distance)
                                     : along;
  }
}

/* Computes the index of the cell in which body i lies, along each edge that shifts the plane; 0 along other
 * edges. */
static void find_cells(const scree_flow *flow, const scree_frame *f, int64_t i, int64_t cells[3]) {
  double edge[3][3], normal[3];
  for (int k = 0; k < 3; k++) get_edge(f, k, edge[k]), cells[k] = 0;
  for (int k = 0; k < 3; k++) {
    if (flow->images.shift[k] == 0) continue;
    sc_cross(edge[(k + 1) % 3], edge[(k + 2) % 3], normal);
    cells[k] = (int64_t)floor(sc_dot(normal, f->position + 3 * i) / sc_dot(normal, edge[k]));
  }
}

/* Returns the layer of body i, as if the body lay in the cell with the indices `cells`. Layer 0 begins behind
 * the plane and ends at the next image of the plane. Layers increase in the direction in which grains
 * leave. */
static int64_t layer_of(const scree_flow *flow, const scree_frame *f, int64_t i, const int64_t cells[3]) {
  const images *m = &flow->images;
  double d[3];
  sc_sub(f->position + 3 * i, flow->region.point, d);
  double along = sc_dot(d, flow->region.axis);
  for (int k = 0; k < 3; k++) along -= (double)cells[k] * m->shift[k];
  const double layers = along / m->distance;
  return (int64_t)(flow->region.invert ? 1 - ceil(layers) : ceil(layers));
}

static void count_crossings(tally *t, double mass, int64_t layers) {
  if (layers > 0) t->left += layers, t->now.left += (double)layers * mass;
  if (layers < 0) t->entered -= layers, t->now.entered -= (double)layers * mass;
}

/* ---- samples ---- */

/* Counts a grain that has left the region. vanished: the grain has been removed from the world. */
static void count_leaving(scree_flow *flow, const guest *g, double time, bool vanished) {
  tally *t = &flow->tally;
  t->left++;
  t->vanished += vanished;
  t->now.left += g->mass;
  if (isnan(g->since)) return;
  t->stays++;
  t->sum += time - g->since;
  t->squares += (time - g->since) * (time - g->since);
}

static guest *next_guest(scree_flow *flow) {
  if (!SC_GROW(flow->next, flow->next_capacity, (size_t)flow->next_count + 1)) return NULL;
  return flow->next + flow->next_count++;
}

/* Adds body i, which is inside the region, to the new list. known: its entry in the old list; NULL: it has
 * entered since the last sample. */
static bool store_guest(scree_flow *flow, const scree_frame *f, int64_t i, const guest *known) {
  guest *g = next_guest(flow);
  if (!g) return false;
  if (known) {
    *g = *known;
    return true;
  }
  *g = (guest){f->id[i], f->mass[i], flow->tally.frames ? f->time : NAN, 0, 1, {0}};
  if (!flow->tally.frames) return true;
  flow->tally.entered++;
  flow->tally.now.entered += g->mass;
  return true;
}

/* Adds body i to the new list, for a plane with images. Counts the images that it has crossed since the last
 * sample. Its layer is computed with the cell indices of the last sample, so passing another face does not
 * count. */
static bool store_layer(scree_flow *flow, const scree_frame *f, int64_t i, const guest *known, bool shown) {
  guest *g = next_guest(flow);
  if (!g) return false;
  *g = (guest){f->id[i], f->mass[i], NAN, 0, shown, {0}};
  find_cells(flow, f, i, g->cells);
  g->layer = layer_of(flow, f, i, g->cells);
  if (known) count_crossings(&flow->tally, g->mass, layer_of(flow, f, i, known->cells) - known->layer);
  return true;
}

static bool sample_grains(scree_flow *flow, const scree_frame *f) {
  const double distance = flow->images.distance;
  int64_t old = 0;
  flow->next_count = 0;
  for (int64_t i = 0; i < f->bodies; i++) {
    for (; old < flow->count && flow->inside[old].id < f->id[i]; old++)
      if (!(distance > 0)) count_leaving(flow, flow->inside + old, f->time, true);
    const guest *known = old < flow->count && flow->inside[old].id == f->id[i] ? flow->inside + old++ : NULL;
    const bool now = sc_measure_grain(f, i, &flow->region, flow->group);
    if (distance > 0) {
      if (!sc_measure_grain(f, i, NULL, flow->group)) continue;
      if (!store_layer(flow, f, i, known, now)) return false;
      continue;
    }
    if (!now && known) count_leaving(flow, known, f->time, false);
    if (now && !store_guest(flow, f, i, known)) return false;
  }
  for (; old < flow->count && !(distance > 0); old++) count_leaving(flow, flow->inside + old, f->time, true);
  return true;
}

/* Adds the masses of a sample to flow->past. Removes samples that are no longer needed for the window.
 * Returns false if out of memory. */
static bool store_past(scree_flow *flow) {
  const account *now = &flow->tally.now;
  if (!(flow->window > 0)) return true;
  int64_t gone = 0;
  while (gone + 1 < flow->past_count && flow->past[gone + 1].time < now->time - 1.5 * flow->window) gone++;
  if (gone > flow->past_count / 2) {
    flow->past_count -= gone;
    memmove(flow->past, flow->past + gone, (size_t)flow->past_count * sizeof *flow->past);
  }
  if (!SC_GROW(flow->past, flow->past_capacity, (size_t)flow->past_count + 1)) return false;
  flow->past[flow->past_count++] = *now;
  return true;
}

scree_status scree_flow_add(scree_flow *flow, const scree_frame *f, scree_error *error) {
  SC_DEMAND(flow && f, error, SCREE_E_ARGUMENT);
  tally *t = &flow->tally;
  const bool first = !t->frames;
  const scree_status status = first ? find_edge(flow, f, error) : SCREE_OK;
  if (status != SCREE_OK) return status;
  follow_cell(flow, f);
  if (!sample_grains(flow, f))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for a flow of %lld grains", (long long)flow->next_count);
  guest *swap = flow->inside;
  size_t capacity = flow->capacity;
  flow->inside = flow->next, flow->capacity = flow->next_capacity, flow->count = flow->next_count;
  flow->next = swap, flow->next_capacity = capacity;
  t->frames++;
  t->now.time = f->time;
  if (first) t->start = f->time, t->last = t->before = t->now;
  return store_past(flow) ? SCREE_OK : sc_fail(error, SCREE_E_MEMORY, "no memory for the past of a flow");
}

/* ---- figures ---- */

/* Returns the masses at the latest sample that is at least one window before the last sample; at the start if
 * there is none. */
static account window_start(const scree_flow *flow) {
  const tally *t = &flow->tally;
  const double from = t->now.time - flow->window * (1 - 1e-9);
  account found = {t->start, 0, 0};
  for (int64_t i = 0; i < flow->past_count && flow->past[i].time <= from; i++) found = flow->past[i];
  return found;
}

void scree_flow_get(scree_flow *flow, scree_flow_result *r) {
  SC_DEMAND(flow && r, NULL, );
  tally *t = &flow->tally;
  const double n = (double)t->stays;
  *r = (scree_flow_result){.entered = t->entered,
      .left = t->left,
      .vanished = t->vanished,
      .mass_entered = t->now.entered,
      .mass_left = t->now.left,
      .stays = t->stays,
      .start = t->start,
      .time = t->now.time};
  for (int64_t i = 0; i < flow->count; i++)
    if (flow->inside[i].shown) r->inside++, r->mass_inside += flow->inside[i].mass;
  if (t->now.time > t->last.time) t->before = t->last, t->last = t->now;
  const account from = flow->window > 0 ? window_start(flow) : t->before;
  const double span = t->now.time - from.time;
  if (span > 0) r->rate_entered = (t->now.entered - from.entered) / span;
  if (span > 0) r->rate_left = (t->now.left - from.left) / span;
  r->residence = n > 0 ? t->sum / n : NAN;
  r->residence_deviation = n > 1 ? sqrt(fmax(0, (t->squares - t->sum * t->sum / n) / (n - 1))) : NAN;
}

void scree_flow_reset(scree_flow *flow) {
  SC_DEMAND(flow, NULL, );
  const account now = {.time = flow->tally.now.time};
  flow->tally = (tally){
      .frames = flow->tally.frames, .start = now.time, .now = now, .last = now, .before = now};
  flow->past_count = 0;
}

/* ---- checkpoints ---- */

/* Version of the saved data. Data of version 1 begin with the number of samples, which is not negative, and
 * contain only the rates since the start. Data of version 2 lack the cells of grains, and contain only
 * samples at which masses had changed. */
enum { FORMAT = 3 };

typedef struct saved {
  int64_t format; /* version of the format, negative (-FORMAT) */
  tally tally;
  images images;
  int64_t guests, past;
} saved;

scree_status scree_flow_save(const scree_flow *flow, void **bytes, size_t *count, scree_error *error) {
  SC_DEMAND(flow && bytes && count, error, SCREE_E_ARGUMENT);
  const size_t guests = (size_t)flow->count * sizeof(guest),
               past = (size_t)flow->past_count * sizeof(account);
  const saved head = {-FORMAT, flow->tally, flow->images, flow->count, flow->past_count};
  char *block = sc_alloc(sizeof head + guests + past);
  if (!block) return sc_fail(error, SCREE_E_MEMORY, "no memory to save a flow");
  memcpy(block, &head, sizeof head);
  if (guests) memcpy(block + sizeof head, flow->inside, guests);
  if (past) memcpy(block + sizeof head + guests, flow->past, past);
  *bytes = block, *count = sizeof head + guests + past;
  return SCREE_OK;
}

scree_status scree_flow_load(scree_flow *flow, const void *bytes, size_t count, scree_error *error) {
  saved head;
  int64_t format = 0;
  SC_DEMAND(flow && bytes, error, SCREE_E_ARGUMENT);
  const int64_t most = (int64_t)(count / sizeof(account));
  if (count >= sizeof format) memcpy(&format, bytes, sizeof format);
  if (count >= sizeof format && format != -FORMAT)
    return sc_fail(error, SCREE_E_FORMAT,
        "the saved flow has format version %lld; this program reads version %d",
        format < 0 ? -(long long)format : 1LL, FORMAT);
  if (count >= sizeof head) memcpy(&head, bytes, sizeof head);
  if (count < sizeof head || head.guests < 0 || head.guests > most || head.past < 0 || head.past > most ||
      head.images.edge < -1 || head.images.edge > 2 ||
      count != sizeof head + (size_t)head.guests * sizeof(guest) + (size_t)head.past * sizeof(account))
    return sc_fail(error, SCREE_E_FORMAT, "the saved flow is damaged");
  const size_t guests = (size_t)head.guests * sizeof(guest), past = (size_t)head.past * sizeof(account);
  if (!SC_GROW(flow->inside, flow->capacity, (size_t)head.guests) ||
      !SC_GROW(flow->past, flow->past_capacity, (size_t)head.past))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to load a flow");
  const char *rest = (const char *)bytes + sizeof head;
  if (guests) memcpy(flow->inside, rest, guests);
  if (past) memcpy(flow->past, rest + guests, past);
  flow->tally = head.tally, flow->images = head.images, flow->count = head.guests,
  flow->past_count = head.past;
  return SCREE_OK;
}

/* ---- the kind ---- */

typedef struct keys {
  scree_measure_def head;
  double window;
} keys;
static const scree_param params[] = {
    SC_MEASURE_PART("region", SCREE_REQUIRED, "what is entered and left; a half-space for a plane"),
    SC_MEASURE_GROUP,
    {"window", SCREE_REAL, 0, "s", 0, 0, INFINITY, SC_MEASURE_AT(window), NULL,
        "averaging time of rates; 0: since the last call of get"},
};
static const scree_measure_field fields[] = {{"inside", "inside", SCREE_WHOLE},
    {"entered", "entered", SCREE_WHOLE}, {"left", "left", SCREE_WHOLE}, {"vanished", NULL, SCREE_WHOLE},
    {"stays", NULL, SCREE_WHOLE}, {"mass_inside", NULL, SCREE_FIGURE},
    {"mass_entered", "mass_entered", SCREE_FIGURE}, {"mass_left", "mass_left", SCREE_FIGURE},
    {"rate_entered", "rate_entered", SCREE_FIGURE}, {"rate_left", "rate_left", SCREE_FIGURE},
    {"residence", "residence", SCREE_FIGURE}, {"residence_deviation", NULL, SCREE_FIGURE},
    {"start", NULL, SCREE_FIGURE}, {"time", NULL, SCREE_FIGURE}};

static void *create_flow(const scree_measure_def *def, scree_error *error) {
  scree_flow *flow = scree_flow_create(def->region, def->group, error);
  if (flow) scree_flow_set_window(flow, ((const keys *)def)->window);
  return flow;
}
static void destroy_flow(void *memory) { scree_flow_destroy(memory); }
static scree_status add_flow(void *memory, const scree_frame *frame, scree_error *error) {
  return scree_flow_add(memory, frame, error);
}
static scree_status get_flow(void *memory, scree_measure_result *out, scree_error *error) {
  scree_flow_result r;
  if (!((const scree_flow *)memory)->tally.frames)
    return sc_fail(error, SCREE_E_ARGUMENT, "flow: it has no sample yet; call add() before get()");
  scree_flow_get(memory, &r);
  const double figure[] = {(double)r.inside, (double)r.entered, (double)r.left, (double)r.vanished,
      (double)r.stays, r.mass_inside, r.mass_entered, r.mass_left, r.rate_entered, r.rate_left, r.residence,
      r.residence_deviation, r.start, r.time};
  for (int i = 0; i < SC_MEASURE_COUNT(fields); i++) sc_measure_set(out, i, figure[i]);
  return SCREE_OK;
}
static void reset_flow(void *memory) { scree_flow_reset(memory); }
static scree_status save_flow(const void *memory, void **bytes, size_t *count, scree_error *error) {
  return scree_flow_save(memory, bytes, count, error);
}
static scree_status load_flow(void *memory, const void *bytes, size_t count, scree_error *error) {
  return scree_flow_load(memory, bytes, count, error);
}

const scree_measure_kind sc_measure_flow = {.name = "flow",
    .doc = "what enters and leaves a region, and how long it stays",
    SC_MEASURE_TABLES,
    SC_MEASURE_FUNCTIONS(flow)};
