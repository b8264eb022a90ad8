/* Ghosts between two builds of neighbour lists: owners send the states of exported bodies once a step, and
 * all ranks vote on whether lists are stale (out of date).
 *
 * A rank sends its vote and the states as soon as it knows whether its own list is stale. Until the messages
 * arrive, the rank detects contacts that do not depend on them. If the vote is to build lists, the received
 * states are ignored, because the build sends all ghosts anew. A position that is NaN announces a body that
 * its owner has removed. */
#include "world/bodies/rows.h"
#include "dist/calls.h"
#include "model/lookup.h"

/* ---- messages ---- */

/* Reserves memory for messages to and from a peer with `each` doubles per exported or imported body. Returns
 * false if out of memory. */
static bool reserve_messages(sd_peer *p, size_t each) {
  return SC_GROW(p->out, p->out_capacity, (size_t)p->exports * each + 1) &&
      SC_GROW(p->in, p->in_capacity, (size_t)p->imports * each + 1);
}

/* Starts to send p->out to each peer p, `each` doubles per exported body, and to receive p->in, `each`
 * doubles per ghost. The list of requests must have memory for two requests per peer. */
static void start_exports(sd_dist *d, int each, int tag) {
  for (int i = 0; i < d->peers; i++) {
    sd_peer *p = d->peer + i;
    if (p->imports) sd_receive(d, p->in, (size_t)p->imports * (size_t)each * sizeof *p->in, p->rank, tag);
    if (p->exports) sd_send(d, p->out, (size_t)p->exports * (size_t)each * sizeof *p->out, p->rank, tag);
  }
}

bool sd_tell_numbers(sd_dist *d, const sc_bodies *b, const int32_t *number, int tag) {
  if (!sd_requests(d, 2 * d->peers)) return false;
  for (int i = 0; i < d->peers; i++) {
    sd_peer *p = d->peer + i;
    if (!reserve_messages(p, 1)) return false;
    for (int32_t k = 0; k < p->exports; k++) {
      int32_t row = sc_lookup_find(b, p->exported[k]);
      p->out[k] = row < 0 ? -1 : number[row];
    }
  }
  start_exports(d, 1, tag);
  sd_wait(d);
  return true;
}

/* Starts to send the states of exported bodies to all peers, and to receive those of ghosts. The list of
 * requests must have memory for two requests per peer. */
static scree_status send_states(sd_dist *d, const sc_bodies *b, scree_error *error) {
  for (int i = 0; i < d->peers; i++) {
    sd_peer *p = d->peer + i;
    if (!reserve_messages(p, SD_STATE))
      return sc_fail(error, SCREE_E_MEMORY, "no memory for %d ghosts", p->exports + p->imports);
    for (int32_t k = 0; k < p->exports; k++) {
      int32_t row = sc_lookup_find(b, p->exported[k]);
      if (row < 0) p->out[(size_t)k * SD_STATE] = NAN;
      else sd_pack_state(b, row, p->out + (size_t)k * SD_STATE);
    }
  }
  start_exports(d, SD_STATE, SD_TAG_STATE);
  return SCREE_OK;
}

/* Also removes bodies that no longer exist from the lists of exported and imported bodies. */
scree_status sd_take_states(sd_dist *d, scree_world *world, scree_error *error) {
  sc_bodies *b = &world->bodies;
  for (int i = 0; i < d->peers; i++) {
    sd_peer *p = d->peer + i;
    int32_t exports = 0, imports = 0;
    for (int32_t k = 0; k < p->exports; k++)
      if (sc_lookup_find(b, p->exported[k]) >= 0) p->exported[exports++] = p->exported[k];
    for (int32_t k = 0; k < p->imports; k++) {
      const double *state = p->in + (size_t)k * SD_STATE;
      int32_t row = sc_lookup_find(b, p->imported[k]);
      if (!(state[0] == state[0])) sc_world_drop_row(world, row);
      else if (sd_unpack_state(state, b, row)) p->imported[imports++] = p->imported[k];
      else return sc_fail(error, SCREE_E_MEMORY, "no memory for forces on %d bodies", b->count);
    }
    p->exports = exports, p->imports = imports;
  }
  return SCREE_OK;
}

/* ---- at the start of a step ---- */

scree_status sd_begin(void *context, scree_world *world, bool stale, scree_error *error) {
  sd_dist *d = context;
  if (!sd_requests(d, 2 * d->peers + 1)) return sc_fail(error, SCREE_E_MEMORY, "no memory for messages");
  d->vote[0] = stale || d->first;
  MPI_Iallreduce(d->vote, d->vote + 1, 1, MPI_DOUBLE, MPI_MAX, d->comm, d->request + d->requests++);
  return send_states(d, &world->bodies, error);
}

bool sd_voted(sd_dist *d) {
  double before = d->waiting;
  sd_wait(d);
  d->tally.aligning += d->waiting - before;
  return d->vote[1] > 0;
}

/* ---- within a step ---- */

scree_status sd_refresh(void *context, scree_world *world, scree_error *error) {
  sd_dist *d = context;
  if (!sd_requests(d, 2 * d->peers)) return sc_fail(error, SCREE_E_MEMORY, "no memory for messages");
  scree_status status = send_states(d, &world->bodies, error);
  if (status != SCREE_OK) return status;
  sd_wait(d);
  return sd_take_states(d, world, error);
}
