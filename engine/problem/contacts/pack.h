/* Packing: puts the contacts of a thread, in their order, into bundles (slots.h).
 *
 * A contact goes into the first bundle of its kind that has a free lane and lies behind the last bundles of
 * its bodies. All threads have rounds of the same number of bundles, with a barrier after each round. If
 * another thread touched a body last, "behind" means from the next round on. */
#ifndef SC_PACK_H
#define SC_PACK_H

#include "problem/problem.h"
#include "problem/contacts/slots.h"
#include "problem/contacts/contacts.h"

enum { SC_BUNDLES_OPEN = 256 }; /* bundles open at a time */
/* About how many rounds a sweep has, and the least number of bundles in one. With more rounds contacts at the
 * borders of threads wait less, and threads wait more often. */
enum { SC_ROUNDS = 16, SC_ROUND_LEAST = 8 };

/* The last bundle that touched a body: the thread, and its bundle. */
typedef struct sc_touched {
  int32_t thread, bundle;
} sc_touched;
enum { SC_NOBODY = -1, SC_NEVER = -2 }; /* in place of threads; never: it cannot move */

/* State of one thread. Bundles first .. count - 1 may be open, first being a multiple of 64; bit k of
 * open[kind][w] says that bundle first + 64 w + k is of that kind and has a free lane. */
typedef struct sc_packer {
  int32_t thread, round; /* round: number of bundles in a round */
  int64_t first, count;
  uint64_t open[SC_SLOT_KINDS][SC_BUNDLES_OPEN / 64];
  uint8_t *taken; /* per bundle: lanes and kind */
} sc_packer;

/* Contacts to pack, in the order of their visits, and the slots that they get. */
typedef struct sc_packing {
  const sc_contact_pairs *pairs;
  const uint8_t *kind;  /* [contacts] kind of bundle; NULL: all are of kind 0 */
  const int32_t *visit; /* contacts in the order of their visits */
  sc_touched *last;     /* [bodies] */
  int32_t *slot;        /* [contacts] bundle * SC_LANES + lane */
} sc_packing;
/* Packs the contacts of visits first .. end - 1. base: added to the numbers of bundles in in->slot. */
void sc_pack(sc_packer *packer, const sc_packing *in, int64_t base, int32_t first, int32_t end);

/* Returns the number of bundles in a round if `threads` share `contacts`; one thread has one round. */
int32_t sc_pack_round(int32_t contacts, int threads);

#endif
