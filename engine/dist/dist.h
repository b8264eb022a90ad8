/* Private header of the domain decomposition over MPI ranks.
 *
 * Planes cut space into grid[0] x grid[1] x grid[2] boxes; the outer boxes are unbounded. Rank (i, j, k) owns
 * the bodies whose positions lie in its box. Three kinds of bodies are replicated (every rank has a row of
 * them): bodies that are not dynamic, bodies of joints, and very large bodies. A rank has copies of other
 * ranks' bodies (ghosts) if they are so near to its box that contacts may arise before neighbour lists are
 * built again:
 *
 *   distance to the box <= r + slack + margin r + largest (r + slack) of all   (r: bounding radius)
 *
 * A contact is solved by one rank (sc_bodies_solver). All ranks build their neighbour lists at the same step.
 * Only then do bodies change their rank, and only then are ghosts chosen. Between two builds an owner sends
 * the states of its exported bodies, those of which other ranks have ghosts, once a step. */
#ifndef SD_DIST_H
#define SD_DIST_H

#include <math.h>
#include <mpi.h>
#include <string.h>
#include "dist/post.h"
#include "io/trajectory/checkpoint.h"
#include "scree/dist.h"
#include "world/world.h"

/* A rank that has ghosts of this rank's bodies, or of whose bodies this rank has ghosts. Both ranks list
 * these bodies in the same order. */
typedef struct sd_peer {
  int rank;
  int32_t exports, imports;
  /* [exports] slots of own bodies of which the peer has ghosts; [imports] slots of the peer's bodies of
   * which this rank has ghosts */
  uint32_t *exported, *imported;
  size_t exported_capacity, imported_capacity;
  /* contacts of the present step: [copies_out] rows of ghosts whose contacts this rank solves; [copies_in]
   * own bodies whose contacts the peer solves, as indices of sd_dist.met */
  int32_t copies_out, copies_in;
  int32_t *out_row, *in_met;
  size_t out_row_capacity, in_met_capacity;
  double *out, *in; /* message to the peer and message from it */
  size_t out_capacity, in_capacity;
} sd_peer;

/* An own body of which other ranks solve contacts. copies: number of ranks that solve contacts of the body;
 * own: this rank is one of these ranks. */
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
  /* [grid[k] + 1] positions of the planes across axis k in ascending order [m]; in a cell, fractions of its
   * edges (planes.c). The first is -INFINITY, the last INFINITY. */
  double *plane[3];
  bool first;   /* every rank still has all bodies, because neighbour lists have not been built yet */
  double large; /* bodies with a larger radius are replicated [m] */
  /* number larger than the generation of any slot when the world was distributed (a generation counts the
   * bodies that have used a slot) */
  uint32_t generation;
  int64_t balance_step; /* number of the step in which the load balance was last checked */
  double imbalance;     /* number of bodies of the fullest rank divided by the mean over ranks, >= 1 */
  sd_peer *peer;
  int peers;
  size_t peer_capacity;
  int round;       /* number of calls of sd_exchange so far; its parity selects the message tag */
  sd_post post[2]; /* messages to send: 0: bodies with new owners; 1: ghosts and cached contacts */
  sd_post mail;    /* messages received by the last sd_exchange */
  /* records of cached contacts received when neighbour lists were last built (sd_record); scratch at other
   * times */
  sd_buffer record;
  sd_met *met;
  int32_t mets;
  size_t met_capacity;
  /* [bodies] index of the body in `met`; -1: not in `met`; -2: no copy of the body has arrived yet in this
   * exchange */
  int32_t *index;
  size_t index_capacity;
  /* [mets][12] velocity and spin of a reference copy of the body, then sums over the other copies of the
   * differences from the reference */
  double *sum;
  size_t sum_capacity;
  /* [commons] rows of replicated dynamic bodies, in the order of slots */
  int32_t *common;
  int32_t commons;
  size_t common_capacity;
  int32_t *common_copies; /* [commons] number of ranks that solve contacts of the body */
  size_t common_copies_capacity;
  /* [commons] 1: this rank solves contacts of the body. On rank 0, [ranks][commons] such flags of all ranks
   * follow */
  uint8_t *common_part;
  size_t common_part_capacity;
  /* common_copy: [commons][6] velocity and spin of this rank's copies; on rank 0, those of all ranks follow.
   * common_mean: [commons][6] means over all copies */
  double *common_copy, *common_mean;
  size_t common_copy_capacity, common_mean_capacity;
  uint8_t *flag; /* [bodies] flags for temporary use */
  size_t flag_capacity;
  uint8_t *shared; /* [bodies] nonzero: several ranks solve contacts of the body (sc_exchange.shared) */
  size_t shared_capacity;
  MPI_Request *request;
  size_t request_capacity;
  int requests;
  /* [requests] states of requests, written by MPI and never read. The array exists because GCC warns about
   * MPICH's MPI_STATUSES_IGNORE */
  MPI_Status *status;
  size_t status_capacity;
  bool meeting;  /* an exchange of velocities (sd_start) has started and not finished */
  bool returned; /* the means of the present exchange have been sent */
  int awaited;   /* number of requests that receive copies; they are the first in `request` */
  /* nonzero: neighbour lists must be built; 0: vote of this rank, 1: maximum over all ranks */
  double vote[2];
  MPI_Request told_request;
  double told[2]; /* largest change of a sweep; 0: of this rank, 1: maximum over all ranks */
  const scree_geometry **geometry;
  uint32_t geometries;
  size_t geometry_capacity;
  double *gathered; /* [ranks][SD_SUMS] values of all ranks that rank 0 adds (sd_sum) */
  double waiting;   /* wall time spent waiting for other ranks [s] */
  /* counts so far; scree_dist_get_traffic computes the members that are not counts */
  scree_dist_traffic tally;
} sd_dist;

