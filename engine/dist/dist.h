/* Private header of the domain decomposition over MPI ranks.
 *
 * Planes cut space into grid[0] x grid[1] x grid[2] boxes; the outer boxes are unbounded. Rank (i, j, k) owns
 * the bodies whose positions lie in its box. Three kinds of bodies are replicated (every rank has a row of
 * them): bodies that are not dynamic, bodies of joints, and very large bodies. A rank has copies of other
 * ranks' bodies (ghosts) if they are so near to its box that contacts may arise before the next build of
 * lists:
 *
 *   distance to the box <= r + slack + margin r + largest (r + slack) of all   (r: bounding radius)
 *
 * A contact is solved by one rank (sc_bodies_solver). All ranks build their lists at the same step. Only then
 * do bodies change their rank and are ghosts chosen. Between builds an owner sends the states of its exported
 * bodies once a step. */
#ifndef SD_DIST_H
#define SD_DIST_H

#include <math.h>
#include <mpi.h>
#include <string.h>
#include "io/trajectory/checkpoint.h"
#include "scree/dist.h"
#include "world/world.h"

/* Byte buffer that grows; a zeroed one is empty. The user frees `bytes`. */
typedef struct sd_buffer {
  unsigned char *bytes;
  size_t size, capacity;
} sd_buffer;
/* Grows the buffer and returns the first of `bytes` new bytes at its end, NULL if out of memory. */
void *sd_append(sd_buffer *buffer, size_t bytes);

/* Message of one exchange. A post sorts its messages by rank (receiver or sender); at most one per rank. */
typedef struct sd_parcel {
  int rank;
  sd_buffer buffer;
} sd_parcel;
typedef struct sd_post {
  sd_parcel *parcel;
  int count;
  size_t capacity;
} sd_post;
/* Returns the message buffer for a rank, made empty if there is none yet; NULL if out of memory. */
sd_buffer *sd_post_to(sd_post *post, int rank);
/* Removes all messages; their memory is reused. */
void sd_post_clear(sd_post *post);
/* Frees all messages. */
void sd_post_free(sd_post *post);

/* A rank that has ghosts of this rank's bodies, or of whose bodies this rank has ghosts. Both ranks list
 * these bodies in the same order. */
typedef struct sd_peer {
  int rank;
  int32_t exports, imports;
  /* [exports] slots of own bodies of which the peer has ghosts; [imports] slots of the peer's bodies of
   * which this rank has ghosts */
  uint32_t *exported, *imported;
  size_t exported_capacity, imported_capacity;
  /* Present step: [copies_out] rows of ghosts whose contacts this rank solves, and [copies_in] own bodies, as
   * indices of sd_dist.met, whose contacts the peer solves. */
  int32_t copies_out, copies_in;
  int32_t *out_row, *in_met;
  size_t out_row_capacity, in_met_capacity;
  double *out, *in; /* message to the peer and message from it */
  size_t out_capacity, in_capacity;
} sd_peer;

/* An own body of which other ranks solve contacts. copies: number of ranks that solve contacts of the body;
 * own: this rank is one of them. */
typedef struct sd_met {
  int32_t row, copies;
  bool own;
} sd_met;

enum { SD_SUMS = 64 }; /* largest number of values in one reduction */

