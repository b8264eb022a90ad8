/* Bodies whose contacts are solved by several ranks.
 *
 * During a sweep every rank that solves contacts of a body works on a copy with a share 1/n of its mass; n is
 * the number of such ranks (Tonge, Benevolenski & Voroshilov 2012). After the sweep the body gets the mean of
 * its copies' velocities,
 *
 *   v = v_1 + 1/n sum_c (v_c - v_1),        m v = sum_c (m/n) v_c
 *
 * The momentum m v then equals the sum of the copies' momenta to rounding, and the kinetic energy does not
 * grow. If all copies agree, the velocity of the whole body satisfies each contact's law: the solution is
 * that of one rank, for any split of the mass. Between ranks the method is a Jacobi step with relaxed
 * impulses (Preclik & Ruede 2015 scale impulses likewise).
 *
 * A rank sends the velocity of its copy to the owner. The owner forms the mean in the order of ranks and
 * returns the mean. This takes one message each way per peer. For replicated bodies rank 0 forms the means.
 * Copies leave as soon as the contacts of shared bodies are swept. Means are formed once all copies have
 * arrived: in one of the calls of sd_advance that the solver makes between contacts without shared bodies, or
 * at the latest in sd_finish. These contacts touch no shared body, so the time of arrival does not affect the
 * result. */
#include "dist/calls.h"
#include "model/lookup.h"
#include "math/vec.h"

#include <stdlib.h>

enum { WIDTH = 6 }; /* number of doubles per copy: velocity and spin */
enum { AHEAD = 8 }; /* number of bodies between the prefetch of a body and its use */

/* ---- which ranks solve contacts of a body ---- */

static bool reserve_border(sd_dist *d, int32_t rows) {
  if (!SC_GROW(d->flag, d->flag_capacity, (size_t)rows + 1) ||
      !SC_GROW(d->index, d->index_capacity, (size_t)rows + 1))
    return false;
  for (int i = 0; i < d->peers; i++) {
    sd_peer *p = d->peer + i;
    /* before velocities, the messages carry one byte per ghost, then one number of copies per shared body */
    if (!SC_GROW(p->out_row, p->out_row_capacity, (size_t)p->imports + 1) ||
        !SC_GROW(p->in_met, p->in_met_capacity, (size_t)p->exports + 1))
      return false;
    /* a message contains copies, then means */
    size_t most = ((size_t)p->imports + (size_t)p->exports) * WIDTH + 1;
    if (!SC_GROW(p->out, p->out_capacity, most) || !SC_GROW(p->in, p->in_capacity, most)) return false;
  }
  return SC_GROW(d->shared, d->shared_capacity, (size_t)rows + 1) && sd_requests(d, 4 * d->peers + 2);
}

/* Sends one flag for each ghost to the owner of the body: 1 if this rank solves contacts of the ghost.
 * Receives such flags for own bodies in sd_peer.in. */
static void send_parts(sd_dist *d, const sc_bodies *b) {
  for (int i = 0; i < d->peers; i++) {
    sd_peer *p = d->peer + i;
    uint8_t *out = (uint8_t *)p->out;
    p->copies_out = 0;
    for (int32_t k = 0; k < p->imports; k++) {
      int32_t row = sc_lookup_find(b, p->imported[k]);
      if ((out[k] = d->flag[row])) p->out_row[p->copies_out++] = row;
    }
    if (p->exports) sd_receive(d, p->in, (size_t)p->exports, p->rank, SD_TAG_PART);
    if (p->imports) sd_send(d, p->out, (size_t)p->imports, p->rank, SD_TAG_PART);
  }
  sd_wait(d);
}

/* Lists the own bodies of which other ranks solve contacts in d->met, and counts the copies of each body.
 * Returns false if out of memory. */
static bool count_copies(sd_dist *d, const sc_bodies *b) {
  for (int32_t row = 0; row < b->count; row++) d->index[row] = -1;
  d->mets = 0;
  for (int i = 0; i < d->peers; i++) {
    sd_peer *p = d->peer + i;
    p->copies_in = 0;
    for (int32_t k = 0; k < p->exports; k++) {
      if (!((const uint8_t *)p->in)[k]) continue;
      int32_t row = sc_lookup_find(b, p->exported[k]);
      if (d->index[row] < 0) {
        if (!SC_GROW(d->met, d->met_capacity, (size_t)d->mets + 1)) return false;
        d->index[row] = d->mets;
        d->met[d->mets++] = (sd_met){row, d->flag[row], d->flag[row]};
      }
      d->met[d->index[row]].copies++;
      p->in_met[p->copies_in++] = d->index[row];
    }
  }
  return SC_GROW(d->sum, d->sum_capacity, (size_t)d->mets * 2 * WIDTH + 1);
}

