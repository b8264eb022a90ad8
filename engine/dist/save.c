/* Checkpoints of a distributed world.
 *
 * The file has the same form as a file that one rank writes, so any number of ranks can resume from it. The
 * rows of bodies are those of rank 0, then those of rank 1, and so on, each in the rank's own order. Shapes
 * follow the order of their bodies. Each contact comes from the rank that solved the contact. Every rank
 * numbers its bodies, shapes and pairs from the sum of the counts of lower ranks on. It receives the numbers
 * of ghosts from their owners. It compresses its own piece of every section (io/trajectory/pieces.h). Rank 0
 * joins the pieces and adds the sections that are small or equal on all ranks. About other ranks' bodies rank
 * 0 stores only slots and generations, 8 bytes each. */
#include "dist/calls.h"
#include "io/trajectory/pieces.h"
#include "scree/checkpoint.h"
#include "world/bodies/rows.h"
#include "world/save/save.h"
#include "world/account/totals.h"

#include <string.h>

/* indices of the counts of a rank: numbers of bodies, shapes, pairs, contacts, impact impulses, rows of sums
 * over substeps */
enum { BODIES, SHAPES, PAIRS, CONTACTS, IMPACTS, TOTALS, COUNTS };

/* This rank's part of the checkpoint. A row of the file is an index in the list of all ranks' bodies, or of
 * all ranks' shapes. */
typedef struct part {
  scree_world *w;
  sc_saved_part rows; /* own bodies and their shapes, with their rows in the file */
  /* [own[CONTACTS]] cached contacts of this rank; shape1 and shape2 are rows of the file */
  sc_remembered *contact;
  double (*impact)[3];    /* [own[CONTACTS]] sum of the impact impulses at each contact [N s] */
  int64_t own[COUNTS];    /* counts of bodies, shapes etc. of this rank */
  int64_t before[COUNTS]; /* sums of these counts over lower ranks */
  int64_t all[COUNTS];    /* sums of these counts over all ranks */
  int32_t stride;         /* number of doubles of law state per contact */
  sc_pieces pieces;
} part;

static scree_status no_memory(scree_error *error) {
  return sc_fail(error, SCREE_E_MEMORY, "no memory to save a part of a world");
}

/* Computes before[] and all[] for the counts first .. end - 1. */
static scree_status sum_counts(part *p, int first, int end, scree_error *error) {
  const sc_ranks *ranks = p->w->ranks;
  void *bytes;
  size_t size, n = (size_t)(end - first);
  scree_status status = ranks->gather(
      ranks->context, p->own + first, n * sizeof *p->own, true, &bytes, &size, error);
  const int64_t *from = bytes;
  for (int r = 0; r < ranks->ranks && !status; r++)
    for (int k = first; k < end; k++) {
      int64_t count = from[(size_t)r * n + (size_t)(k - first)];
      p->all[k] += count;
      if (r < ranks->rank) p->before[k] += count;
    }
  sc_free(bytes);
  if (!status && (p->all[first] > INT32_MAX || p->all[first + 1] > INT32_MAX))
    status = sc_fail(
        error, SCREE_E_ARGUMENT, "a checkpoint holds at most %d bodies, shapes and contacts", INT32_MAX);
  return status;
}

/* Assigns rows of the file to this rank's own bodies and shapes. Receives the first shapes of all other
 * bodies from their owners (rows.first_shape). */
static scree_status number_rows(part *p, scree_error *error) {
  const scree_world *w = p->w;
  const sc_bodies *b = &w->bodies;
  sc_saved_part *rows = &p->rows;
  int32_t *own = sc_alloc(((size_t)b->count + 1) * sizeof *own),
          *first = sc_alloc(((size_t)b->count + 1) * sizeof *first);
  rows->own = own, rows->first_shape = first;
  if (!own || !first) return no_memory(error);
  for (int32_t row = 0; row < b->count; row++) {
    first[row] = -1;
    if (!sc_bodies_own(b, row)) continue;
    own[rows->bodies++] = row;
    rows->shapes += sc_shapes_of(&w->shapes, b, row);
  }
  p->own[BODIES] = rows->bodies, p->own[SHAPES] = rows->shapes;
  scree_status status = sum_counts(p, BODIES, PAIRS, error);
  if (status) return status;
  rows->before_bodies = (int32_t)p->before[BODIES], rows->before_shapes = (int32_t)p->before[SHAPES];
  for (int32_t i = 0, at = rows->before_shapes; i < rows->bodies; i++) {
    first[own[i]] = at;
    at += sc_shapes_of(&w->shapes, b, own[i]);
  }
  return w->ranks->tell_rows(w->ranks->context, w, first, error);
}

