/* The start of a step: updates ghosts (states.c), or redistributes bodies and ghosts.
 *
 * All ranks build their neighbour lists as soon as the list of one rank is stale, i.e. out of date (states.c
 * collects the votes). The steps of a build are:
 *   1  Planes move if the load is out of balance. Owners decide by position which rank owns their bodies
 *      from now on, and notify the importers.
 *   2  Bodies go to their new owners.
 *   3  Owners choose which ranks need ghosts of their bodies, and export them. The same messages carry cached
 *      contacts to the ranks that will solve them. A ghost is sent with all its data: builds are rare, and
 *      the messages of the solver outweigh them.
 *   4  Ranks drop rows that are neither own nor ghosts nor replicated, and fill the contact cache.
 * An owner of -1, or a position that is NaN, announces a body that its owner has removed. */
#include "world/bodies/rows.h"
#include "dist/calls.h"
#include "model/lookup.h"

/* ---- peers ---- */

/* Returns the entry of a rank in d->peer. Adds an entry if the rank has none. Returns NULL if out of
 * memory. */
static sd_peer *find_or_add_peer(sd_dist *d, int rank) {
  int at = 0;
  while (at < d->peers && d->peer[at].rank < rank) at++;
  if (at < d->peers && d->peer[at].rank == rank) return d->peer + at;
  if (!SC_GROW(d->peer, d->peer_capacity, (size_t)d->peers + 1)) return NULL;
  memmove(d->peer + at + 1, d->peer + at, (size_t)(d->peers - at) * sizeof *d->peer);
  d->peer[at] = (sd_peer){.rank = rank};
  d->peers++;
  return d->peer + at;
}

static bool append_slot(uint32_t **list, int32_t *count, size_t *capacity, uint32_t slot) {
  if (!SC_GROW(*list, *capacity, (size_t)*count + 1)) return false;
  (*list)[(*count)++] = slot;
  return true;
}

/* ---- 1: new owners ---- */

/* Sets the owner of each own body that is not replicated to the rank in whose box the body lies. Packs each
 * body with a new owner into a message to this owner. Returns false if out of memory. */
static bool choose_owners(sd_dist *d, scree_world *world) {
  sc_bodies *b = &world->bodies;
  sd_post_clear(&d->post[0]);
  for (int32_t row = 0; row < b->count; row++) {
    bool own = sc_bodies_own(b, row);
    if (b->replicated[row] || !(own || d->first)) continue;
    b->owner[row] = sd_owner(d, b, row);
    if (!own || sc_bodies_own(b, row)) continue;
    sd_buffer *out = sd_post_to(&d->post[0], b->owner[row]);
    if (!out || !sd_pack_body(d, world, row, out)) return false;
  }
  return true;
}

/* Sends the new owners of this rank's bodies to the ranks that have ghosts of the bodies, and receives those
 * of its ghosts. Drops ghosts whose body has been removed. Returns false if out of memory. */
static bool send_owners(sd_dist *d, scree_world *world) {
  sc_bodies *b = &world->bodies;
  if (!sd_tell_numbers(d, b, b->owner, SD_TAG_OWNER)) return false;
  for (int i = 0; i < d->peers; i++) {
    sd_peer *p = d->peer + i;
    for (int32_t k = 0; k < p->imports; k++) {
      int32_t row = sc_lookup_find(b, p->imported[k]), owner = (int32_t)p->in[k];
      if (owner < 0) sc_world_drop_row(world, row);
      else b->owner[row] = owner;
    }
    p->exports = p->imports = 0;
  }
  return true;
}

/* Copies bodies that are no longer dynamic to all ranks. */
static scree_status replicate_stopped(sd_dist *d, scree_world *world, scree_error *error) {
  sc_bodies *b = &world->bodies;
  sd_buffer *out = &d->record;
  double count = 0;
  out->size = 0;
  for (int32_t row = 0; row < b->count; row++) {
    if (!sc_bodies_own(b, row) || b->replicated[row] || b->kind[row] == SCREE_DYNAMIC) continue;
    b->replicated[row] = 1;
    count++;
    if (!sd_pack_body(d, world, row, out))
      return sc_fail(error, SCREE_E_MEMORY, "no memory for bodies of all ranks");
  }
  sd_sum(d, &count, 1);
  if (!(count > 0)) return SCREE_OK;
  void *all;
  size_t total;
  scree_status status = sd_gather(d, out->bytes, out->size, true, &all, &total, error);
  const unsigned char *at = all, *end = at + total;
  while (status == SCREE_OK && at < end)
    if (sd_unpack_body(d, world, &at) < 0)
      status = sc_fail(error, SCREE_E_MEMORY, "no memory for bodies of all ranks");
  sc_free(all);
  return status;
}

/* ---- 2: bodies change their rank ---- */

