/* Layout of saved contacts, which save.c and save_piece.c share. */
#ifndef SC_COLLIDE_SAVE_H
#define SC_COLLIDE_SAVE_H

#include "collide/state.h"

/* Header of saved contacts. Members without a comment are those of sc_list. */
typedef struct sc_list_header {
  uint64_t magic;
  int64_t rebuilds;
  uint64_t reserved[5]; /* not read; older versions stored data of a tuned skin here */
  int32_t age, lived;
  int32_t straight; /* 1: the list has no maps (list/names.c), so alias, origin and ranks are the identity */
  int32_t drifts;
  int32_t dirty, removals, known, listed, pairs;
  int32_t contacts, stride, contact_bytes; /* number of contacts; doubles of law state per contact;
                                              SC_CONTACT_BYTES */
} sc_list_header;

#define SC_LIST_MAGIC UINT64_C(0x336564696c6c6f63)
#define SC_LIST_MAGIC_CELL UINT64_C(0x346564696c6c6f63) /* for lists with periodic images of pairs */

/* sc_anchor and sc_turned of a shape; orientation and lever are 0 for a ball. */
typedef struct sc_saved_anchor {
  double position[3], orientation[4], lever, slack;
} sc_saved_anchor;

/* Start of the section of drifts, if there are any. The drifts and the drift row of each anchor follow. */
typedef struct sc_saved_drift {
  double span, half, elapsed, stepped, difference, typical, mended;
} sc_saved_drift;

/* Start of the section of images, if there are any: cell and strain of sc_list. The images follow. */
typedef struct sc_saved_strain {
  double matrix[9], origin[3], strain;
} sc_saved_strain;

/* Sections, in the order in which they follow the header. */
enum {
  SC_LIST_PAIRS,
  SC_LIST_ANCHORS,
  SC_LIST_ALIAS,
  SC_LIST_ORIGIN,
  SC_LIST_RANKS,
  SC_LIST_CONTACTS,
  SC_LIST_TOUCHES,
  SC_LIST_STATES,
  SC_LIST_DRIFTS,
  SC_LIST_IMAGES,
  SC_LIST_STRETCHES
};
enum { SC_OLD_TAIL = 96 }; /* bytes that older versions append for the tuned skin */
enum {
  SC_CONTACT_BYTES = sizeof(sc_cached_contact) + sizeof(sc_touch)
}; /* size of a saved contact; differs in builds with other records */

#endif