/* ---- planes.c ---- */
/* Chooses the grid and places the planes at equal distances. Call with a world that is the same on all
 * ranks. Fails if def.grid does not have as many boxes as there are ranks. */
scree_status sd_planes_choose(sd_dist *d, const scree_world *world, scree_error *error);
/* Returns the rank in whose box the position of a body lies. */
int sd_owner(const sd_dist *d, const sc_bodies *bodies, int32_t row);
/* Measures the load imbalance of the ranks. Moves the planes if the imbalance exceeds def.imbalance, at most
 * once every def.interval steps. Collective. */
void sd_balance(sd_dist *d, const scree_world *world);
/* Computes which boxes a body reaches. A box is reached if the body's position or that of an image is within
 * `reach` of the box [m]. first, count: along axis k, the boxes first[k], first[k] + 1, ... (count[k] boxes,
 * each once). Indices wrap around at grid[k] along periodic axes. */
void sd_range(
    const sd_dist *d, const sc_bodies *bodies, int32_t row, double reach, int first[3], int count[3]);
/* Returns the rank that owns box (i, j, k). */
static inline int sd_rank_of(const sd_dist *d, int i, int j, int k) {
  return (i * d->grid[1] + j) * d->grid[2] + k;
}

/* ---- exchange.c ---- */
/* Sends the messages of d->post[which] to their ranks. Receives the messages for this rank into d->mail,
 * sorted by sender. Collective. Fails if out of memory or if a message exceeds 2 GiB. */
scree_status sd_exchange(sd_dist *d, int which, scree_error *error);
/* Replaces each value by its sum over all ranks, added in the order of ranks. Collective. */
void sd_sum(void *context, double *value, int count);
/* Replaces each value by its maximum over all ranks. Collective. */
void sd_most(void *context, double *value, int count);
/* Copies `size` bytes from rank `from` to all other ranks. Collective. */
void sd_send_all(void *context, void *bytes, size_t size, int from);
/* Concatenates the bytes of all ranks in the order of ranks. Sets *all (free with sc_free) and *total on
 * every rank if to_all, else on rank 0 only (NULL and 0 on others). Collective. Fails if out of memory. */
scree_status sd_gather(void *context, const void *bytes, size_t size, bool to_all, void **all, size_t *total,
    scree_error *error);
