/* Inside of the decomposition: what its files share.
 *
 * Space is cut by planes into grid[0] x grid[1] x grid[2] boxes, the outer ones without end; rank (i, j,
 * k) owns the bodies whose positions lie in its box. Bodies that everybody must know (immovable ones,
 * those that joints hold, the very large) have a row on every rank. Of the others, a rank holds copies,
 * ghosts, where they come so near to its box that contacts may arise before lists are built next:
 *
 *   distance to the box <= r + slack + margin r + largest (r + slack) of all
 *
 * A contact is solved by one rank (sc_bodies_solver). Lists are built on all ranks at the same step;
 * only then do bodies change their rank and ghosts are chosen; in between an owner sends the state of
 * its exported bodies once a step. */
#ifndef SD_DIST_H
#define SD_DIST_H

#include <math.h>
#include <mpi.h>
#include <string.h>
#include "io/trajectory/checkpoint.h"
#include "scree/dist.h"
#include "world/world.h"

/* Bytes that grow. */
typedef struct sd_buffer {
  unsigned char *bytes;
  size_t size, capacity;
} sd_buffer;
/* Room for more bytes at the end, NULL without memory. */
void *sd_append(sd_buffer *buffer, size_t bytes);

/* Messages of one exchange: to (or from) any ranks, ascending, each at most once. */
typedef struct sd_parcel {
  int rank;
  sd_buffer buffer;
} sd_parcel;
typedef struct sd_post {
  sd_parcel *parcel;
  int count;
  size_t capacity;
} sd_post;
/* The buffer for a rank; NULL without memory. */
sd_buffer *sd_post_to(sd_post *post, int rank);
void sd_post_clear(sd_post *post); /* empties, keeps memory */
void sd_post_free(sd_post *post);

/* A rank that exports or imports. Lists are alike on both sides. */
typedef struct sd_peer {
  int rank;
  int32_t exports, imports;
  /* slots: own bodies that the peer has ghosts of; ghosts here of the peer's bodies */
  uint32_t *exported, *imported;
  size_t exported_capacity, imported_capacity;
  /* of the present step: rows of ghosts here that this rank solves contacts of, and of own bodies the
   * peer solves contacts of */
  int32_t gives, takes;
  int32_t *give, *take; /* take: index into sd_dist.met */
  size_t give_capacity, take_capacity;
  double *out, *in;
  size_t out_capacity, in_capacity;
} sd_peer;

/* An own body that other ranks solve contacts of. */
typedef struct sd_met {
  int32_t row, copies;
  bool own;
} sd_met;

enum { SD_SUMS = 64 }; /* values that are added up at a time */

typedef struct sd_dist {
  sc_ranks face; /* what the world knows */
  sc_exchange exchange;
  scree_dist_def def;
  MPI_Comm comm;
  int rank, ranks, grid[3];
  double *plane[3];    /* grid[k] + 1 of them, the outer ones infinite (planes.c) */
  bool first;          /* every rank still holds all bodies */
  double large;        /* bodies of a greater radius are replicated [m] */
  uint32_t generation; /* greater than that of any slot when the world was spread */
  int64_t looked;      /* step of the last look at the balance */
  double imbalance;
  sd_peer *peer;
  int peers;
  size_t peer_capacity;
  int round; /* of exchanges: tags alternate */
  sd_post post[2];
  sd_post mail;     /* to send; received */
  sd_buffer record; /* of contacts that came with the last build */
  sd_met *met;
  int32_t mets;
  size_t met_capacity;
  int32_t *index;
  size_t index_capacity; /* row -> met, -1 */
  double *sum;
  size_t sum_capacity; /* 12 a met body: reference and sum of differences */
  /* rows of dynamic bodies replicated, by slot */
  int32_t *common;
  int32_t commons;
  size_t common_capacity;
  int32_t *common_copies;
  size_t common_copies_capacity; /* per common body: ranks that work on it */
  /* the same by ranks on rank 0, ranks x commons */
  uint8_t *common_part;
  size_t common_part_capacity;
  /* copies (on rank 0 behind its own: of all), means */
  double *common_copy, *common_mean;
  size_t common_copy_capacity, common_mean_capacity;
  uint8_t *flag;
  size_t flag_capacity; /* scratch, a byte a row */
  uint8_t *shared;
  size_t shared_capacity; /* a byte a row: several ranks hold the body (sc_exchange) */
  MPI_Request *request;
  size_t request_capacity;
  int requests;
  /* of the requests; nobody reads them (MPICH's constant for none trips GCC's warnings) */
  MPI_Status *status;
  size_t status_capacity;
  /* copies of shared bodies are on their way; means are, too */
  bool meeting, returned;
  int awaited; /* the first of the requests: copies that come */
  /* whether lists must be built: as this rank says, as any does */
  double vote[2];
  MPI_Request told_request;
  double told[2]; /* of this rank, of all */
  const scree_geometry **geometry;
  uint32_t geometries;
  size_t geometry_capacity;
  double *gathered; /* on rank 0: SD_SUMS values of each rank, to be added up */
  double waiting;
  scree_dist_traffic tally; /* counts so far; the rest is filled in when asked for */
} sd_dist;

/* ---- planes.c ---- */
/* grid and regular planes, from a world alike on all ranks */
scree_status sd_planes_choose(sd_dist *d, const scree_world *world, scree_error *error);
int sd_owner(const sd_dist *d, const sc_bodies *bodies, int32_t row); /* by where it lies */
/* Moves planes where the balance asks for it. */
void sd_balance(sd_dist *d, const scree_world *world);
/* Boxes along each axis that come within reach of a body or its images: so many from the first on, around
 * where space repeats itself. */
