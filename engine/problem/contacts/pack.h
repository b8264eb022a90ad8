/* Packing: a thread's contacts are taken in their order and each is put into a bundle (slots.h).
 *
 * A contact goes into the first bundle of its kind with room behind those in which its bodies were touched
 * last. Threads wait for each other after rounds of as many bundles; where another thread touched a body,
 * "behind" is from the next round on. */
#ifndef SC_BUNDLE_H
#define SC_BUNDLE_H

#include "problem/problem.h"
#include "problem/contacts/slots.h"
#include "problem/contacts/contacts.h"

enum { SC_BUNDLES_OPEN = 256 }; /* bundles open at a time */
/* About how many rounds a sweep has, and the least number of bundles in one. With more rounds contacts at the
 * borders of threads wait less, and threads wait more often. */
enum { SC_ROUNDS = 16, SC_ROUND_LEAST = 8 };

/* Who met a body last, in which of its bundles. */
typedef struct sc_touched {
  int32_t thread, bundle;
} sc_touched;
enum { SC_NOBODY = -1, SC_NEVER = -2 }; /* in place of threads; never: it cannot move */

/* A thread at its work. Bundles first .. count - 1 may be open, first being a multiple of 64; bit k of
 * open[kind][w] says that bundle first + 64 w + k is of that kind and has a free lane. */
typedef struct sc_packer {
  int32_t thread, round; /* round: bundles in one */
  int64_t first, count;
  uint64_t open[SC_SLOT_KINDS][SC_BUNDLES_OPEN / 64];
  uint8_t *taken; /* per bundle: lanes and kind */
} sc_packer;

/* The thread's visits first .. end - 1: slot[c] of contact c is bundle * SC_LANES + lane, with bundles from
 * `base` on. kind: per contact, NULL: all are of kind 0. */
typedef struct sc_packing {
  const sc_contact_pairs *pairs;
  const uint8_t *kind;
  const int32_t *visit;
  sc_touched *last; /* per body */
  int32_t *slot;
} sc_packing;
void sc_pack(sc_packer *packer, const sc_packing *in, int64_t base, int32_t first, int32_t end);

/* Bundles in a round of threads that share so many contacts; one thread has one round. */
int32_t sc_pack_round(int32_t contacts, int threads);

#endif
