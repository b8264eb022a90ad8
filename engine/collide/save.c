/* The collision stage as plain bytes, for checkpoints: the list, its anchors and the memory of contacts,
 * so that the steps after a restart are those that would have followed. Layout: header, pairs, anchors,
 * alias, origin, ranks, contacts, their geometry, states, drifts, what is counted for the skin; in the
 * byte order of the machine, which the checkpoint's container records. Alias, origin and ranks are there
 * even where no names are kept (header: straight), the counts not in pieces (save_piece.c) and in what
 * was written before they were. */
#include <string.h>
#include "collide/save.h"

/* Bytes of the stretches, in order. */
static void measure(const sc_list_header *h, size_t bytes[SC_LIST_STRETCHES]) {
  bytes[SC_LIST_PAIRS] = (size_t)h->pairs * sizeof(sc_pair);
  bytes[SC_LIST_ANCHORS] = (size_t)h->known * sizeof(sc_saved_anchor);
  bytes[SC_LIST_ALIAS] = (size_t)h->listed * sizeof(int32_t);
  bytes[SC_LIST_ORIGIN] = bytes[SC_LIST_RANKS] = (size_t)h->known * sizeof(int32_t);
  bytes[SC_LIST_CONTACTS] = (size_t)h->contacts * sizeof(sc_kept);
  bytes[SC_LIST_TOUCHES] = (size_t)h->contacts * sizeof(sc_touch);
  bytes[SC_LIST_STATES] = (size_t)h->contacts * (size_t)h->stride * sizeof(double);
  bytes[SC_LIST_DRIFTS] = h->drifts
      ? sizeof(sc_saved_drift) + (size_t)h->drifts * 3 * sizeof(double) + (size_t)h->known * sizeof(int32_t)
      : 0;
}

static size_t total(const size_t bytes[SC_LIST_STRETCHES]) {
  size_t sum = sizeof(sc_list_header);
  for (int k = 0; k < SC_LIST_STRETCHES; k++) sum += bytes[k];
  return sum;
}

static void pack_anchors(const sc_collide *collide, const sc_shapes *shapes, unsigned char *to) {
  for (int32_t row = 0; row < collide->known; row++, to += sizeof(sc_saved_anchor)) {
    const sc_anchor *anchor = collide->anchor + row;
    int32_t form = shapes->row[row].form;
    sc_saved_anchor saved = {.slack = (double)anchor->slack};
    memcpy(saved.position, anchor->position, sizeof saved.position);
    if (form >= 0 && (size_t)form < collide->turned_capacity) {
      memcpy(saved.orientation, collide->turned[form].orientation, sizeof saved.orientation);
      saved.lever = collide->turned[form].lever;
    }
    memcpy(to, &saved, sizeof saved);
  }
}

static void unpack_anchors(sc_collide *collide, const sc_shapes *shapes, const unsigned char *from) {
  for (int32_t row = 0; row < collide->known; row++, from += sizeof(sc_saved_anchor)) {
    int32_t form = shapes->row[row].form;
    sc_saved_anchor saved;
    memcpy(&saved, from, sizeof saved);
    collide->anchor[row].slack = sc_collide_rounded_down(saved.slack), collide->anchor[row].drift = 0;
    memcpy(collide->anchor[row].position, saved.position, sizeof saved.position);
    if (form < 0) continue;
    memcpy(collide->turned[form].orientation, saved.orientation, sizeof saved.orientation);
    collide->turned[form].lever = saved.lever;
  }
}

/* Names, each its row where none are kept. */
static void pack_names(const sc_collide *collide, const int32_t *names, size_t bytes, unsigned char *to) {
  if (collide->names_capacity && bytes) memcpy(to, names, bytes);
  for (int32_t row = 0; (size_t)row < bytes / sizeof row && !collide->names_capacity; row++)
    memcpy(to + (size_t)row * sizeof row, &row, sizeof row);
}

static void put(unsigned char **to, const void *from, size_t bytes) {
  if (bytes) memcpy(*to, from, bytes);
  *to += bytes;
}

static void put_drifts(const sc_collide *c, unsigned char **to) {
  sc_saved_drift s = {c->span, c->half, c->elapsed, c->stepped, c->difference, c->typical, c->mended};
  if (!c->drifts) return;
  put(to, &s, sizeof s);
  put(to, c->drift, (size_t)c->drifts * sizeof *c->drift);
  for (int32_t row = 0; row < c->known; row++) put(to, &c->anchor[row].drift, sizeof c->anchor->drift);
}