/* Sends the number of copies of each body in d->met to the peers that solve contacts of the body. Sets copies
 * [bodies] of own bodies and of ghosts. */
static void send_copies(sd_dist *d, int32_t *copies) {
  for (int i = 0; i < d->peers; i++) {
    sd_peer *p = d->peer + i;
    for (int32_t k = 0; k < p->copies_in; k++) p->out[k] = d->met[p->in_met[k]].copies;
    if (p->copies_out) sd_receive(d, p->in, (size_t)p->copies_out * sizeof *p->in, p->rank, SD_TAG_COPIES);
    if (p->copies_in) sd_send(d, p->out, (size_t)p->copies_in * sizeof *p->out, p->rank, SD_TAG_COPIES);
  }
  sd_wait(d);
  for (int32_t m = 0; m < d->mets; m++) copies[d->met[m].row] = d->met[m].copies;
  for (int i = 0; i < d->peers; i++)
    for (int32_t k = 0; k < d->peer[i].copies_out; k++)
      copies[d->peer[i].out_row[k]] = (int32_t)d->peer[i].in[k];
}

typedef struct slotted {
  uint32_t slot;
  int32_t row;
} slotted;
static int compare_slotted(const void *a, const void *b) {
  uint32_t x = ((const slotted *)a)->slot, y = ((const slotted *)b)->slot;
  return (x > y) - (x < y);
}

/* Lists the replicated dynamic bodies in d->common, in the order of slots, which is equal on all ranks.
 * Counts their copies over all ranks. Returns false if out of memory. */
static bool list_replicated(sd_dist *d, const sc_bodies *b, int32_t *copies) {
  int32_t count = 0;
  for (int32_t row = 0; row < b->count; row++) count += b->replicated[row] && b->kind[row] == SCREE_DYNAMIC;
  d->commons = count;
  if (!count) return true;
  size_t n = (size_t)count, width = n * WIDTH, all = d->rank ? 1 : (size_t)d->ranks + 1;
  slotted *list = sc_alloc(n * sizeof *list);
  bool ok = list && SC_GROW(d->common, d->common_capacity, n) &&
      SC_GROW(d->common_copies, d->common_copies_capacity, n) &&
      SC_GROW(d->common_part, d->common_part_capacity, n * all) &&
      SC_GROW(d->common_copy, d->common_copy_capacity, width * all) &&
      SC_GROW(d->common_mean, d->common_mean_capacity, width);
  count = 0;
  for (int32_t row = 0; row < b->count && ok; row++)
    if (b->replicated[row] && b->kind[row] == SCREE_DYNAMIC) list[count++] = (slotted){b->slot[row], row};
  if (ok) qsort(list, n, sizeof *list, compare_slotted);
  for (int32_t k = 0; k < count && ok; k++) {
    d->common[k] = list[k].row;
    d->common_copies[k] = d->common_part[k] = d->flag[list[k].row];
  }
  sc_free(list);
  if (!ok) return false;
  MPI_Gather(d->common_part, count, MPI_UINT8_T, d->common_part + n, count, MPI_UINT8_T, 0, d->comm);
  MPI_Allreduce(MPI_IN_PLACE, d->common_copies, count, MPI_INT32_T, MPI_SUM, d->comm);
  for (int32_t k = 0; k < count; k++)
    copies[d->common[k]] = d->common_copies[k] > 1 ? d->common_copies[k] : 1;
  return true;
}

/* Sets d->shared for each body whose velocity an exchange may change. */
static void mark_shared(sd_dist *d, int32_t rows) {
  memset(d->shared, 0, (size_t)rows + 1);
  for (int32_t m = 0; m < d->mets; m++) d->shared[d->met[m].row] = 1;
  for (int i = 0; i < d->peers; i++)
    for (int32_t k = 0; k < d->peer[i].copies_out; k++) d->shared[d->peer[i].out_row[k]] = 1;
  for (int32_t k = 0; k < d->commons; k++) d->shared[d->common[k]] = 1;
  d->exchange.shared = d->shared;
}

scree_status sd_share(
    void *context, scree_world *world, const uint8_t *part, int32_t *copies, scree_error *error) {
  sd_dist *d = context;
  const sc_bodies *b = &world->bodies;
  if (!reserve_border(d, b->count))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the border's %d bodies", b->count);
  for (int32_t row = 0; row < b->count; row++) copies[row] = 1;
  if (b->count) memcpy(d->flag, part, (size_t)b->count);
  send_parts(d, b);
  if (!count_copies(d, b))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the border's %d bodies", d->mets);
  send_copies(d, copies);
  if (!list_replicated(d, b, copies))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies of all ranks", d->commons);
  mark_shared(d, b->count);
  return SCREE_OK;
}