typedef struct sd_dist {
  sc_ranks face; /* functions that the world calls */
  sc_exchange exchange;
  scree_dist_def def;
  MPI_Comm comm;
  int rank, ranks, grid[3];
  double *plane[3];     /* [grid[k] + 1] ascending positions along axis k; the first is -INFINITY, the last
                           INFINITY; in a cell, fractions of its edges (planes.c) */
  bool first;           /* every rank still has all bodies: no build of lists yet */
  double large;         /* bodies with a larger radius are replicated [m] */
  uint32_t generation;  /* larger than the generation of any slot when the world was distributed */
  int64_t balance_step; /* step of the last check of the load balance */
  double imbalance;     /* number of bodies of the fullest rank divided by the mean over ranks, >= 1 */
  sd_peer *peer;
  int peers;
  size_t peer_capacity;
  int round;        /* number of exchanges so far: its parity selects the message tag */
  sd_post post[2];  /* messages to send */
  sd_post mail;     /* messages received */
  sd_buffer record; /* cached contacts received with the last build (sd_record); scratch at other times */
  sd_met *met;
  int32_t mets;
  size_t met_capacity;
  int32_t *index; /* [rows] index of the body in met, -1: none; -2: no copy has arrived yet */
  size_t index_capacity;
  double *sum; /* [12 mets] reference velocity and spin, then the sums of differences from it */
  size_t sum_capacity;
  /* [commons] rows of replicated dynamic bodies, in the order of slots */
  int32_t *common;
  int32_t commons;
  size_t common_capacity;
  int32_t *common_copies; /* [commons] number of ranks that solve contacts of the body */
  size_t common_copies_capacity;
  /* [commons] whether this rank solves contacts of the body; on rank 0 followed by [ranks][commons] */
  uint8_t *common_part;
  size_t common_part_capacity;
  /* velocity and spin of this rank's copies (rank 0: followed by those of all ranks); means of all copies */
  double *common_copy, *common_mean;
  size_t common_copy_capacity, common_mean_capacity;
  uint8_t *flag; /* [rows] scratch flags */
  size_t flag_capacity;
  uint8_t *shared; /* [rows] nonzero: several ranks solve contacts of the body (sc_exchange) */
  size_t shared_capacity;
  MPI_Request *request;
  size_t request_capacity;
  int requests;
  /* [requests] written by MPI and never read. They exist because GCC warns about MPICH's
   * MPI_STATUSES_IGNORE */
  MPI_Status *status;
  size_t status_capacity;
  bool meeting;   /* an exchange of copies is under way */
  bool returned;  /* the means of this exchange have been sent */
  int awaited;    /* number of requests, from the first on, that receive copies */
  double vote[2]; /* nonzero: lists must be built, on this rank and on any rank */
  MPI_Request told_request;
  double told[2]; /* largest change of a sweep, on this rank and on any rank */
  const scree_geometry **geometry;
  uint32_t geometries;
  size_t geometry_capacity;
  double *gathered;         /* rank 0: [ranks][SD_SUMS] values to be added */
  double waiting;           /* wall time spent waiting for other ranks [s] */
  scree_dist_traffic tally; /* counts so far; scree_dist_get_traffic fills in the other members */
} sd_dist;

/* ---- planes.c ---- */
/* Chooses the grid and places the planes at equal distances. Call with a world that is the same on all
 * ranks. Fails if def.grid does not have as many boxes as there are ranks. */
scree_status sd_planes_choose(sd_dist *d, const scree_world *world, scree_error *error);
/* Returns the rank in whose box the position of a body lies. */
int sd_owner(const sd_dist *d, const sc_bodies *bodies, int32_t row);
/* Measures the load imbalance of the ranks. Moves the planes between the boxes of ranks if the imbalance
 * exceeds def.imbalance. Collective. */
void sd_balance(sd_dist *d, const scree_world *world);
/* Sets the boxes along each axis that a body or one of its images reaches: first, first + 1, ... (count in
 * all, each at most once). Indices wrap around at grid[k] along periodic axes. */
void sd_range(
    const sd_dist *d, const sc_bodies *bodies, int32_t row, double reach, int first[3], int count[3]);
/* Returns the rank that owns box (i, j, k). */
static inline int sd_rank_of(const sd_dist *d, int i, int j, int k) {
  return (i * d->grid[1] + j) * d->grid[2] + k;
}

/* ---- exchange.c ---- */
/* Sends the messages of d->post[which] and fills d->mail, sorted by sender. Collective. Fails if out of
 * memory or if a message exceeds 2 GiB. */
scree_status sd_exchange(sd_dist *d, int which, scree_error *error);
/* Replaces each value by its sum over all ranks, added in the order of ranks. Collective. */
void sd_sum(void *context, double *value, int count);
/* Replaces each value by its maximum over all ranks. Collective. */
void sd_most(void *context, double *value, int count);
/* Broadcasts bytes from rank `from`. Collective. */
void sd_send_all(void *context, void *bytes, size_t size, int from);
/* Concatenates the bytes of all ranks in the order of ranks. Sets *all (free with sc_free) and *total on
 * every rank if to_all, else on rank 0 only (NULL and 0 on others). Collective. Fails if out of memory. */
