/* Saves and loads the collision stage as plain bytes, for checkpoints. Saves the list, its anchors and the
 * contact cache, so that the steps after a restart have the same bits. Layout: header, pairs, anchors, alias,
 * origin, ranks, contacts, their geometry, states, drifts, images. Numbers have the byte order of the
 * machine, which the checkpoint's container records. Alias, origin and ranks are written even if the list has
 * no names (header: straight). */
#include <math.h>
#include <string.h>
#include "collide/save.h"

/* Computes the size of each section in bytes. */
static void compute_sizes(const sc_list_header *h, size_t bytes[SC_LIST_STRETCHES]) {
  bytes[SC_LIST_PAIRS] = (size_t)h->pairs * sizeof(sc_pair);
  bytes[SC_LIST_ANCHORS] = (size_t)h->known * sizeof(sc_saved_anchor);
  bytes[SC_LIST_ALIAS] = (size_t)h->listed * sizeof(int32_t);
  bytes[SC_LIST_ORIGIN] = bytes[SC_LIST_RANKS] = (size_t)h->known * sizeof(int32_t);
  bytes[SC_LIST_CONTACTS] = (size_t)h->contacts * sizeof(sc_cached_contact);
  bytes[SC_LIST_TOUCHES] = (size_t)h->contacts * sizeof(sc_touch);
  bytes[SC_LIST_STATES] = (size_t)h->contacts * (size_t)h->stride * sizeof(double);
  bytes[SC_LIST_DRIFTS] = h->drifts
      ? sizeof(sc_saved_drift) + (size_t)h->drifts * 3 * sizeof(double) + (size_t)h->known * sizeof(int32_t)
      : 0;
  bytes[SC_LIST_IMAGES] = h->magic == SC_LIST_MAGIC_CELL
      ? sizeof(sc_saved_strain) + (size_t)h->pairs * sizeof(sc_image)
      : 0;
}

static size_t sum_sizes(const size_t bytes[SC_LIST_STRETCHES]) {
  size_t sum = sizeof(sc_list_header);
  for (int k = 0; k < SC_LIST_STRETCHES; k++) sum += bytes[k];
  return sum;
}

static void pack_anchors(const sc_collide *collide, const sc_shapes *shapes, unsigned char *to) {
  for (int32_t row = 0; row < collide->list.known; row++, to += sizeof(sc_saved_anchor)) {
    const sc_anchor *anchor = collide->list.anchor + row;
    int32_t slot = shapes->row[row].slot;
    sc_saved_anchor saved = {.slack = (double)anchor->slack};
    memcpy(saved.position, anchor->position, sizeof saved.position);
    if (slot >= 0 && (size_t)slot < collide->list.turned_capacity) {
      memcpy(saved.orientation, collide->list.turned[slot].orientation, sizeof saved.orientation);
      saved.lever = collide->list.turned[slot].lever;
    }
    memcpy(to, &saved, sizeof saved);
  }
}

static void unpack_anchors(sc_collide *collide, const sc_shapes *shapes, const unsigned char *from) {
  for (int32_t row = 0; row < collide->list.known; row++, from += sizeof(sc_saved_anchor)) {
    int32_t slot = shapes->row[row].slot;
    sc_saved_anchor saved;
    memcpy(&saved, from, sizeof saved);
    collide->list.anchor[row].slack = sc_list_rounded_down(saved.slack), collide->list.anchor[row].drift = 0;
    memcpy(collide->list.anchor[row].position, saved.position, sizeof saved.position);
    if (slot < 0) continue;
    memcpy(collide->list.turned[slot].orientation, saved.orientation, sizeof saved.orientation);
    collide->list.turned[slot].lever = saved.lever;
  }
}

/* Writes one of the maps alias, origin and ranks. Writes the identity if the list has no maps (names.c). */
static void pack_names(const sc_list *list, const int32_t *names, size_t bytes, unsigned char *to) {
  if (list->names_capacity && bytes) memcpy(to, names, bytes);
  for (int32_t row = 0; (size_t)row < bytes / sizeof row && !list->names_capacity; row++)
    memcpy(to + (size_t)row * sizeof row, &row, sizeof row);
}

