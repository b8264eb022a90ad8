/* Distributes a world over ranks. Every rank has made the same world before. */
#include "dist/calls.h"
#include "scree/geometry.h"
#include "world/fits.h"
#include "world/account/losses.h"
#include "world/account/totals.h"

#include <stdlib.h>

/* Number of grains whose positions all ranks test together in one exchange when grains are inserted
 * (sc_ranks.together). */
enum { TOGETHER = 32 };

/* ---- life ---- */

static void destroy_dist(void *context) {
  sd_dist *d = context;
  for (int i = 0; i < d->peers; i++) {
    sd_peer *p = d->peer + i;
    void *blocks[] = {p->exported, p->imported, p->out_row, p->in_met, p->out, p->in};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) sc_free(blocks[k]);
  }
  for (uint32_t i = 0; i < d->geometries; i++) scree_geometry_release(d->geometry[i]);
  sd_post_free(&d->post[0]);
  sd_post_free(&d->post[1]);
  sd_post_free(&d->mail);
  void *blocks[] = {d->plane[0], d->plane[1], d->plane[2], d->peer, d->record.bytes, d->met, d->index, d->sum,
      d->common, d->common_copies, d->common_part, d->common_copy, d->common_mean, d->flag, d->shared,
      d->request, d->status, d->geometry, d->gathered};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) sc_free(blocks[k]);
  sc_free(d);
}

/* ---- owners ---- */

/* Returns true if a body must be replicated, because it is not dynamic, has a joint, or is very large. */
static bool needs_replication(const sd_dist *d, const scree_world *world, int32_t row) {
  const sc_bodies *b = &world->bodies;
  if (b->kind[row] != SCREE_DYNAMIC || !(b->radius[row] <= d->large)) return true;
  return world->joints.count && sc_joints_hold(&world->joints, sc_bodies_id(b, row));
}

static bool assign_owner(void *context, scree_world *world, int32_t row) {
  sd_dist *d = context;
  sc_bodies *b = &world->bodies;
  for (int32_t s = b->first_shape[row]; s >= 0; s = world->shapes.row[s].next)
    sd_geometry_number(d, sc_shapes_geometry(&world->shapes, s));
  b->replicated[row] = needs_replication(d, world, row);
  b->owner[row] = b->replicated[row] ? 0 : sd_owner(d, b, row);
  return b->replicated[row] || sc_bodies_own(b, row);
}

void scree_dist_get_traffic(const scree_world *world, scree_dist_traffic *traffic) {
  SC_DEMAND(world && traffic, NULL, );
  *traffic = (scree_dist_traffic){0};
  if (world->ranks == &sc_ranks_none) return;
  const sd_dist *d = world->ranks->context;
  *traffic = d->tally;
  traffic->peers = d->peers;
  traffic->met = d->mets;
  traffic->waiting = d->waiting;
  for (int i = 0; i < d->peers; i++)
    traffic->exported += d->peer[i].exports, traffic->imported += d->peer[i].imports;
  for (int32_t row = 0; row < world->bodies.count; row++) traffic->own += sc_bodies_own(&world->bodies, row);
}

/* ---- checks ---- */

static scree_status check_world(const scree_world *world, const scree_dist_def *def, scree_error *error) {
  if (!world->solver->spreads)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "solver \"%s\" works on one rank only; auto and nbgs work on several", world->solver->name);
  if (world->def.sleep > 0)
    return sc_fail(error, SCREE_E_ARGUMENT, "bodies sleep (world.sleep) on one rank only: set it to 0");
  if (world->joints.bonds.count)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "bonds work on one rank only; with exact = true they are fixed joints, which work on several");
  if (world->def.stepper != SCREE_STEPPER_SEMI_IMPLICIT)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "stepper \"%s\" works on one rank only; semi_implicit works on several",
        sc_stepper_name(world->def.stepper));
  if (world->query.records_forces)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "compatible forces are recorded on one rank only; frames hold the solver's own on several");
  if (world->ranks != &sc_ranks_none)
    return sc_fail(error, SCREE_E_ARGUMENT, "the world is spread over ranks already");
  if (def->interval < 1 || !(def->imbalance >= 0))
    return sc_fail(error, SCREE_E_ARGUMENT, "imbalance must be at least 0 and interval at least 1");
  return SCREE_OK;
}

static scree_status check_alike(MPI_Comm comm, const scree_world *world, scree_error *error) {
  uint64_t hash = scree_world_hash(world), least, most;
  MPI_Allreduce(&hash, &least, 1, MPI_UINT64_T, MPI_MIN, comm);
  MPI_Allreduce(&hash, &most, 1, MPI_UINT64_T, MPI_MAX, comm);
  return least == most
      ? SCREE_OK
      : sc_fail(error, SCREE_E_ARGUMENT,
            "the ranks have made different worlds: a scene's setup must be the same on all of them");
}

/* ---- spreading ---- */