/* Returns the row in the file of a shape of this rank; -1 if the shape's body has been removed. */
static int32_t row_in_whole(const part *p, int32_t shape) {
  const scree_world *w = p->w;
  int32_t body = w->shapes.row[shape].body, at = p->rows.first_shape[body];
  for (int32_t s = w->bodies.first_shape[body]; s != shape && at >= 0; s = w->shapes.row[s].next) at++;
  return at;
}

/* Lists the cached contacts, with the rows of their shapes in the file. Before neighbour lists are first
 * built, every rank has all contacts, so only rank 0 saves them. */
static scree_status number_contacts(part *p, scree_error *error) {
  scree_world *w = p->w;
  int32_t count = sc_collide_memory(w->collide, NULL, 0, NULL), kept = 0;
  p->contact = sc_alloc(((size_t)count + 1) * sizeof *p->contact);
  p->impact = sc_alloc(((size_t)count + 1) * sizeof *p->impact);
  if (!p->contact || !p->impact) return no_memory(error);
  for (int32_t c = 0; c < count && !(w->ranks->whole(w->ranks->context) && w->ranks->rank); c++) {
    sc_remembered *r = p->contact + kept;
    sc_collide_memory(w->collide, &w->shapes, c, r);
    r->shape1 = row_in_whole(p, r->shape1), r->shape2 = row_in_whole(p, r->shape2);
    if (r->shape1 < 0 || r->shape2 < 0) continue;
    if (w->contacts.impacts == count) memcpy(p->impact[kept], w->contacts.impact[c], sizeof *p->impact);
    kept++;
  }
  double stride = kept ? sc_collide_stride(w->collide) : 0;
  w->ranks->most(w->ranks->context, &stride, 1);
  p->stride = (int32_t)stride;
  p->own[PAIRS] = sc_collide_piece_pairs(&(sc_collide_piece){.contact = p->contact, .contacts = kept});
  p->own[CONTACTS] = kept, p->own[IMPACTS] = w->contacts.impacts, p->own[TOTALS] = sc_save_total_rows(w);
  scree_status status = sum_counts(p, PAIRS, COUNTS, error);
  for (int32_t c = 0; c < kept; c++) {
    int32_t *tag = &p->contact[c].tag;
    *tag = *tag && p->own[TOTALS] ? *tag + (int32_t)p->before[TOTALS] : 0;
  }
  return status;
}

/* ---- pieces ---- */

static scree_status pack_contacts(part *p, scree_error *error) {
  sc_collide_piece piece = {.contact = p->contact,
      .contacts = (int32_t)p->own[CONTACTS],
      .stride = p->stride,
      .first_pair = (int32_t)p->before[PAIRS],
      .first_shape = p->rows.before_shapes,
      .shapes = p->rows.shapes,
      .images = p->w->bodies.cell != NULL};
  sc_collide_piece whole = {.contacts = (int32_t)p->all[CONTACTS],
      .stride = p->stride,
      .first_pair = (int32_t)p->all[PAIRS],
      .shapes = (int32_t)p->all[SHAPES],
      .images = piece.images};
  scree_status status = SCREE_OK;
  for (int k = 0; k < SC_COLLIDE_STRETCHES && !status; k++) {
    size_t size;
    void *bytes = sc_collide_piece_save(&piece, k, p->w->ranks->rank ? NULL : &whole, &size);
    status = bytes ? sc_pieces_put(&p->pieces, "world.collide", bytes, size, error) : no_memory(error);
    sc_free(bytes);
  }
  size_t impacts = p->all[IMPACTS] ? (size_t)p->own[CONTACTS] * sizeof *p->impact : 0;
  return status ? status : sc_pieces_put(&p->pieces, "world.blows", p->impact, impacts, error);
}