static void write_bytes(unsigned char **to, const void *from, size_t bytes) {
  if (bytes) memcpy(*to, from, bytes);
  *to += bytes;
}

static void write_drifts(const sc_collide *c, unsigned char **to) {
  sc_saved_drift s = {c->list.span, c->list.half, c->list.elapsed, c->list.stepped, c->list.difference,
      c->list.typical, c->list.mended};
  if (!c->list.drifts) return;
  write_bytes(to, &s, sizeof s);
  write_bytes(to, c->list.drift, (size_t)c->list.drifts * sizeof *c->list.drift);
  for (int32_t row = 0; row < c->list.known; row++)
    write_bytes(to, &c->list.anchor[row].drift, sizeof c->list.anchor->drift);
}

static void write_images(const sc_collide *c, unsigned char **to) {
  sc_saved_strain s = {.strain = c->list.strain};
  if (!c->list.image) return;
  memcpy(s.matrix, c->list.cell.matrix, sizeof s.matrix);
  memcpy(s.origin, c->list.cell.origin, sizeof s.origin);
  write_bytes(to, &s, sizeof s);
  write_bytes(to, c->list.image, (size_t)c->list.pairs * sizeof *c->list.image);
}

/* Writes the geometry of all contacts, computed if it is not stored. */
static void write_touches(const sc_collide *collide, const sc_shapes *shapes, unsigned char *to) {
  for (int32_t c = 0; c < collide->now.count; c++) {
    sc_contact contact;
    sc_touch touch;
    memset(&touch, 0, sizeof touch); /* also zeroes the padding bytes, because they are saved */
    sc_collide_contact(collide, shapes, c, &contact);
    memcpy(touch.point, contact.point, sizeof touch.point);
    memcpy(touch.normal, contact.normal, sizeof touch.normal);
    touch.gap = contact.gap, touch.feature = contact.feature;
    memcpy(to + (size_t)c * sizeof touch, &touch, sizeof touch);
  }
}

scree_status sc_collide_save(
    const sc_collide *collide, const sc_shapes *shapes, void **bytes, size_t *count) {
  sc_list_header h = {.magic = collide->list.image ? SC_LIST_MAGIC_CELL : SC_LIST_MAGIC,
      .rebuilds = collide->list.rebuilds,
      .age = collide->list.age,
      .lived = collide->list.lived,
      .straight = !collide->list.names_capacity,
      .drifts = collide->list.drifts,
      .dirty = collide->list.dirty,
      .removals = collide->list.removals,
      .known = collide->list.known,
      .listed = collide->list.listed,
      .pairs = collide->list.pairs,
      .contacts = collide->now.count,
      .stride = collide->now.stride,
      .contact_bytes = SC_CONTACT_BYTES};
  size_t part[SC_LIST_STRETCHES];
  compute_sizes(&h, part);
  *count = sum_sizes(part);
  unsigned char *to = *bytes = sc_alloc(*count);
  if (!to) return SCREE_E_MEMORY;
  write_bytes(&to, &h, sizeof h);
  write_bytes(&to, collide->list.pair, part[SC_LIST_PAIRS]);
  pack_anchors(collide, shapes, to);
  to += part[SC_LIST_ANCHORS];
  const int32_t *names[] = {collide->list.alias, collide->list.origin, collide->list.rank};
  for (int k = 0; k < 3; k++) {
    pack_names(&collide->list, names[k], part[SC_LIST_ALIAS + k], to);
    to += part[SC_LIST_ALIAS + k];
  }
  write_bytes(&to, collide->now.row, part[SC_LIST_CONTACTS]);
  write_touches(collide, shapes, to);
  to += part[SC_LIST_TOUCHES];
  write_bytes(&to, collide->now.state, part[SC_LIST_STATES]);
  write_drifts(collide, &to);
  write_images(collide, &to);
  return SCREE_OK;
}

int64_t sc_collide_saved_contacts(const void *bytes, size_t count) {
  sc_list_header h;
  if (count < sizeof h) return 0;
  memcpy(&h, bytes, sizeof h);
  return h.contacts;
}