/* The geometry of all contacts, kept or not. */
static void put_touches(const sc_collide *collide, const sc_shapes *shapes, unsigned char *to) {
  for (int32_t c = 0; c < collide->now.count; c++) {
    sc_contact contact;
    sc_touch touch;
    memset(&touch, 0, sizeof touch); /* the gap at its end, too */
    sc_collide_contact(collide, shapes, c, &contact);
    memcpy(touch.point, contact.point, sizeof touch.point);
    memcpy(touch.normal, contact.normal, sizeof touch.normal);
    touch.gap = contact.gap, touch.feature = contact.feature;
    memcpy(to + (size_t)c * sizeof touch, &touch, sizeof touch);
  }
}

scree_status sc_collide_save(
    const sc_collide *collide, const sc_shapes *shapes, void **bytes, size_t *count) {
  sc_list_header h = {.magic = SC_LIST_MAGIC,
      .rebuilds = collide->rebuilds,
      .pairs_built = collide->counted.pairs[SC_SHARES - 1],
      .pairs_near = collide->counted.pairs[0],
      .factor = collide->factor,
      .used = collide->used,
      .work = collide->work,
      .age = collide->age,
      .lived = collide->lived,
      .straight = !collide->names_capacity,
      .drifts = collide->drifts,
      .dirty = collide->dirty,
      .removals = collide->removals,
      .known = collide->known,
      .listed = collide->listed,
      .pairs = collide->pairs,
      .contacts = collide->now.count,
      .stride = collide->now.stride,
      .contact_bytes = SC_CONTACT_BYTES};
  size_t part[SC_LIST_STRETCHES];
  measure(&h, part);
  *count = total(part) + sizeof collide->counted;
  unsigned char *to = *bytes = sc_alloc(*count);
  if (!to) return SCREE_E_MEMORY;
  put(&to, &h, sizeof h);
  put(&to, collide->pair, part[SC_LIST_PAIRS]);
  pack_anchors(collide, shapes, to);
  to += part[SC_LIST_ANCHORS];
  const int32_t *names[] = {collide->alias, collide->origin, collide->rank};
  for (int k = 0; k < 3; k++) {
    pack_names(collide, names[k], part[SC_LIST_ALIAS + k], to);
    to += part[SC_LIST_ALIAS + k];
  }
  put(&to, collide->now.row, part[SC_LIST_CONTACTS]);
  put_touches(collide, shapes, to);
  to += part[SC_LIST_TOUCHES];
  put(&to, collide->now.state, part[SC_LIST_STATES]);
  put_drifts(collide, &to);
  put(&to, &collide->counted, sizeof collide->counted);
  return SCREE_OK;
}

int64_t sc_collide_saved_contacts(const void *bytes, size_t count) {
  sc_list_header h;
  if (count < sizeof h) return 0;
  memcpy(&h, bytes, sizeof h);
  return h.contacts;
}

static bool sane(const sc_list_header *h, size_t count) {
  return h->magic == SC_LIST_MAGIC && h->contact_bytes == SC_CONTACT_BYTES && h->known >= 0 &&
      h->listed >= h->known && h->pairs >= 0 && h->contacts >= 0 && h->stride >= 0 && h->stride <= 4096 &&
      (size_t)h->pairs <= count && (size_t)h->listed <= count && (size_t)h->contacts <= count &&
      h->drifts >= 0 && (size_t)h->drifts <= count && h->rebuilds >= 0 && h->factor > 0 && h->factor < 1e3;
}

/* Rows and pairs must lie in range before anything follows them. */
static bool consistent(const sc_collide *collide) {
  for (int32_t p = 0; p < collide->pairs; p++) {
    sc_pair pair = collide->pair[p];
    if (pair.one < 0 || pair.one >= collide->listed || pair.two < 0 || pair.two >= collide->listed)
      return false;
  }
  if (!collide->removals && collide->listed != collide->known) return false;
  for (int32_t k = 0; k < collide->listed; k++)
    if (sc_names_alias(collide, k) < -1 || sc_names_alias(collide, k) >= collide->known) return false;
  for (int32_t k = 0; k < collide->known; k++)
    if (collide->anchor[k].drift < 0 ||
        collide->anchor[k].drift > (collide->drifts ? collide->drifts - 1 : 0))
      return false;
  for (int32_t k = 0; k < collide->known; k++)
    if (sc_names_origin(collide, k) < -1 || sc_names_origin(collide, k) >= collide->listed ||
        sc_names_rank(collide, k) < 0)
      return false;
  for (int32_t c = 0; c < collide->now.count; c++) {
    int32_t pair = collide->now.row[c].pair;
    if (pair < 0 || pair >= collide->pairs || (c && pair < collide->now.row[c - 1].pair)) return false;
  }
  return true;
}