/* Empties the list of point-to-point requests (d->request) and reserves memory for `count` requests. Returns
 * false if out of memory. */
bool sd_requests(sd_dist *d, int count);
/* Starts to send `size` bytes to rank `to` and adds the request to the list. `bytes` must stay valid until
 * sd_wait. */
void sd_send(sd_dist *d, const void *bytes, size_t size, int to, int tag);
/* Starts to receive `size` bytes from rank `from` and adds the request to the list. `bytes` must stay valid
 * until sd_wait. */
void sd_receive(sd_dist *d, void *bytes, size_t size, int from, int tag);
/* Waits for all requests of the list and empties it. */
void sd_wait(sd_dist *d);
/* Message tags. SD_TAG_MAIL + 1 and SD_TAG_MAIL + 2 are also in use: the first for every other call of
 * sd_exchange, the second for gathered bytes. */
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
/* Reads a body at *at and advances *at. Creates the body, or updates it if this rank has the body already.
 * Returns its row, -1 if out of memory. */
int32_t sd_unpack_body(sd_dist *d, scree_world *world, const unsigned char **at);
/* number of doubles in the state of a body: position, orientation, velocity, spin, force and moment */
enum { SD_STATE = 19 };
/* Writes the state of a body to out [SD_STATE]. */
void sd_pack_state(const sc_bodies *bodies, int32_t row, double *out);
/* Sets the state of a body from in [SD_STATE]. Returns false if out of memory for the body's loads. */
bool sd_unpack_state(const double *in, sc_bodies *bodies, int32_t row);
/* A cached contact in a message to another rank. slot, serial: slot of the body, and serial number in the
 * body, of the two shapes. The law state of the contact follows the record. In a world with substeps, the
 * sums of the contact (world/account/totals.h) follow the law state. */
typedef struct sd_record {
  uint32_t slot[2], serial[2];
  sc_remembered contact;
} sd_record;
/* Appends the record of a cached contact, its law state and its sums over substeps to a buffer. Removes the
 * sums from the world's totals. Returns false if out of memory. */
bool sd_pack_record(scree_world *world, const sc_remembered *from, sd_buffer *out);
/* Adds received records to the contact cache. bytes: the records, each with `width` doubles of law state.
 * Skips records whose shapes this rank does not have. Call after sc_collide_settle. */
scree_status sd_recall(scree_world *world, int32_t width, const void *bytes, size_t size, scree_error *error);
/* Returns the number of a hull or mesh, which is equal on all ranks. Adds the geometry if it is new. Returns
 * 0 for NULL and if out of memory. */
uint32_t sd_geometry_number(void *context, const scree_geometry *geometry);
/* Returns the geometry with a number; NULL for 0 and unknown numbers. */
const scree_geometry *sd_geometry(void *context, uint32_t number);

/* ---- states.c ---- */
/* Waits for the messages of sd_begin. Returns true if the neighbour list of any rank is stale. */
bool sd_voted(sd_dist *d);
/* Copies the received states to the ghosts. Removes ghosts whose owner has removed the body. */
scree_status sd_take_states(sd_dist *d, scree_world *world, scree_error *error);
/* Sends the states of own bodies to the ranks with ghosts of them, waits, and updates the ghosts.
 * Collective. */
scree_status sd_refresh(void *context, scree_world *world, scree_error *error);
/* Sends number[row] of each exported body to the ranks with ghosts of the body; -1 if the body has been
 * removed. The numbers of this rank's ghosts arrive in sd_peer.in, in the order of `imported`. Returns false
 * if out of memory. */
bool sd_tell_numbers(sd_dist *d, const sc_bodies *bodies, const int32_t *number, int tag);

/* ---- border.c ---- */
/* Lists the bodies of which several ranks solve contacts, for the exchange of velocities. part: [bodies]
 * nonzero if this rank solves contacts of the body. copies: [bodies] set to the number of ranks that solve
 * contacts of the body, at least 1. Collective. */
scree_status sd_share(
    void *context, scree_world *world, const uint8_t *part, int32_t *copies, scree_error *error);

#endif
