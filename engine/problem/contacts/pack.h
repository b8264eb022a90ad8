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

enum { SC_BUNDLES_OPEN = 256 }; /* largest number of bundles that may still get contacts */
/* Approximate number of rounds of a sweep. With more rounds a sweep has more barriers. With fewer, a contact
 * that needs a bundle after another thread's bundle waits longer for the next round. */
enum { SC_ROUNDS = 16 };
enum { SC_MIN_ROUND = 8 }; /* smallest number of bundles in a round */

/* The last bundle that has a contact of a body. */
typedef struct sc_touched {
  int32_t thread; /* thread of the bundle, SC_NOBODY or SC_NEVER */
  int32_t bundle; /* number of the bundle among the bundles of this thread */
} sc_touched;
enum { SC_NOBODY = -1 }; /* in place of a thread: no bundle has a contact of the body yet */
enum { SC_NEVER = -2 };  /* in place of a thread: the body cannot move, so its bundles are not recorded */

/* State of one thread. Bundles first .. count - 1 may be open; first is a multiple of 64. If bit k of
 * open[kind][w] is 1, bundle first + 64 w + k has this kind and a free lane. */
typedef struct sc_packer {
  int32_t thread;
  int32_t round;        /* number of bundles in a round */
  int64_t first, count; /* first: first bundle that may be open; count: number of bundles so far */
  uint64_t open[SC_SLOT_KINDS][SC_BUNDLES_OPEN / 64];
  uint8_t *taken; /* [bundles] number and kind of contacts: sc_slot_taken, sc_slot_kind */
} sc_packer;

/* Contacts to pack, in the order of their visits, and the slots that they get. */
typedef struct sc_packing {
  const sc_contact_pairs *pairs;
  const uint8_t *kind;  /* [contacts] kind of bundle; NULL: all are of kind 0 */
  const int32_t *visit; /* contacts in the order of their visits */
  sc_touched *last;     /* [bodies] last bundle that has a contact of the body */
  int32_t *slot;        /* [contacts] bundle * SC_LANES + lane */
} sc_packing;
/* Packs the contacts of visits first .. end - 1 and sets their slots. base: offset added to the thread's own
 * bundle numbers to get the numbers in in->slot. */
void sc_pack(sc_packer *packer, const sc_packing *in, int64_t base, int32_t first, int32_t end);

/* Returns the number of bundles in a round. With one thread all bundles are in one round. */
int32_t sc_pack_round(int32_t contacts, int threads);

#endif
