/* The one seam between a world and the ranks it may be spread over. */
#ifndef SC_RANKS_H
#define SC_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "problem/exchange.h"
#include "scree/world.h"

struct sc_sections;
struct sc_rounds;
struct scree_frame_buffer;

/* The other ranks that hold the rest of a world (engine/dist). Every function is collective but keeps and
 * where it is said: all ranks call it at the same point. A whole world has none: sums and largest values are
 * its own, nothing travels. */
typedef struct sc_ranks {
  void *context;
  int rank, ranks;
  /* Before contacts are searched. begin: what this rank says of its list, and the states of its exported
   * bodies, leave. align: ghosts are brought up to date, or, where any rank's list is stale, bodies go to
   * their owners and ghosts are chosen anew; then *stale is set on every rank. */
  scree_status (*begin)(void *context, scree_world *world, bool stale, scree_error *error);
  scree_status (*align)(void *context, scree_world *world, double dt, bool *stale, scree_error *error);
  /* The number of ranks that work on a body, by the contacts found and by joints: at least 1, in the
   * world's arena; NULL where every body is whole. The exchange then forms means over these. */
  scree_status (*share_contacts)(
      void *context, scree_world *world, const int32_t **copies, scree_error *error);
  /* Rounds of impacts at contacts that close faster than `least` (impact.h). */
  scree_status (*strike)(void *context, struct sc_rounds *rounds, double least, scree_error *error);
  /* Whether this rank holds a row for the body just made; sets the row's owner and replicated. */
  bool (*keeps)(void *context, scree_world *world, int32_t row);
  /* of all, in the order of ranks; and of the mean of a value over ranks by their weights */
  void (*sum)(void *context, double *value, int count);
  double (*mean)(void *context, double value, double weight);
  void (*most)(void *context, double *value, int count);
  void (*send_all)(void *context, void *bytes, size_t size, int from); /* from one rank to all others */
  /* The ranks' bytes one after the other, in *all (released with sc_free): on every rank, or on rank 0
   * (others get NULL). */
  scree_status (*gather)(void *context, const void *bytes, size_t size, bool to_all, void **all,
      size_t *total, scree_error *error);
  /* Numbers of hulls and meshes, alike on every rank: 0 for none. */
  uint32_t (*geometry_number)(void *context, const scree_geometry *geometry);
  const scree_geometry *(*geometry)(void *context, uint32_t number);
  /* Row of a body for who reads it here, -1 with an error; for who changes it, -2 where others do so; its
   * state, but for the name, on every rank. row and row_to_change are not collective. */
  int32_t (*row)(void *context, const scree_world *world, scree_id id, scree_error *error);
  int32_t (*row_to_change)(void *context, const scree_world *world, scree_id id, scree_error *error);
  scree_status (*read)(
      void *context, const scree_world *world, scree_id id, scree_body_state *state, scree_error *error);
  /* What each rank has counted becomes that of all; depth: sum of penetrations. ranks, waiting and
   * imbalance are set. */
  void (*report)(void *context, scree_report *report, double *depth);
  /* The hash goes on over all bodies in the order of slots. */
  uint64_t (*hash)(void *context, const scree_world *world, uint64_t hash);
  /* All bodies and contacts into a frame. */
  scree_status (*frame)(void *context, const scree_world *world, bool with_contacts,
      struct scree_frame_buffer *buffer, scree_error *error);
  /* An error from several ranks: "WHAT on one rank only, not on 4: INSTEAD". */
  scree_status (*refuse)(void *context, const char *what, const char *instead, scree_error *error);
  /* Grains whose places all ranks judge at once (insert.c); 0: this one knows all that is in the way. */
  int together;
  /* Whether bodies that roll on one contact keep their energy. */
  bool rolls;
  /* For checkpoints. Whether every rank still holds all bodies, as before the first step; a number per
   * body here, set for own ones: those of the others are told by their owners, -1 where the body is
   * gone; a generation later than that of any free slot. */
  bool (*whole)(void *context);
  scree_status (*tell_rows)(void *context, const scree_world *world, int32_t *number, scree_error *error);
  uint32_t generation;
  /* All of the world into the sections of a checkpoint, which are rank 0's. */
  scree_status (*save)(void *context, const scree_world *world, struct sc_sections *out, scree_error *error);
  void (*destroy)(void *context);
  const sc_exchange *exchange;
} sc_ranks;

extern const sc_ranks sc_ranks_none;

/* Values become sums over all ranks, in their order. */
static inline void sc_ranks_sum(const sc_ranks *ranks, double *value, int count) {
  ranks->sum(ranks->context, value, count);
}
/* Returns an error if the world is spread over several ranks. what: the feature; instead: an alternative. */
static inline scree_status sc_ranks_check_whole(
    const sc_ranks *ranks, const char *what, const char *instead, scree_error *error) {
  return ranks->refuse(ranks->context, what, instead, error);
}

#endif