static bool is_header_valid(const sc_list_header *h, size_t count) {
  return (h->magic == SC_LIST_MAGIC || h->magic == SC_LIST_MAGIC_CELL) &&
      h->contact_bytes == SC_CONTACT_BYTES && h->known >= 0 && h->listed >= h->known && h->pairs >= 0 &&
      h->contacts >= 0 && h->stride >= 0 && h->stride <= 4096 && (size_t)h->pairs <= count &&
      (size_t)h->listed <= count && (size_t)h->contacts <= count && h->drifts >= 0 &&
      (size_t)h->drifts <= count && h->rebuilds >= 0 && h->age >= 0 && h->age < INT32_MAX / 2 &&
      h->lived >= 0 && h->lived < INT32_MAX / 2;
}

/* Returns true if all rows and pairs are in range and all numbers are valid. */
static bool is_consistent(const sc_collide *collide) {
  for (int32_t p = 0; p < collide->list.pairs; p++) {
    sc_pair pair = collide->list.pair[p];
    if (pair.one < 0 || pair.one >= collide->list.listed || pair.two < 0 || pair.two >= collide->list.listed)
      return false;
  }
  if (!collide->list.removals && collide->list.listed != collide->list.known) return false;
  for (int32_t k = 0; k < collide->list.listed; k++)
    if (sc_names_alias(&collide->list, k) < -1 || sc_names_alias(&collide->list, k) >= collide->list.known)
      return false;
  for (int32_t k = 0; k < collide->list.known; k++) {
    const double *at = collide->list.anchor[k].position;
    if (!isfinite(at[0]) || !isfinite(at[1]) || !isfinite(at[2]) || isnan(collide->list.anchor[k].slack))
      return false;
  }
  for (size_t k = 0; k < (size_t)collide->now.count * (size_t)collide->now.stride; k++)
    if (isnan(collide->now.state[k])) return false;
  for (int32_t k = 0; k < collide->list.known; k++)
    if (collide->list.anchor[k].drift < 0 ||
        collide->list.anchor[k].drift > (collide->list.drifts ? collide->list.drifts - 1 : 0))
      return false;
  for (int32_t k = 0; k < collide->list.known; k++)
    if (sc_names_origin(&collide->list, k) < -1 ||
        sc_names_origin(&collide->list, k) >= collide->list.listed || sc_names_rank(&collide->list, k) < 0)
      return false;
  for (int32_t c = 0; c < collide->now.count; c++) {
    int32_t pair = collide->now.row[c].pair;
    if (pair < 0 || pair >= collide->list.pairs || (c && pair < collide->now.row[c - 1].pair)) return false;
  }
  return true;
}

static void read_bytes(void *to, const unsigned char **from, size_t bytes) {
  if (bytes) memcpy(to, *from, bytes);
  *from += bytes;
}

static void read_drifts(sc_collide *c, const unsigned char **from) {
  sc_saved_drift s;
  if (!c->list.drifts) return;
  read_bytes(&s, from, sizeof s);
  c->list.span = s.span, c->list.half = s.half, c->list.elapsed = s.elapsed, c->list.stepped = s.stepped;
  c->list.difference = s.difference, c->list.typical = s.typical, c->list.mended = s.mended;
  read_bytes(c->list.drift, from, (size_t)c->list.drifts * sizeof *c->list.drift);
  for (int32_t row = 0; row < c->list.known; row++)
    read_bytes(&c->list.anchor[row].drift, from, sizeof c->list.anchor->drift);
}

/* Reads cell, strain and images. If the cell is not valid, the list was never built. */
static void read_images(sc_collide *c, const unsigned char **from) {
  sc_saved_strain s;
  read_bytes(&s, from, sizeof s);
  read_bytes(c->list.image, from, (size_t)c->list.pairs * sizeof *c->list.image);
  c->list.strain = s.strain >= 0 && s.strain < 1 ? s.strain : 0;
  memcpy(c->list.cell.origin, s.origin, sizeof s.origin);
  if (!sc_cell_set(&c->list.cell, s.matrix)) c->list.dirty = true;
}

/* Empties the contact cache and allocates it, with geometry, for the number of contacts in the header. */
static bool reserve_contacts(sc_contact_cache *now, const sc_list_header *h) {
  now->count = 0;
  return sc_contact_cache_set_layout(now, h->stride, true) &&
      sc_contact_cache_reserve(now, (size_t)h->contacts);
}