/* Bodies whose bounding radius exceeds the mean by this factor are replicated. Otherwise the largest body
 * would widen the layer of ghosts at every border. */
static const double LARGE = 8;

static void measure_sizes(sd_dist *d, const scree_world *world) {
  const sc_bodies *b = &world->bodies;
  double sum = 0, count = 0;
  for (int32_t row = 0; row < b->count; row++)
    if (b->kind[row] == SCREE_DYNAMIC) sum += b->radius[row], count++;
  d->large = count > 0 ? LARGE * sum / count : INFINITY;
}

/* Sets d->generation to a generation larger than that of any slot. */
static void choose_generation(sd_dist *d, const sc_bodies *b) {
  for (uint32_t slot = 0; slot < b->slots_count; slot++)
    if (b->slot_generation[slot] >= d->generation) d->generation = b->slot_generation[slot] + 1;
}

/* Returns the number of ranks on this machine. */
static int count_local_ranks(MPI_Comm comm) {
  MPI_Comm here;
  int ranks = 1;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  MPI_Comm_size(here, &ranks);
  MPI_Comm_free(&here);
  return ranks;
}

static scree_status spread_world(sd_dist *d, scree_world *world, scree_error *error) {
  sc_bodies *b = &world->bodies;
  if (!sc_bodies_hold_owners(b))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to spread %d bodies", b->count);
  choose_generation(d, b);
  measure_sizes(d, world);
  for (int32_t i = 0; i < world->shapes.count; i++)
    sd_geometry_number(d, sc_shapes_geometry(&world->shapes, i));
  for (int32_t row = 0; row < b->count; row++) b->replicated[row] = needs_replication(d, world, row);
  scree_status status = sd_planes_choose(d, world, error);
  if (status != SCREE_OK) return status;
  if (!sc_bodies_scatter(b, d->rank))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to spread %d bodies", b->count);
  for (int32_t row = 0; row < b->count; row++) b->owner[row] = b->replicated[row] ? 0 : sd_owner(d, b, row);
  /* all ranks have the same totals so far; only rank 0 keeps them, so that sums over ranks count them once */
  if (d->rank) {
    world->energy.dissipated = world->energy.sliding = world->energy.elastic = world->energy.work =
        world->energy.correction = 0;
    sc_world_forget_losses(world);
  }
  sc_collide_dirty(world->collide);
  world->contacts.count = world->contacts.removals = 0;
  sc_totals_forget(world->totals);
  world->problem_valid = 0;
  world->version++;
  return SCREE_OK;
}

scree_status scree_world_distribute(scree_world *world, const scree_dist_def *def, scree_error *error) {
  int rank, ranks;
  scree_status status = scree_dist_start(&rank, &ranks, error);
  if (status != SCREE_OK || ranks == 1) return status;
  status = check_world(world, def, error);
  if (status == SCREE_OK) status = check_alike(MPI_COMM_WORLD, world, error);
  if (status != SCREE_OK) return status;
  sd_dist *d = sc_alloc(sizeof *d);
  double *gathered = sc_alloc(SD_SUMS * (size_t)ranks * sizeof *gathered);
  if (!d || !gathered) {
    sc_free(d);
    sc_free(gathered);
    return sc_fail(error, SCREE_E_MEMORY, "no memory to spread a world");
  }
  *d = (sd_dist){.gathered = gathered,
      .def = *def,
      .comm = MPI_COMM_WORLD,
      .rank = rank,
      .ranks = ranks,
      .first = true,
      .imbalance = 1};
  d->balance_step = world->step - def->interval;
  sc_pool_share_cores(world->pool, count_local_ranks(d->comm));
  d->face = (sc_ranks){.context = d,
      .rank = rank,
      .ranks = ranks,
      .begin = sd_begin,
      .align = sd_align,
      .share_contacts = sd_share_contacts,
      .strike = sd_strike,
      .keeps = assign_owner,
      .sum = sd_sum,
      .mean = sd_mean,
      .most = sd_most,
      .send_all = sd_send_all,
      .gather = sd_gather,
      .geometry_number = sd_geometry_number,
      .geometry = sd_geometry,
      .row = sd_row,
      .row_to_change = sd_row_to_change,
      .read = sd_read,
      .report = sd_report,
      .frame = sd_frame,
      .refuse = sd_refuse,
      .together = TOGETHER,
      .whole = sd_whole,
      .tell_rows = sd_tell_rows,
      .save = sd_save,
      .destroy = destroy_dist,
      .exchange = &d->exchange};
  d->exchange = (sc_exchange){.context = d,
      .start = sd_start,
      .advance = sd_advance,
      .finish = sd_finish,
      .largest = sd_largest,
      .decide = sd_decide,
      .conclude = sd_conclude};
  status = spread_world(d, world, error);
  if (status != SCREE_OK) return destroy_dist(d), status;
  d->face.generation = d->generation;
  world->ranks = &d->face;
  return SCREE_OK;
}