static scree_status migrate_bodies(sd_dist *d, scree_world *world, scree_error *error) {
  scree_status status = sd_exchange(d, 0, error);
  for (int i = 0; i < d->mail.count && status == SCREE_OK; i++) {
    const unsigned char *at = d->mail.parcel[i].buffer.bytes, *end = at + d->mail.parcel[i].buffer.size;
    for (; at < end && status == SCREE_OK; d->tally.migrated++)
      if (sd_unpack_body(d, world, &at) < 0)
        status = sc_fail(
            error, SCREE_E_MEMORY, "no memory for bodies that came from rank %d", d->mail.parcel[i].rank);
  }
  return status;
}

/* ---- 3: ghosts and contacts ---- */

/* Returns the message to a rank that contains contact records, then ghosts. A new message starts with a
 * number for the size of its records [bytes]. Returns NULL if out of memory. */
static sd_buffer *ghost_message_to(sd_dist *d, int rank) {
  sd_buffer *out = sd_post_to(&d->post[1], rank);
  if (!out || out->size) return out;
  void *records = sd_append(out, sizeof(uint64_t));
  if (records) memset(records, 0, sizeof(uint64_t));
  return records ? out : NULL;
}

/* Packs the records of cached contacts that another rank will solve, into the message to this rank. They
 * precede the bodies of the message. */
static scree_status post_records(sd_dist *d, scree_world *world, scree_error *error) {
  int32_t count = d->first ? 0 : sc_collide_memory(world->collide, NULL, 0, NULL);
  for (int32_t i = 0; i < count; i++) {
    sc_remembered r;
    sc_collide_memory(world->collide, &world->shapes, i, &r);
    int32_t solver = sc_bodies_solver(
        &world->bodies, world->shapes.row[r.shape1].body, world->shapes.row[r.shape2].body);
    if (solver == d->rank) continue;
    sd_buffer *out = ghost_message_to(d, solver);
    if (!out || !sd_pack_record(world, &r, out))
      return sc_fail(error, SCREE_E_MEMORY, "no memory for contacts that change their rank");
  }
  for (int i = 0; i < d->post[1].count; i++) {
    uint64_t bytes = d->post[1].parcel[i].buffer.size - sizeof bytes;
    memcpy(d->post[1].parcel[i].buffer.bytes, &bytes, sizeof bytes);
  }
  return SCREE_OK;
}

/* Packs a body into the messages to all other ranks whose boxes are within `reach` of the body [m]. Adds the
 * body to the lists of exported bodies. Returns false if out of memory. */
static bool export_body(sd_dist *d, const scree_world *world, int32_t row, double reach) {
  int first[3], count[3];
  const int *g = d->grid;
  sd_range(d, &world->bodies, row, reach, first, count);
  for (int i = 0; i < count[0]; i++)
    for (int j = 0; j < count[1]; j++)
      for (int k = 0; k < count[2]; k++) {
        int to = sd_rank_of(d, (first[0] + i) % g[0], (first[1] + j) % g[1], (first[2] + k) % g[2]);
        if (to == d->rank) continue;
        sd_peer *p = find_or_add_peer(d, to);
        sd_buffer *out = p ? ghost_message_to(d, to) : NULL;
        if (!out || !sd_pack_body(d, world, row, out) ||
            !append_slot(&p->exported, &p->exports, &p->exported_capacity, world->bodies.slot[row]))
          return false;
      }
  return true;
}

/* Sets the box of this rank in its neighbour list. The list then ignores bodies that are so deep inside the
 * box that no body of another rank can reach them (engine/collide/list/part.c). far: largest reach of any
 * body [m]. */
static void set_part_box(const sd_dist *d, const scree_world *world, double far) {
  const int *g = d->grid, at[3] = {d->rank / (g[1] * g[2]), d->rank / g[2] % g[1], d->rank % g[2]};
  double low[3], high[3];
  for (int k = 0; k < 3; k++) low[k] = d->plane[k][at[k]], high[k] = d->plane[k][at[k] + 1];
  sc_collide_set_part(world->collide, low, high, far);
}

static scree_status export_ghosts(sd_dist *d, const scree_world *world, double dt, scree_error *error) {
  const sc_bodies *b = &world->bodies;
  double far = 0, wider = sc_collide_widening(b, dt);
  for (int32_t row = 0; row < b->count; row++)
    if (sc_bodies_own(b, row) && !b->replicated[row])
      far = fmax(far, b->radius[row] + sc_collide_slack(world->collide, b, row, dt));
  sd_most(d, &far, 1);
  if (!b->cell) set_part_box(d, world, far);
  for (int32_t row = 0; row < b->count; row++) {
    if (!sc_bodies_own(b, row) || b->replicated[row]) continue;
    double reach = b->radius[row] + sc_collide_reach(world->collide, b->radius[row]) +
        sc_collide_slack(world->collide, b, row, dt) + far;
    if (!export_body(d, world, row, reach * wider))
      return sc_fail(error, SCREE_E_MEMORY, "no memory for ghosts");
  }
  return SCREE_OK;
}