void sd_range(
    const sd_dist *d, const sc_bodies *bodies, int32_t row, double reach, int first[3], int count[3]);
static inline int sd_rank_of(const sd_dist *d, int i, int j, int k) {
  return (i * d->grid[1] + j) * d->grid[2] + k;
}

/* ---- exchange.c ---- */
/* Sends d->post[which] and fills d->mail, senders ascending. Collective. */
scree_status sd_exchange(sd_dist *d, int which, scree_error *error);
void sd_sum(void *context, double *value, int count);
double sd_mean(void *context, double value, double weight);
void sd_most(void *context, double *value, int count);
void sd_send_all(void *context, void *bytes, size_t size, int from);
double sd_largest(void *context, double value);
/* The largest change of the sweep before over all ranks; that of this sweep travels during the next. */
double sd_decide(void *context, bool first, double value);
double sd_conclude(void *context, double value);
scree_status sd_gather(void *context, const void *bytes, size_t size, bool to_all, void **all, size_t *total,
    scree_error *error);
/* Point to point with peers: requests are collected, then waited for. */
bool sd_requests(sd_dist *d, int count);
void sd_send(sd_dist *d, const void *bytes, size_t size, int to, int tag);
void sd_receive(sd_dist *d, void *bytes, size_t size, int from, int tag);
void sd_wait(sd_dist *d);
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
/* A body with its shapes at the end of a buffer; false without memory. */
bool sd_pack_body(sd_dist *d, const scree_world *world, int32_t row, sd_buffer *out);
/* The body at *at, made or brought up to date; its row, or -1 without memory. *at moves on. */
int32_t sd_unpack_body(sd_dist *d, scree_world *world, const unsigned char **at);
enum { SD_STATE = 19 }; /* doubles of a state that is sent every step */
void sd_pack_state(const sc_bodies *bodies, int32_t row, double *out);
bool sd_unpack_state(const double *in, sc_bodies *bodies, int32_t row);
/* A cached contact that is sent to another rank. Its law state follows the record. In a world with
 * substeps, the sums of the contact (world/account/totals.h) follow the law state. */
typedef struct sd_record {
  uint32_t slot[2], serial[2];
  sc_remembered contact;
} sd_record;
bool sd_pack_record(scree_world *world, const sc_remembered *from, sd_buffer *out);
/* Records in bytes, with `width` doubles of law state each, go to the memory of a world whose lists are
 * settled. */
scree_status sd_recall(scree_world *world, int32_t width, const void *bytes, size_t size, scree_error *error);
uint32_t sd_geometry_number(void *context, const scree_geometry *geometry);
const scree_geometry *sd_geometry(void *context, uint32_t number);

/* ---- align.c ---- */
scree_status sd_align(void *context, scree_world *world, double dt, bool *stale, scree_error *error);

/* ---- states.c ---- */
/* The vote on whether lists are stale, and the states of exported bodies, leave (requests 0 and the rest);
 * what the vote says, once all of it is here; and the states put in place. */
scree_status sd_begin(void *context, scree_world *world, bool stale, scree_error *error);
bool sd_voted(sd_dist *d);
scree_status sd_take_states(sd_dist *d, scree_world *world, scree_error *error);
/* Ghosts get the states of their owners. */
scree_status sd_refresh(void *context, scree_world *world, scree_error *error);
/* Exporters tell importers a number of every exported body, given by rows (-1: the body is gone); it is in
 * `in` of the peers then. False without memory. */
bool sd_tell_numbers(sd_dist *d, const sc_bodies *bodies, const int32_t *number, int tag);

/* ---- border.c ---- */
/* part: a byte a body, nonzero where this rank works on it; copies: the number of ranks that do. */
scree_status sd_share(
    void *context, scree_world *world, const uint8_t *part, int32_t *copies, scree_error *error);
scree_status sd_share_contacts(void *context, scree_world *world, const int32_t **shares, scree_error *error);
/* Copies meet (sc_exchange): velocities leave, means are formed and returned as they come (false once all
 * is here), the rest is waited for. */
void sd_start(void *context, const sc_solver_body *body);
bool sd_advance(void *context, sc_solver_body *body);
void sd_finish(void *context, sc_solver_body *body);

/* ---- impact.c, bodies.c, frame.c, report.c (world/ranks.h) ---- */
scree_status sd_strike(void *context, struct sc_rounds *r, double least, scree_error *error);
int32_t sd_row(void *context, const scree_world *world, scree_id id, scree_error *error);
int32_t sd_row_to_change(void *context, const scree_world *world, scree_id id, scree_error *error);
scree_status sd_read(
    void *context, const scree_world *world, scree_id id, scree_body_state *state, scree_error *error);
scree_status sd_refuse(void *context, const char *what, const char *instead, scree_error *error);
scree_status sd_frame(void *context, const scree_world *world, bool with_contacts,
    struct scree_frame_buffer *buffer, scree_error *error);
void sd_report(void *context, scree_report *report, double *depth);
uint64_t sd_hash(void *context, const scree_world *world, uint64_t hash);

/* ---- save.c ---- */
scree_status sd_save(void *context, const scree_world *world, sc_sections *out, scree_error *error);

/* ---- rows.c ---- */
bool sd_whole(void *context);
scree_status sd_tell_rows(void *context, const scree_world *world, int32_t *number, scree_error *error);

#endif
