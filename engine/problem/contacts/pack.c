/* Packing contacts into bundles: see pack.h. */
#include "problem/contacts/pack.h"

#include <string.h>

enum { WORDS = SC_BUNDLES_OPEN / 64 };

int32_t sc_pack_round(int32_t contacts, int threads) {
  const int32_t round = contacts / threads / (SC_LANES * SC_ROUNDS) + 1;
  if (threads == 1) return contacts + 1;
  return round > SC_MIN_ROUND ? round : SC_MIN_ROUND;
}

/* Returns the first open bundle of a kind at or after `from`; -1 if there is none. */
static int64_t find_open(const sc_packer *p, int64_t from, const uint64_t open[WORDS]) {
  int64_t at = from > p->first ? from - p->first : 0, word = at / 64;
  if (word >= WORDS) return -1;
  uint64_t bits = open[word] >> (at % 64) << (at % 64);
  while (!bits && ++word < WORDS) bits = open[word];
  return bits ? p->first + 64 * word + __builtin_ctzll(bits) : -1;
}

/* Appends an open bundle of a kind. If too many bundles are open, closes the first 64 of them. */
static void add_bundle(sc_packer *p, int kind) {
  int64_t made = p->count++;
  if (made - p->first >= SC_BUNDLES_OPEN) {
    p->first += 64;
    for (int k = 0; k < SC_SLOT_KINDS; k++) {
      memmove(p->open[k], p->open[k] + 1, sizeof p->open[k] - sizeof *p->open[k]);
      p->open[k][WORDS - 1] = 0;
    }
  }
  p->open[kind][(made - p->first) / 64] |= 1ull << (made - p->first) % 64;
  p->taken[made] = (uint8_t)(kind << 4);
}

/* Returns the first open bundle of a kind at or after `from`. Appends bundles if there is none. */
static int64_t find_bundle(sc_packer *p, int64_t from, int kind) {
  int64_t found = find_open(p, from, p->open[kind]);
  if (found >= 0) return found;
  do add_bundle(p, kind);
  while (p->count <= from);
  return p->count - 1;
}

/* Returns the first bundle of the packer that may have another contact of a body. */
static int32_t bundle_after(const sc_packer *p, const sc_touched *last) {
  if (last->thread == p->thread) return last->bundle + 1;
  return last->thread < 0 ? 0 : (last->bundle / p->round + 1) * p->round;
}

/* Prefetch distances in contacts. The entry of a body can only be prefetched once its contact is in the
 * cache. */
enum { CONTACTS_AHEAD = 64, BODIES_AHEAD = 16 };

SC_FETCH fetch_ahead(const sc_packing *in, int32_t k, int32_t end) {
  if (k + CONTACTS_AHEAD < end) {
    size_t far = (size_t)in->visit[k + CONTACTS_AHEAD] * in->pairs->stride;
    __builtin_prefetch(in->pairs->first + far);
    __builtin_prefetch(in->pairs->second + far);
  }
  if (k + BODIES_AHEAD >= end) return;
  size_t near = (size_t)in->visit[k + BODIES_AHEAD] * in->pairs->stride;
  __builtin_prefetch(in->last + in->pairs->first[near], 1);
  __builtin_prefetch(in->last + in->pairs->second[near], 1);
}

static inline void record_bundle(sc_packer *p, sc_touched *last, int64_t at) {
  if (last->thread != SC_NEVER) *last = (sc_touched){p->thread, (int32_t)at};
}

void sc_pack(sc_packer *p, const sc_packing *in, int64_t base, int32_t first, int32_t end) {
  for (int32_t k = first; k < end; k++) {
    fetch_ahead(in, k, end);
    const int32_t c = in->visit[k];
    sc_touched *one = in->last + in->pairs->first[(size_t)c * in->pairs->stride],
               *two = in->last + in->pairs->second[(size_t)c * in->pairs->stride];
    const int32_t i = bundle_after(p, one), j = bundle_after(p, two);
    const int kind = in->kind ? in->kind[c] : 0;
    const int64_t at = find_bundle(p, i > j ? i : j, kind);
    in->slot[c] = (int32_t)(uint32_t)((base + at) * SC_LANES + sc_slot_taken(p->taken[at]++));
    if (sc_slot_taken(p->taken[at]) == SC_LANES)
      p->open[kind][(at - p->first) / 64] &= ~(1ull << (at - p->first) % 64);
    record_bundle(p, one, at), record_bundle(p, two, at);
  }
}
