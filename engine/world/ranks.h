/* Interface between a world and the other ranks that it may be spread over. */
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

/* Functions that combine the ranks of a world (engine/dist). All ranks call every function at the same point,
 * except `keeps` and where a comment says so. On one rank the functions return the arguments of this rank
 * (make/ranks.c). */
typedef struct sc_ranks {
  void *context;
  int rank, ranks;
  /* Starts to send whether this rank's neighbour list is stale, and the states of exported bodies. Call
   * before contacts are searched. */
  scree_status (*begin)(void *context, scree_world *world, bool stale, scree_error *error);
  /* Updates the ghosts. If the list of any rank is stale, sends bodies to their owners, chooses the ghosts
   * again and sets *stale on all ranks. */
  scree_status (*align)(void *context, scree_world *world, double dt, bool *stale, scree_error *error);
  /* Sets *copies to the number of ranks with contacts or joints of each body: [bodies], at least 1, in the
   * world's arena; NULL on one rank. The exchange computes means over these ranks. */
  scree_status (*share_contacts)(
      void *context, scree_world *world, const int32_t **copies, scree_error *error);
  /* Solves rounds of impacts at contacts that close faster than `least` [m/s] (impact/impact.h). */
  scree_status (*strike)(void *context, struct sc_rounds *rounds, double least, scree_error *error);
  /* Sets owner and replicated of the row of a new body. Returns true if this rank has a row for the body. */
  bool (*keeps)(void *context, scree_world *world, int32_t row);
  /* Replaces each value by its sum over all ranks, added in the order of ranks. */
  void (*sum)(void *context, double *value, int count);
  /* Returns the weighted mean of a value over all ranks; 0 if the weights sum to 0. */
  double (*mean)(void *context, double value, double weight);
  /* Replaces each value by its maximum over all ranks. */
  void (*most)(void *context, double *value, int count);
  /* Copies bytes from rank `from` to all other ranks. */
  void (*send_all)(void *context, void *bytes, size_t size, int from);
  /* Concatenates the bytes of all ranks into *all, which the caller frees with sc_free. If !to_all, only
   * rank 0 gets them; *all is NULL on the others. */
  scree_status (*gather)(void *context, const void *bytes, size_t size, bool to_all, void **all,
      size_t *total, scree_error *error);
  /* Returns the number of a hull or mesh, the same on every rank; 0: no geometry. Not collective. */
  uint32_t (*geometry_number)(void *context, const scree_geometry *geometry);
  /* Returns the geometry with a number; NULL for 0 and unknown numbers. Not collective. */
  const scree_geometry *(*geometry)(void *context, uint32_t number);
  /* Returns the row of a body that can be read on this rank, or -1 with an error. Not collective. */
  int32_t (*row)(void *context, const scree_world *world, scree_id id, scree_error *error);
  /* Returns the row of a body that this rank changes; -2: other ranks change the body; -1 with an error: the
   * body has been removed. Not collective. */
  int32_t (*row_to_change)(void *context, const scree_world *world, scree_id id, scree_error *error);
  /* Sets *state to the state of a body, without its name, on every rank. */
  scree_status (*read)(
      void *context, const scree_world *world, scree_id id, scree_body_state *state, scree_error *error);
  /* Replaces counts, sums and maxima of this rank by those of all ranks. Sets ranks, waiting and imbalance.
   * depth: sum of penetrations [m]. */
  void (*report)(void *context, scree_report *report, double *depth);
  /* Copies all bodies and, if with_contacts, all contacts into a frame. */
  scree_status (*frame)(void *context, const scree_world *world, bool with_contacts,
      struct scree_frame_buffer *buffer, scree_error *error);
  /* Returns the error "WHAT on one rank only, not on 4: INSTEAD" on several ranks; SCREE_OK on one. */
  scree_status (*refuse)(void *context, const char *what, const char *instead, scree_error *error);
  /* Number of grains whose positions all ranks check in one exchange (bodies/insert.c); 0: one rank. */
  int together;
  /* true: rolling on one contact conserves energy (mechanism/roll.h) */
  bool rolls;
  /* Returns true if every rank still has all bodies, as before the first step. Not collective. */
  bool (*whole)(void *context);
  /* Sends number[row] of each own body to the ranks that have ghosts or replicas of the body. Sets
   * number[row] of the ghosts and replicas on this rank. Used by checkpoints. */
  scree_status (*tell_rows)(void *context, const scree_world *world, int32_t *number, scree_error *error);
  uint32_t generation; /* larger than that of any free slot; checkpoints store it */
  /* Writes the whole world to the sections of a checkpoint, which only rank 0 has. */
  scree_status (*save)(void *context, const scree_world *world, struct sc_sections *out, scree_error *error);
  void (*destroy)(void *context);
  const sc_exchange *exchange;
} sc_ranks;

/* The functions of a world on one rank. */
extern const sc_ranks sc_ranks_none;

/* Replaces each value by its sum over all ranks, added in the order of ranks. Collective. */
static inline void sc_ranks_sum(const sc_ranks *ranks, double *value, int count) {
  ranks->sum(ranks->context, value, count);
}
/* Returns an error if the world is spread over several ranks. what: the feature; instead: an alternative. */
static inline scree_status sc_ranks_check_whole(
    const sc_ranks *ranks, const char *what, const char *instead, scree_error *error) {
  return ranks->refuse(ranks->context, what, instead, error);
}

#endif
