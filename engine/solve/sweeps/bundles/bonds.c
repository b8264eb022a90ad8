/* Bundles of bonds: copies rows of the problem into bundles, and impulses back. */
#include "solve/sweeps/bundles/bonds.h"
#include "problem/contacts/contacts.h"

#include <string.h>

enum { CHUNK = 512 }; /* bonds per range of a thread */

typedef struct filler {
  const sc_problem *problem;
  sc_bond_lanes *to;
  const uint8_t *taken; /* [bundles] packed number and kind of the used lanes (sc_slot_taken, sc_slot_kind) */
} filler;

static void put_vector(const double from[3], double to[3][SC_LANES], uint32_t l) {
  for (int k = 0; k < 3; k++) to[k][l] = from[k];
}

static void put_lanes(void *context, int64_t first, int64_t end) {
  const filler *f = context;
  for (int64_t c = first; c < end; c++) {
    const sc_bond_row *row = f->problem->bond + c;
    const uint32_t slot = (uint32_t)f->to->slots.slot[c], l = slot % SC_LANES;
    sc_bond_bundle *b = f->to->bundle + slot / SC_LANES;
    put_vector(row->d, b->d, l);
    put_vector(row->p, b->p, l);
    put_vector(row->m, b->m, l);
    put_vector(row->push, b->push, l);
    put_vector(row->turn, b->turn, l);
    for (int k = 0; k < 4; k++) b->soft[k][l] = row->soft[k], b->hard[k][l] = 1 / row->soft[k];
    b->arm1[l] = row->arm1, b->arm2[l] = row->arm2, b->ratio[l] = row->ratio;
    b->i[l] = row->i;
    b->j[l] = f->problem->body[row->j].inv_mass > 0 ? row->j : ~row->j;
  }
}

/* Fills the empty lanes of bundles first .. end - 1 with bonds of the immovable world to itself. */
static void clear_rest(void *context, int64_t first, int64_t end) {
  const filler *f = context;
  for (int64_t at = first; at < end; at++) {
    sc_bond_bundle *b = f->to->bundle + at;
    const int taken = sc_slot_taken(f->taken[at]);
    if (taken == SC_LANES) continue;
    memset(b, 0, sizeof *b);
    for (int l = taken; l < SC_LANES; l++) {
      for (int k = 0; k < 4; k++) b->soft[k][l] = b->hard[k][l] = 1;
      b->i[l] = b->j[l] = ~(f->problem->bodies - 1);
    }
  }
}

/* Lists the bodies of all bonds in one compact array, because the plan reads it several times. */
static bool list_pairs(const sc_problem *problem, sc_arena *arena, sc_contact_pairs *pairs) {
  int32_t *both = SC_TAKE(arena, int32_t, 2 * (size_t)problem->bonds);
  for (int32_t b = 0; b < problem->bonds && both; b++)
    both[2 * b] = problem->bond[b].i, both[2 * b + 1] = problem->bond[b].j;
  *pairs = (sc_contact_pairs){.first = both, .second = both + 1, .stride = 2};
  return both != NULL;
}

bool sc_bond_lanes_fill(
    const sc_problem *problem, bool past, sc_pool *pool, sc_arena *arena, sc_bond_lanes *lanes) {
  sc_contact_pairs pairs;
  filler f = {.problem = problem, .to = lanes};
  *lanes = (sc_bond_lanes){.bundle = NULL};
  if (!problem->bonds) return true;
  if (!sc_slots_open(problem->bonds, pool, NULL, arena, &lanes->slots)) return false;
  const sc_arena_mark mark = sc_arena_here(arena);
  if (!list_pairs(problem, arena, &pairs)) return false;
  f.taken = sc_slots_plan(problem, SC_BALL_BLOCKS, &pairs, NULL, mark, arena, &lanes->slots);
  lanes->bundle = SC_TAKE(arena, sc_bond_bundle, lanes->slots.count);
  if (!f.taken || !lanes->bundle) return false;
  sc_pool_ranges(pool, lanes->slots.count, CHUNK / SC_LANES, clear_rest, &f);
  sc_pool_ranges(pool, problem->bonds, CHUNK, put_lanes, &f);
  if (!past) return true;
  lanes->past = SC_TAKE(arena, sc_bundle_past, lanes->slots.count);
  lanes->couple_past = SC_TAKE(arena, sc_bundle_past, lanes->slots.count);
  for (int32_t b = 0; b < lanes->slots.count && lanes->past && lanes->couple_past; b++) {
    memcpy(lanes->past[b].p, lanes->bundle[b].p, sizeof lanes->past[b].p);
    memcpy(lanes->couple_past[b].p, lanes->bundle[b].m, sizeof lanes->couple_past[b].p);
  }
  return lanes->past && lanes->couple_past;
}

static void get_lanes(void *context, int64_t first, int64_t end) {
  const filler *f = context;
  for (int64_t c = first; c < end; c++) {
    const uint32_t slot = (uint32_t)f->to->slots.slot[c], l = slot % SC_LANES;
    const sc_bond_bundle *b = f->to->bundle + slot / SC_LANES;
    sc_bond_row *row = f->problem->bond + c;
    for (int k = 0; k < 3; k++) row->p[k] = b->p[k][l], row->m[k] = b->m[k][l];
  }
}

void sc_bond_lanes_unpack(const sc_bond_lanes *lanes, const sc_problem *problem) {
  filler f = {.problem = problem, .to = (sc_bond_lanes *)lanes};
  sc_pool_ranges(lanes->slots.pool, problem->bonds, CHUNK, get_lanes, &f);
}