/* Adds the sums over substeps to the pieces, in the order of the tags of contacts. */
static scree_status pack_totals(part *p, scree_error *error) {
  const sc_totals *totals = p->w->totals;
  if (!totals) return SCREE_OK;
  return sc_pieces_put(
      &p->pieces, "world.totals", totals->row, (size_t)p->own[TOTALS] * sizeof *totals->row, error);
}

/* Numbers the hulls and meshes that the bodies of any rank use. rows.geometry[n - 1] is the number in the
 * file of the geometry with sd_geometry_number n. list, count: the numbered geometries. */
static scree_status number_geometries(
    part *p, const scree_geometry ***list, int32_t *count, scree_error *error) {
  const scree_world *w = p->w;
  const sc_ranks *ranks = w->ranks;
  uint32_t known = 0;
  while (ranks->geometry(ranks->context, known + 1)) known++;
  double *used = sc_alloc((known + 1) * sizeof *used);
  p->rows.geometry = sc_alloc((known + 1) * sizeof *p->rows.geometry);
  *list = sc_alloc((known + 1) * sizeof **list);
  *count = 0;
  scree_status status = used && p->rows.geometry && *list ? SCREE_OK : no_memory(error);
  for (int32_t s = 0; s < w->shapes.count && !status; s++) {
    uint32_t number = ranks->geometry_number(ranks->context, sc_shapes_geometry(&w->shapes, s));
    if (number) used[number - 1] = 1;
  }
  if (!status) ranks->most(ranks->context, used, (int)known);
  for (uint32_t k = 0; k < known && !status; k++) {
    if (!(used[k] > 0)) continue;
    (*list)[*count] = ranks->geometry(ranks->context, k + 1);
    p->rows.geometry[k] = ++*count;
  }
  sc_free(used);
  return status;
}

/* ---- sections that rank 0 adds ---- */

typedef struct place {
  uint32_t slot, generation;
} place;

/* Writes the sections with the slots of all bodies: for each used slot the row of its body, for each free
 * slot the next free slot. of: [bodies of the file] slot and generation. *free_slot: first free slot,
 * UINT32_MAX if there is none. */
static scree_status put_slots(
    const part *p, const place *of, sc_sections *out, uint32_t *free_slot, scree_error *error) {
  size_t slots = p->w->bodies.slots_count;
  uint32_t *row = sc_alloc((slots + 1) * sizeof *row),
           *generation = sc_alloc((slots + 1) * sizeof *generation), none = UINT32_MAX;
  scree_status status = row && generation ? SCREE_OK : no_memory(error);
  for (size_t s = 0; s < slots && !status; s++) row[s] = none, generation[s] = p->w->ranks->generation;
  for (int64_t i = 0; i < p->all[BODIES] && !status; i++)
    row[of[i].slot] = (uint32_t)i, generation[of[i].slot] = of[i].generation;
  *free_slot = none;
  for (size_t s = slots; s-- > 0 && !status;)
    if (row[s] == none) row[s] = *free_slot, *free_slot = (uint32_t)s;
  if (!status) status = sc_section_write(out, "world.slot_row", row, slots * sizeof *row, error);
  if (!status)
    status = sc_section_write(out, "world.slot_generation", generation, slots * sizeof *generation, error);
  sc_free(row);
  sc_free(generation);
  return status;
}