static void get(void *to, const unsigned char **from, size_t bytes) {
  if (bytes) memcpy(to, *from, bytes);
  *from += bytes;
}

static void get_drifts(sc_collide *c, const unsigned char **from) {
  sc_saved_drift s;
  if (!c->drifts) return;
  get(&s, from, sizeof s);
  c->span = s.span, c->half = s.half, c->elapsed = s.elapsed, c->stepped = s.stepped;
  c->difference = s.difference, c->typical = s.typical, c->mended = s.mended;
  get(c->drift, from, (size_t)c->drifts * sizeof *c->drift);
  for (int32_t row = 0; row < c->known; row++) get(&c->anchor[row].drift, from, sizeof c->anchor->drift);
}

/* An empty memory with room for what the header says, geometry with it. */
static bool keep_room(sc_memory *now, const sc_list_header *h) {
  now->count = 0;
  return sc_memory_shape(now, h->stride, true) && sc_memory_reserve(now, (size_t)h->contacts);
}

static bool reserve(sc_collide *collide, const sc_shapes *shapes, const sc_list_header *h) {
  bool named = !h->straight || h->removals || collide->names_capacity;
  return SC_GROW_LEAN(collide->pair, collide->pair_capacity, (size_t)h->pairs) &&
      SC_GROW_LEAN(collide->anchor, collide->anchor_capacity, (size_t)h->known) &&
      SC_GROW_LEAN(collide->drift, collide->drift_capacity, (size_t)h->drifts) &&
      SC_GROW_LEAN(collide->turned, collide->turned_capacity, (size_t)shapes->forms) &&
      (!named || sc_names_keep(collide, (size_t)h->listed)) && keep_room(&collide->now, h);
}

static void take_header(sc_collide *collide, const sc_list_header *h) {
  collide->known = h->known, collide->listed = h->listed, collide->pairs = h->pairs,
  collide->now.count = h->contacts;
  collide->rebuilds = h->rebuilds, collide->cached = 0;
  collide->dirty = h->dirty, collide->removals = h->removals;
  collide->age = h->age, collide->lived = h->lived, collide->factor = h->factor, collide->used = h->used,
  collide->work = h->work;
  collide->drifts = h->drifts, collide->mended = 0;
}

scree_status sc_collide_load(
    sc_collide *collide, const sc_shapes *shapes, const void *bytes, size_t count, scree_error *error) {
  sc_list_header h;
  size_t part[SC_LIST_STRETCHES];
  if (count < sizeof h)
    return sc_fail(error, SCREE_E_FORMAT, "collision state: %zu bytes are too few for its header", count);
  memcpy(&h, bytes, sizeof h);
  if (!sane(&h, count) || h.known > shapes->count)
    return sc_fail(error, SCREE_E_FORMAT, "collision state: the header is damaged or from another build");
  measure(&h, part);
  bool counted = total(part) + sizeof collide->counted == count;
  if (!counted && total(part) != count)
    return sc_fail(
        error, SCREE_E_FORMAT, "collision state: %zu bytes where %zu were announced", count, total(part));
  if (!reserve(collide, shapes, &h))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for a collision state of %zu bytes", count);
  take_header(collide, &h);
  const unsigned char *from = (const unsigned char *)bytes + sizeof h;
  get(collide->pair, &from, part[SC_LIST_PAIRS]);
  unpack_anchors(collide, shapes, from);
  from += part[SC_LIST_ANCHORS];
  int32_t *names[] = {collide->alias, collide->origin, collide->rank};
  for (int k = 0; k < 3; k++, from += part[SC_LIST_ALIAS + k - 1])
    if (collide->names_capacity && part[SC_LIST_ALIAS + k]) memcpy(names[k], from, part[SC_LIST_ALIAS + k]);
  get(collide->now.row, &from, part[SC_LIST_CONTACTS]);
  get(collide->now.touch, &from, part[SC_LIST_TOUCHES]);
  get(collide->now.state, &from, part[SC_LIST_STATES]);
  get_drifts(collide, &from);
  collide->counted = (sc_counted){.tried = 0};
  if (counted) get(&collide->counted, &from, sizeof collide->counted);
  if (consistent(collide)) return SCREE_OK;
  sc_collide_forget(collide);
  return sc_fail(error, SCREE_E_FORMAT, "collision state: a row is out of range");
}

int32_t sc_collide_known(const sc_collide *collide) { return collide->known; }

void sc_collide_present(const sc_collide *collide, int32_t *count, double **state) {
  *count = collide->now.count;
  *state = collide->now.stride ? collide->now.state : NULL;
}
