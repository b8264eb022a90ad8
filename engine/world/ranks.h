/* Interface between a world and the other ranks on which it may be distributed. */
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

/* Functions that combine the ranks of a world (engine/dist). Functions are collective: all ranks call them at
 * the same point. The exceptions are `keeps` and functions marked "Not collective". In a world on one rank,
 * the functions return the values of this rank (make/ranks.c). */
typedef struct sc_ranks {
  void *context;
  int rank, ranks;
  /* Starts to send the states of exported bodies, and whether this rank's neighbour list is stale. Call
   * before contact detection. */
  scree_status (*begin)(void *context, scree_world *world, bool stale, scree_error *error);
  /* Updates the ghosts. If the neighbour list of any rank is stale, sends bodies to their owners, chooses new
   * ghosts and sets *stale to true on all ranks. */
  scree_status (*align)(void *context, scree_world *world, double dt, bool *stale, scree_error *error);
  /* Sets *copies to an array [bodies] in the world's arena: the number of ranks on which the body has
   * contacts or joints, at least 1. NULL on one rank. The exchange of velocities computes means over these
   * ranks. */
  scree_status (*share_contacts)(
      void *context, scree_world *world, const int32_t **copies, scree_error *error);
  /* Solves rounds of impacts (impact/impact.h) at contacts that close faster than `least` [m/s]. */
  scree_status (*strike)(void *context, struct sc_rounds *rounds, double least, scree_error *error);
  /* Sets owner and replicated for the row of a new body. Returns true if this rank has a row for the body.
   * Not collective. */
  bool (*keeps)(void *context, scree_world *world, int32_t row);
  /* Replaces each of `count` values by its sum over all ranks, added in the order of ranks. */
  void (*sum)(void *context, double *value, int count);
  /* Returns the mean of `value` over all ranks, weighted by `weight`; 0 if the weights sum to 0. */
  double (*mean)(void *context, double value, double weight);
  /* Replaces each of `count` values by its maximum over all ranks. */
  void (*most)(void *context, double *value, int count);
  /* Copies `size` bytes from rank `from` to all other ranks. */
  void (*send_all)(void *context, void *bytes, size_t size, int from);
  /* Concatenates the bytes of all ranks in *all, which the caller frees with sc_free. *total: number of
   * bytes. If to_all is false, only rank 0 gets the result, and *all is NULL on all other ranks. */
  scree_status (*gather)(void *context, const void *bytes, size_t size, bool to_all, void **all,
      size_t *total, scree_error *error);
  /* Returns the number of a hull or mesh, which is equal on all ranks; 0: no geometry. Not collective. */
  uint32_t (*geometry_number)(void *context, const scree_geometry *geometry);
  /* Returns the geometry with this number; NULL for 0 and for unknown numbers. Not collective. */
  const scree_geometry *(*geometry)(void *context, uint32_t number);
  /* Returns the row of a body if this rank can read the body. Returns -1 with an error otherwise. Not
   * collective. */
  int32_t (*row)(void *context, const scree_world *world, scree_id id, scree_error *error);
  /* Returns the row of a body if this rank changes the body. Returns -2 if other ranks change the body, and
   * -1 with an error if the body has been removed. Not collective. */
  int32_t (*row_to_change)(void *context, const scree_world *world, scree_id id, scree_error *error);
  /* Sets *state to the state of a body on every rank. Does not set the name. */
  scree_status (*read)(
      void *context, const scree_world *world, scree_id id, scree_body_state *state, scree_error *error);
  /* Replaces the counts, sums and maxima of this rank in *report by those of all ranks. Sets report->ranks,
   * waiting and imbalance. *depth: sum of penetrations [m], replaced in the same way. */
  void (*report)(void *context, scree_report *report, double *depth);
  /* Copies all bodies of all ranks to a frame. Also copies all contacts if with_contacts is true. */
  scree_status (*frame)(void *context, const scree_world *world, bool with_contacts,
      struct scree_frame_buffer *buffer, scree_error *error);
  /* On several ranks, fails with "WHAT on one rank only, not on 4: INSTEAD". Returns SCREE_OK on one rank. */
  scree_status (*refuse)(void *context, const char *what, const char *instead, scree_error *error);
  /* Largest number of grains whose positions the ranks test in one exchange (bodies/insert.c); 0: one rank */
  int together;
  /* true: the world conserves the energy of bodies that roll on one contact (mechanism/roll.h) */
  bool rolls;
  /* Returns true if every rank has all bodies, as before the first step. Not collective. */
  bool (*whole)(void *context);
  /* Sends number[row] of each body that this rank owns to the ranks with ghosts or replicas of the body. Sets
   * number[row] of the ghosts and replicas on this rank. Checkpoints use this function. */
  scree_status (*tell_rows)(void *context, const scree_world *world, int32_t *number, scree_error *error);
  uint32_t generation; /* exceeds the generation of every free slot; stored in checkpoints */
  /* Writes the whole world to the sections of a checkpoint. Only rank 0 has these sections. */
  scree_status (*save)(void *context, const scree_world *world, struct sc_sections *out, scree_error *error);
  void (*destroy)(void *context);
  const sc_exchange *exchange;
} sc_ranks;

/* Implementation for a world on one rank (make/ranks.c). */
extern const sc_ranks sc_ranks_none;

/* Replaces each of `count` values by its sum over all ranks, added in the order of ranks. Collective. */
static inline void sc_ranks_sum(const sc_ranks *ranks, double *value, int count) {
  ranks->sum(ranks->context, value, count);
}
/* Fails if the world is distributed over several ranks. what, instead: parts of the message, see
 * sc_ranks.refuse. */
static inline scree_status sc_ranks_check_whole(
    const sc_ranks *ranks, const char *what, const char *instead, scree_error *error) {
  return ranks->refuse(ranks->context, what, instead, error);
}

#endif
