/* The collision stage as plain bytes, for checkpoints: the list, its anchors and the memory of contacts, so that the steps
 * after a restart are those that would have followed. Layout: header, pairs, anchors, alias, origin, ranks, contacts, states; in
 * the byte order of the machine, which the checkpoint's container records. */
#include <string.h>
#include "collide/list.h"

typedef struct header {
  uint64_t magic;
  int64_t rebuilds, pairs_built, pairs_near;
  double factor, used, work;
  int32_t age, lived, straight, pad;
  int32_t dirty, removals, known, listed, pairs, contacts, stride, contact_bytes;
} header;

static const uint64_t magic = 0x326564696c6c6f63ull;

/* One stretch of bytes of the layout. */
typedef struct stretch { void *at; size_t bytes; } stretch;
enum { STRETCHES = 7 };

/* Stretches in order for these counts; pointers are into collide's arrays. */
static void lay_out(const sc_collide *collide, const header *h, stretch part[STRETCHES]) {
  part[0] = (stretch){collide->pair, (size_t)h->pairs * sizeof *collide->pair};
  part[1] = (stretch){collide->anchor, (size_t)h->known * sizeof *collide->anchor};
  part[2] = (stretch){collide->alias, (size_t)h->listed * sizeof *collide->alias};
  part[3] = (stretch){collide->origin, (size_t)h->known * sizeof *collide->origin};
  part[4] = (stretch){collide->rank, (size_t)h->known * sizeof *collide->rank};
  part[5] = (stretch){collide->now.contact, (size_t)h->contacts * sizeof *collide->now.contact};
  part[6] = (stretch){collide->now.state, (size_t)h->contacts * (size_t)h->stride * sizeof *collide->now.state};
}

static size_t total(const stretch part[STRETCHES]) {
  size_t bytes = sizeof(header);
  for (int k = 0; k < STRETCHES; k++) bytes += part[k].bytes;
  return bytes;
}

scree_status sc_collide_save(const sc_collide *collide, void **bytes, size_t *count) {
  header h = {.magic = magic, .rebuilds = collide->rebuilds, .pairs_built = collide->pairs_built, .pairs_near = collide->pairs_near,
              .factor = collide->factor, .used = collide->used, .work = collide->work, .age = collide->age, .lived = collide->lived,
              .straight = collide->straight, .dirty = collide->dirty, .removals = collide->removals,
              .known = collide->known, .listed = collide->listed, .pairs = collide->pairs, .contacts = collide->now.count,
              .stride = collide->state_stride, .contact_bytes = (int32_t)sizeof(sc_contact)};
  stretch part[STRETCHES];
  lay_out(collide, &h, part);
  *count = total(part);
  unsigned char *to = *bytes = sc_alloc(*count);
  if (!to) return SCREE_E_MEMORY;
  memcpy(to, &h, sizeof h);
  to += sizeof h;
  for (int k = 0; k < STRETCHES; k++) {
    if (part[k].bytes) memcpy(to, part[k].at, part[k].bytes);
    to += part[k].bytes;
  }
  return SCREE_OK;
}

int64_t sc_collide_saved_contacts(const void *bytes, size_t count) {
  header h;
  if (count < sizeof h) return 0;
  memcpy(&h, bytes, sizeof h);
  return h.contacts;
}

static bool sane(const header *h, size_t count) {
  return h->magic == magic && h->contact_bytes == (int32_t)sizeof(sc_contact) && h->known >= 0 && h->listed >= h->known &&
      h->pairs >= 0 &&
         h->contacts >= 0 && h->stride >= 0 && h->stride <= 4096 && (size_t)h->pairs <= count && (size_t)h->listed <= count &&
         (size_t)h->contacts <= count && h->rebuilds >= 0 && h->factor > 0 && h->factor < 1e3;
}

/* Rows and pairs must lie in range before anything follows them. */
static bool consistent(const sc_collide *collide) {
  for (int32_t p = 0; p < collide->pairs; p++) {
    sc_pair pair = collide->pair[p];
    if (pair.one < 0 || pair.one >= collide->listed || pair.two < 0 || pair.two >= collide->listed) return false;
  }
  for (int32_t k = 0; k < collide->listed; k++)
    if (collide->alias[k] < -1 || collide->alias[k] >= collide->known) return false;
  for (int32_t k = 0; k < collide->known; k++)
    if (collide->origin[k] < -1 || collide->origin[k] >= collide->listed || collide->rank[k] < 0) return false;
  for (int32_t c = 0; c < collide->now.count; c++) {
    int32_t pair = collide->now.contact[c].pair;
    if (pair < 0 || pair >= collide->pairs || (c && pair < collide->now.contact[c - 1].pair)) return false;
  }
  return true;
}

static void forget(sc_collide *collide) {
  collide->pairs = collide->known = collide->listed = collide->now.count = 0;
  collide->removals = false;
  collide->dirty = true;
}

scree_status sc_collide_load(sc_collide *collide, const void *bytes, size_t count, scree_error *error) {
  header h;
  stretch part[STRETCHES];
  if (count < sizeof h) return sc_fail(error, SCREE_E_FORMAT, "collision state: %zu bytes are too few for its header", count);
  memcpy(&h, bytes, sizeof h);
  if (!sane(&h, count)) return sc_fail(error, SCREE_E_FORMAT, "collision state: the header is damaged or from another build");
  lay_out(collide, &h, part);
  if (total(part) != count)
    return sc_fail(error, SCREE_E_FORMAT, "collision state: %zu bytes where %zu were announced", count, total(part));
  if (!SC_GROW(collide->rank, collide->rank_capacity, (size_t)h.known) ||
      !SC_GROW(collide->pair, collide->pair_capacity, (size_t)h.pairs) ||
      !SC_GROW(collide->anchor, collide->anchor_capacity, (size_t)h.known) ||
      !SC_GROW(collide->alias, collide->alias_capacity, (size_t)h.listed) ||
      !SC_GROW(collide->origin, collide->origin_capacity, (size_t)h.listed) ||
      !sc_memory_reserve(&collide->now, (size_t)h.contacts, h.stride))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for a collision state of %zu bytes", count);
  lay_out(collide, &h, part);
  const unsigned char *from = (const unsigned char *)bytes + sizeof h;
  for (int k = 0; k < STRETCHES; k++) {
    if (part[k].bytes) memcpy(part[k].at, from, part[k].bytes);
    from += part[k].bytes;
  }
  collide->known = h.known, collide->listed = h.listed, collide->pairs = h.pairs, collide->now.count = h.contacts;
  collide->state_stride = h.stride, collide->rebuilds = h.rebuilds;
  collide->dirty = h.dirty, collide->removals = h.removals, collide->straight = h.straight;
  collide->age = h.age, collide->lived = h.lived, collide->factor = h.factor, collide->used = h.used, collide->work = h.work;
  collide->pairs_built = h.pairs_built, collide->pairs_near = h.pairs_near;
  if (consistent(collide)) return SCREE_OK;
  forget(collide);
  return sc_fail(error, SCREE_E_FORMAT, "collision state: a row is out of range");
}

int32_t sc_collide_known(const sc_collide *collide) { return collide->known; }

void sc_collide_present(const sc_collide *collide, sc_contact **contacts, int32_t *count, double **state) {
  *contacts = collide->now.contact;
  *count = collide->now.count;
  *state = collide->state_stride ? collide->now.state : NULL;
}