scree_status sd_gather(void *context, const void *bytes, size_t size, bool to_all, void **all, size_t *total,
    scree_error *error);
/* Starts a list of up to `count` point-to-point requests. Returns false if out of memory. */
bool sd_requests(sd_dist *d, int count);
/* Starts a send and adds the request to the list. `bytes` must stay valid until sd_wait. */
void sd_send(sd_dist *d, const void *bytes, size_t size, int to, int tag);
/* Starts a receive and adds the request to the list. `bytes` must stay valid until sd_wait. */
void sd_receive(sd_dist *d, void *bytes, size_t size, int from, int tag);
/* Waits for all requests of the list and empties it. */
void sd_wait(sd_dist *d);
/* Message tags. SD_TAG_MAIL has two successors: the tag of odd exchanges and the tag of gathered bytes. */
enum {
  SD_TAG_TOLD = 9,
  SD_TAG_MAIL = 10,
  SD_TAG_STATE = 20,
  SD_TAG_OWNER,
  SD_TAG_PART,
  SD_TAG_COPIES,
  SD_TAG_GIVE,
  SD_TAG_RETURN,
  SD_TAG_ROWS
};

/* ---- pack.c ---- */
/* Appends a body with its shapes and column values to a buffer. Returns false if out of memory. */
bool sd_pack_body(sd_dist *d, const scree_world *world, int32_t row, sd_buffer *out);
/* Reads a body at *at and advances *at. Creates the body, or updates it if this rank has it already. Returns
 * its row, -1 if out of memory. */
int32_t sd_unpack_body(sd_dist *d, scree_world *world, const unsigned char **at);
enum { SD_STATE = 19 }; /* doubles of a state: position, orientation, velocity, spin, force and moment */
/* Writes the state of a body. */
void sd_pack_state(const sc_bodies *bodies, int32_t row, double *out);
/* Sets the state of a body; false if out of memory for its loads. */
bool sd_unpack_state(const double *in, sc_bodies *bodies, int32_t row);
/* A cached contact that is sent to another rank. Its law state follows the record. In a world with
 * substeps, the sums of the contact (world/account/totals.h) follow the law state. */
typedef struct sd_record {
  uint32_t slot[2], serial[2];
  sc_remembered contact;
} sd_record;
/* Appends the record of a cached contact, its law state and its sums to a buffer. Returns false if out of
 * memory. The sums leave the world's totals. */
bool sd_pack_record(scree_world *world, const sc_remembered *from, sd_buffer *out);
/* Adds the received records (`width` doubles of law state each) to the contact cache. Skips records whose
 * shapes this rank does not have. The lists must be settled. */
scree_status sd_recall(scree_world *world, int32_t width, const void *bytes, size_t size, scree_error *error);
/* Returns the number of a hull or mesh, equal on all ranks; adds the geometry if it is new. Returns 0 for
 * NULL and if out of memory. */
uint32_t sd_geometry_number(void *context, const scree_geometry *geometry);
/* Returns the geometry with a number; NULL for 0 and unknown numbers. */
const scree_geometry *sd_geometry(void *context, uint32_t number);

/* ---- states.c ---- */
/* Waits for the messages of sd_begin; returns whether any rank's lists are stale. */
bool sd_voted(sd_dist *d);
/* Copies the received states to the ghosts. Removes ghosts whose owner has removed the body. */
scree_status sd_take_states(sd_dist *d, scree_world *world, scree_error *error);
/* Sends the states of exported bodies, waits, and updates the ghosts. Collective. */
scree_status sd_refresh(void *context, scree_world *world, scree_error *error);
/* Sends number[row] of every exported body to its importers; -1 if the body has been removed. The numbers of
 * ghosts arrive in sd_peer.in, in the order of `imported`. Returns false if out of memory. */
bool sd_tell_numbers(sd_dist *d, const sc_bodies *bodies, const int32_t *number, int tag);

/* ---- border.c ---- */
/* Lists the bodies of which several ranks solve contacts, for the exchange of velocities. part [rows]:
 * nonzero if this rank solves contacts of the body. Sets copies [rows]: the number of ranks that do, at
 * least 1. */
scree_status sd_share(
    void *context, scree_world *world, const uint8_t *part, int32_t *copies, scree_error *error);

#endif