scree_status sd_share_contacts(
    void *context, scree_world *world, const int32_t **shares, scree_error *error) {
  int32_t *copies = SC_TAKE(&world->arena, int32_t, world->bodies.count + 1);
  uint8_t *part = SC_TAKE(&world->arena, uint8_t, world->bodies.count + 1);
  if (!copies || !part) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", world->bodies.count);
  if (world->bodies.count) memcpy(part, sc_collide_touched(world->collide), (size_t)world->bodies.count);
  /* only rank 0 solves joints */
  for (int32_t i = 0; i < world->joints.count && ((sd_dist *)context)->rank == 0; i++) {
    int32_t a = sc_bodies_row(&world->bodies, world->joints.row[i].def.a),
            b = sc_bodies_row(&world->bodies, world->joints.row[i].def.b);
    const int32_t housing = sc_joint_housing(&world->bodies, &world->joints.row[i].def);
    if (a >= 0) part[a] = 1;
    if (b >= 0) part[b] = 1;
    if (housing >= 0) part[housing] = 1;
  }
  *shares = copies;
  return sd_share(context, world, part, copies, error);
}

/* ---- exchange of copies and means ---- */

static void read_velocity(const sc_solver_body *body, double out[WIDTH]) {
  sc_copy3(body->v, out);
  sc_copy3(body->q, out + 3);
}

static void write_velocity(const double in[WIDTH], sc_solver_body *body) {
  sc_copy3(in, body->v);
  sc_copy3(in + 3, body->q);
}

/* Returns the address of the means in the message received from a peer. The copies precede the means. */
static double *means_received(const sd_peer *p) { return p->in + (size_t)p->copies_in * WIDTH; }
static double *means_sent(const sd_peer *p) { return p->out + (size_t)p->copies_out * WIDTH; }

static size_t bytes_of_copies(int32_t bodies) { return (size_t)bodies * WIDTH * sizeof(double); }

/* Sends the copies of replicated bodies to rank 0 and starts to receive the means. */
static void start_replicated(sd_dist *d, const sc_solver_body *body) {
  int count = d->commons * WIDTH;
  for (int32_t k = 0; k < d->commons; k++)
    read_velocity(body + d->common[k], d->common_copy + (size_t)k * WIDTH);
  MPI_Igather(d->common_copy, count, MPI_DOUBLE, d->common_copy + count, count, MPI_DOUBLE, 0, d->comm,
      d->request + d->requests++);
  if (d->rank) MPI_Ibcast(d->common_mean, count, MPI_DOUBLE, 0, d->comm, d->request + d->requests++);
}

/* Starts the requests that the means depend on first: those that receive copies of own bodies and, on rank 0,
 * copies of replicated bodies. */
void sd_start(void *context, const sc_solver_body *body) {
  sd_dist *d = context;
  double messages = d->tally.messages, bytes = d->tally.bytes;
  d->tally.meetings++;
  d->meeting = true, d->returned = false, d->requests = 0;
  for (int i = 0; i < d->peers; i++)
    if (d->peer[i].copies_in)
      sd_receive(d, d->peer[i].in, bytes_of_copies(d->peer[i].copies_in), d->peer[i].rank, SD_TAG_GIVE);
  d->awaited = d->requests;
  if (d->commons) start_replicated(d, body);
  if (d->commons && !d->rank) d->awaited = d->requests;
  for (int i = 0; i < d->peers; i++) {
    sd_peer *p = d->peer + i;
    if (!p->copies_out) continue;
    for (int32_t k = 0; k < p->copies_out; k++) {
      if (k + AHEAD < p->copies_out) __builtin_prefetch(body + p->out_row[k + AHEAD]);
      read_velocity(body + p->out_row[k], p->out + (size_t)k * WIDTH);
    }
    sd_receive(d, means_received(p), bytes_of_copies(p->copies_out), p->rank, SD_TAG_RETURN);
    sd_send(d, p->out, bytes_of_copies(p->copies_out), p->rank, SD_TAG_GIVE);
  }
  d->tally.solver_messages += d->tally.messages - messages;
  d->tally.solver_bytes += d->tally.bytes - bytes;
}

/* Sets each own body with copies on other ranks to the mean of all copies. The first copy is the reference.
 * The function sums the differences of the other copies from the reference. */