static bool reserve_state(sc_collide *collide, const sc_shapes *shapes, const sc_list_header *h) {
  bool named = !h->straight || h->removals || collide->list.names_capacity;
  bool imaged = h->magic == SC_LIST_MAGIC_CELL;
  return SC_GROW_LEAN(collide->list.pair, collide->list.pair_capacity, (size_t)h->pairs) &&
      (!imaged || SC_GROW_LEAN(collide->list.image, collide->list.image_capacity, (size_t)h->pairs + 1)) &&
      SC_GROW_LEAN(collide->list.anchor, collide->list.anchor_capacity, (size_t)h->known) &&
      SC_GROW_LEAN(collide->list.drift, collide->list.drift_capacity, (size_t)h->drifts) &&
      SC_GROW_LEAN(collide->list.turned, collide->list.turned_capacity, (size_t)shapes->slots) &&
      (!named || sc_names_keep(&collide->list, (size_t)h->listed)) && reserve_contacts(&collide->now, h);
}

static void apply_header(sc_collide *collide, const sc_list_header *h) {
  collide->list.pair_caches = 0, collide->list.excluded_version = 0;
  collide->list.known = h->known, collide->list.listed = h->listed, collide->list.pairs = h->pairs,
  collide->now.count = h->contacts;
  collide->list.rebuilds = h->rebuilds, collide->poses.count = 0;
  collide->list.dirty = h->dirty, collide->list.removals = h->removals;
  collide->list.age = h->age, collide->list.lived = h->lived;
  collide->list.drifts = h->drifts, collide->list.mended = 0;
}

scree_status sc_collide_load(
    sc_collide *collide, const sc_shapes *shapes, const void *bytes, size_t count, scree_error *error) {
  sc_list_header h;
  size_t part[SC_LIST_STRETCHES];
  SC_ASSERT(shapes && (bytes || !count));
  if (count < sizeof h)
    return sc_fail(error, SCREE_E_FORMAT, "collision state: %zu bytes are too few for its header", count);
  memcpy(&h, bytes, sizeof h);
  if (!is_header_valid(&h, count) || h.known > shapes->count)
    return sc_fail(error, SCREE_E_FORMAT, "collision state: the header is damaged or from another build");
  compute_sizes(&h, part);
  if (sum_sizes(part) != count && sum_sizes(part) + SC_OLD_TAIL != count)
    return sc_fail(
        error, SCREE_E_FORMAT, "collision state: %zu bytes where %zu were announced", count, sum_sizes(part));
  if (!reserve_state(collide, shapes, &h))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for a collision state of %zu bytes", count);
  apply_header(collide, &h);
  const unsigned char *from = (const unsigned char *)bytes + sizeof h;
  read_bytes(collide->list.pair, &from, part[SC_LIST_PAIRS]);
  unpack_anchors(collide, shapes, from);
  from += part[SC_LIST_ANCHORS];
  int32_t *names[] = {collide->list.alias, collide->list.origin, collide->list.rank};
  for (int k = 0; k < 3; k++, from += part[SC_LIST_ALIAS + k - 1])
    if (collide->list.names_capacity && part[SC_LIST_ALIAS + k])
      memcpy(names[k], from, part[SC_LIST_ALIAS + k]);
  read_bytes(collide->now.row, &from, part[SC_LIST_CONTACTS]);
  read_bytes(collide->now.touch, &from, part[SC_LIST_TOUCHES]);
  read_bytes(collide->now.state, &from, part[SC_LIST_STATES]);
  read_drifts(collide, &from);
  if (h.magic == SC_LIST_MAGIC_CELL) read_images(collide, &from);
  if (is_consistent(collide)) return SCREE_OK;
  sc_list_forget(collide);
  return sc_fail(error, SCREE_E_FORMAT, "collision state: a row is out of range, or a number none");
}

void sc_collide_present(const sc_collide *collide, int stride, int32_t *count, double **state) {
  *count = collide->now.count;
  *state = collide->now.stride && collide->now.stride == stride ? collide->now.state : NULL;
}