static scree_status gather_slots(const part *p, sc_sections *out, uint32_t *free_slot, scree_error *error) {
  const sc_bodies *b = &p->w->bodies;
  const sc_ranks *ranks = p->w->ranks;
  size_t count = (size_t)p->rows.bodies, size;
  place *own = sc_alloc((count + 1) * sizeof *own);
  void *all = NULL;
  if (!own) return no_memory(error);
  for (size_t i = 0; i < count; i++) own[i] = (place){b->slot[p->rows.own[i]], b->generation[p->rows.own[i]]};
  scree_status status = ranks->gather(ranks->context, own, count * sizeof *own, false, &all, &size, error);
  if (!status && !ranks->rank) status = put_slots(p, all, out, free_slot, error);
  sc_free(own);
  sc_free(all);
  return status;
}

static scree_status put_head(
    const part *p, int32_t geometries, uint32_t free_slot, sc_sections *out, scree_error *error) {
  const scree_world *w = p->w;
  double sums[5] = {w->energy.dissipated, w->energy.sliding, w->energy.elastic, w->energy.work,
      w->energy.correction},
         most[2] = {w->contacts.deepest, w->effort.overlap};
  sc_ranks_sum(w->ranks, sums, 5);
  w->ranks->most(w->ranks->context, most, 2);
  if (w->ranks->rank) return SCREE_OK;
  sc_save_head h;
  sc_save_fill_head(w, geometries, &h);
  h.bodies = (int32_t)p->all[BODIES], h.shapes = (int32_t)p->all[SHAPES], h.free_slot = free_slot;
  h.dissipated = sums[0], h.sliding_loss = sums[1], h.elastic = sums[2], h.penetration = most[0];
  sc_effort effort = w->effort;
  effort.overlap = most[1];
  scree_status status = sc_section_write(out, "world.head", &h, sizeof h, error);
  if (!status) status = sc_section_write(out, "world.account", sums + 3, 2 * sizeof *sums, error);
  if (!status) status = sc_section_write(out, "world.effort", &effort, sizeof effort, error);
  if (!status && w->lost) status = sc_section_write(out, "world.lost", &w->lost, sizeof w->lost, error);
  if (!status) status = sc_save_cell(w, out, error);
  if (!status) status = sc_save_means(w, out, error);
  return status ? status : sc_save_rules(w, out, error);
}

/* ---- the checkpoint ---- */

static scree_status gather_pieces(const part *p, sc_sections *out, scree_error *error) {
  const sc_ranks *ranks = p->w->ranks;
  void *all = NULL;
  size_t size;
  scree_status status = ranks->gather(
      ranks->context, p->pieces.bytes.at, p->pieces.bytes.count, false, &all, &size, error);
  if (!status && !ranks->rank) status = sc_pieces_join(&p->pieces, ranks->ranks, all, size, out, error);
  sc_free(all);
  return status;
}

static scree_status save_world(part *p, sc_sections *out, scree_error *error) {
  const scree_geometry **list = NULL;
  int32_t geometries = 0;
  uint32_t free_slot = UINT32_MAX;
  sc_world_settle_contacts(p->w);
  scree_status status = number_rows(p, error);
  if (!status) status = number_contacts(p, error);
  if (!status) status = number_geometries(p, &list, &geometries, error);
  if (!status) status = sc_save_bodies_part(p->w, &p->rows, &p->pieces, error);
  if (!status) status = sc_save_shapes_part(p->w, &p->rows, &p->pieces, error);
  if (!status) status = pack_contacts(p, error);
  if (!status) status = pack_totals(p, error);
  if (!status) status = gather_slots(p, out, &free_slot, error);
  if (!status) status = put_head(p, geometries, free_slot, out, error);
  if (!status) status = sc_save_losses(p->w, out, error);
  if (!status && !p->w->ranks->rank) status = sc_save_geometry_hashes(list, geometries, out, error);
  if (!status) status = gather_pieces(p, out, error);
  sc_free(list);
  return status;
}

scree_status sd_save(void *context, const scree_world *w, sc_sections *out, scree_error *error) {
  (void)context;
  part p = {.w = (scree_world *)w};
  scree_status status = save_world(&p, out, error);
  sc_free(p.rows.own);
  sc_free(p.rows.first_shape);
  sc_free(p.rows.geometry);
  sc_free(p.contact);
  sc_free(p.impact);
  sc_pieces_free(&p.pieces);
  return status;
}