static void form_means(sd_dist *d, sc_solver_body *body) {
  for (int32_t m = 0; m < d->mets; m++) {
    double *ref = d->sum + (size_t)m * 2 * WIDTH;
    if (m + AHEAD < d->mets) __builtin_prefetch(body + d->met[m + AHEAD].row, 1);
    memset(ref + WIDTH, 0, WIDTH * sizeof *ref);
    if (d->met[m].own) read_velocity(body + d->met[m].row, ref);
    else d->index[d->met[m].row] = -2; /* the first copy that arrives is the reference */
  }
  for (int i = 0; i < d->peers; i++) {
    const sd_peer *p = d->peer + i;
    for (int32_t k = 0; k < p->copies_in; k++) {
      double *ref = d->sum + (size_t)p->in_met[k] * 2 * WIDTH;
      const double *copy = p->in + (size_t)k * WIDTH;
      int32_t row = d->met[p->in_met[k]].row;
      if (!d->met[p->in_met[k]].own && d->index[row] == -2)
        memcpy(ref, copy, WIDTH * sizeof *ref), d->index[row] = p->in_met[k];
      else
        for (int c = 0; c < WIDTH; c++) ref[WIDTH + c] += copy[c] - ref[c];
    }
  }
  for (int32_t m = 0; m < d->mets; m++) {
    double *ref = d->sum + (size_t)m * 2 * WIDTH;
    for (int c = 0; c < WIDTH; c++) ref[c] += ref[WIDTH + c] / d->met[m].copies;
    write_velocity(ref, body + d->met[m].row);
  }
}

static void return_means(sd_dist *d) {
  double messages = d->tally.messages, bytes = d->tally.bytes;
  for (int i = 0; i < d->peers; i++) {
    sd_peer *p = d->peer + i;
    if (!p->copies_in) continue;
    for (int32_t k = 0; k < p->copies_in; k++)
      memcpy(means_sent(p) + (size_t)k * WIDTH, d->sum + (size_t)p->in_met[k] * 2 * WIDTH,
          WIDTH * sizeof(double));
    sd_send(d, means_sent(p), bytes_of_copies(p->copies_in), p->rank, SD_TAG_RETURN);
  }
  d->tally.solver_messages += d->tally.messages - messages;
  d->tally.solver_bytes += d->tally.bytes - bytes;
}

/* Forms the means of replicated bodies on rank 0 and starts to send them. The copy of rank 0 is the reference
 * even if rank 0 solves no contacts of the body. */
static void return_replicated(sd_dist *d) {
  size_t width = (size_t)d->commons * WIDTH, bodies = (size_t)d->commons;
  const double *copy = d->common_copy + width;
  const uint8_t *part = d->common_part + bodies;
  for (size_t i = 0; i < width; i++) {
    double sum = 0;
    for (size_t r = 1; r < (size_t)d->ranks; r++)
      if (part[r * bodies + i / WIDTH]) sum += copy[r * width + i] - copy[i];
    d->common_mean[i] = d->common_copies[i / WIDTH] ? copy[i] + sum / d->common_copies[i / WIDTH] : copy[i];
  }
  MPI_Ibcast(d->common_mean, (int)width, MPI_DOUBLE, 0, d->comm, d->request + d->requests++);
}

/* Forms the means of shared bodies for which this rank receives the copies, and sends them. Call when all
 * copies have arrived. */
static void average_copies(sd_dist *d, sc_solver_body *body) {
  form_means(d, body);
  return_means(d);
  if (d->commons && !d->rank) return_replicated(d);
  d->returned = true;
}

bool sd_advance(void *context, sc_solver_body *body) {
  sd_dist *d = context;
  int here = 0, first = d->returned ? d->awaited : 0, count = d->returned ? d->requests - first : d->awaited;
  if (!d->meeting) return false;
  double start = sc_clock_wall();
  MPI_Testall(count, d->request + first, &here, d->status);
  d->waiting += sc_clock_wall() - start;
  if (!here) return true;
  if (d->returned) return false;
  average_copies(d, body);
  return true;
}

void sd_finish(void *context, sc_solver_body *body) {
  sd_dist *d = context;
  double start = sc_clock_wall();
  if (!d->returned) {
    MPI_Waitall(d->awaited, d->request, d->status);
    d->waiting += sc_clock_wall() - start;
    average_copies(d, body);
  }
  sd_wait(d);
  for (int i = 0; i < d->peers; i++)
    for (int32_t k = 0; k < d->peer[i].copies_out; k++)
      write_velocity(means_received(d->peer + i) + (size_t)k * WIDTH, body + d->peer[i].out_row[k]);
  for (int32_t k = 0; k < d->commons; k++)
    write_velocity(d->common_mean + (size_t)k * WIDTH, body + d->common[k]);
  d->meeting = false;
}