/* Unpacks the received ghosts and flags their rows in d->flag. Copies the received contact records to
 * d->record. */
static scree_status import_ghosts(sd_dist *d, scree_world *world, scree_error *error) {
  d->record.size = 0;
  for (int i = 0; i < d->mail.count; i++) {
    const sd_buffer *buffer = &d->mail.parcel[i].buffer;
    const unsigned char *at = buffer->bytes, *end = at + buffer->size;
    uint64_t records;
    memcpy(&records, at, sizeof records);
    at += sizeof records;
    void *kept = sd_append(&d->record, (size_t)records);
    if (kept && records) memcpy(kept, at, (size_t)records);
    at += records;
    sd_peer *p = at < end ? find_or_add_peer(d, d->mail.parcel[i].rank) : NULL;
    bool ok = kept && (p || at == end);
    while (ok && at < end) {
      int32_t row = sd_unpack_body(d, world, &at);
      size_t before = d->flag_capacity;
      ok = row >= 0 && SC_GROW(d->flag, d->flag_capacity, (size_t)row + 1) &&
          append_slot(&p->imported, &p->imports, &p->imported_capacity, world->bodies.slot[row]);
      if (d->flag_capacity > before) memset(d->flag + before, 0, d->flag_capacity - before);
      if (ok) d->flag[row] = 1;
    }
    if (!ok)
      return sc_fail(error, SCREE_E_MEMORY, "no memory for what rank %d exports", d->mail.parcel[i].rank);
  }
  return SCREE_OK;
}

/* ---- 4: rows that this rank no longer needs ---- */

static void drop_unused_rows(sd_dist *d, scree_world *world) {
  for (int32_t row = world->bodies.count - 1; row >= 0; row--) {
    bool exported = (size_t)row < d->flag_capacity && d->flag[row];
    if (!sc_bodies_own(&world->bodies, row) && !world->bodies.replicated[row] && !exported)
      sc_world_drop_row(world, row);
  }
}

/* Sets the mean bounding radius of all movable shapes, over all ranks, in the neighbour list. */
static void share_mean_radius(sd_dist *d, scree_world *world) {
  const sc_bodies *b = &world->bodies;
  double sums[2] = {0, 0};
  for (int32_t row = 0; row < b->count; row++) {
    if (!sc_bodies_own(b, row) || !(b->inv_mass[row] > 0)) continue;
    for (int32_t s = b->first_shape[row]; s >= 0; s = world->shapes.row[s].next)
      sums[0] += world->shapes.row[s].bound, sums[1]++;
  }
  sd_sum(d, sums, 2);
  sc_collide_set_mean(world->collide, sums[1] > 0 ? sums[0] / sums[1] : 1);
}

static scree_status exchange_bodies(sd_dist *d, scree_world *world, scree_error *error) {
  if (!choose_owners(d, world) || !send_owners(d, world))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for bodies that change their rank");
  return migrate_bodies(d, world, error);
}

static scree_status exchange_ghosts(sd_dist *d, scree_world *world, double dt, scree_error *error) {
  if (!SC_GROW(d->flag, d->flag_capacity, (size_t)world->bodies.count + 1))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", world->bodies.count);
  memset(d->flag, 0, d->flag_capacity);
  sd_post_clear(&d->post[1]);
  scree_status status = sc_collide_settle(world->collide, error);
  if (status == SCREE_OK) status = post_records(d, world, error);
  if (status == SCREE_OK) status = export_ghosts(d, world, dt, error);
  if (status == SCREE_OK) status = sd_exchange(d, 1, error);
  return status == SCREE_OK ? import_ghosts(d, world, error) : status;
}

static scree_status redistribute_world(sd_dist *d, scree_world *world, double dt, scree_error *error) {
  scree_status status = replicate_stopped(d, world, error);
  if (status != SCREE_OK) return status;
  sd_balance(d, world);
  share_mean_radius(d, world);
  status = exchange_bodies(d, world, error);
  if (status == SCREE_OK) status = exchange_ghosts(d, world, dt, error);
  if (status != SCREE_OK) return status;
  drop_unused_rows(d, world);
  d->first = false;
  sc_collide_dirty(world->collide);
  status = sc_collide_settle(world->collide, error);
  return status == SCREE_OK
      ? sd_recall(world, sc_collide_stride(world->collide), d->record.bytes, d->record.size, error)
      : status;
}

scree_status sd_align(void *context, scree_world *world, double dt, bool *stale, scree_error *error) {
  sd_dist *d = context;
  *stale = sd_voted(d);
  d->tally.steps++;
  d->tally.builds += *stale;
  return *stale ? redistribute_world(d, world, dt, error) : sd_take_states(d, world, error);
}
