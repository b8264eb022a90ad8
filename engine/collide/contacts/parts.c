/* Contacts between two bodies of several shapes that others of them imply.
 *
 * Each pair of shapes finds its touches alone: an L of three cuboids stands on a plane by twelve, of which
 * the five corners of their outline say all (redundant.c): they keep the others open, and pass every force
 * that those could pass. The list goes by the lower row of each pair, and rows by bodies: pairs of two bodies
 * lie in one run, which is looked at as soon as it is found. Threads begin with one. Contacts whose laws
 * remember something, pull or resist rolling stay as they are. */
#include <stdlib.h>
#include <string.h>
#include "collide/contacts/parts.h"
#include "collide/narrow/convex/convex.h"

/* Touches of two bodies, and of a run, that are looked at; more would cost more than they gain. */
enum { FEWEST = 5, MOST = SC_MOST_TOUCHES, MOST_OF_RUN = 4096 };

int32_t sc_parts_owner(const sc_collide *collide, int32_t p) {
  const sc_pair rows = collide->list.pair[p];
  const bool first = sc_names_rank(&collide->list, rows.one) < sc_names_rank(&collide->list, rows.two);
  return collide->poses.cache[first ? rows.one : rows.two].body;
}

static int32_t other_body(const sc_collide *collide, int32_t p) {
  const sc_pair rows = collide->list.pair[p];
  const int32_t one = collide->poses.cache[rows.one].body;
  return one == sc_parts_owner(collide, p) ? collide->poses.cache[rows.two].body : one;
}

/* A contact of a run by the other body. */
typedef struct member {
  int32_t body, contact;
} member;

static sc_pair shapes_of(const sc_collide *collide, const sc_memory *next, int32_t contact) {
  return collide->list.pair[next->row[contact].pair];
}

static int by_body(const void *a, const void *b) {
  const member *p = a, *q = b;
  if (p->body != q->body) return p->body < q->body ? -1 : 1;
  return (p->contact > q->contact) - (p->contact < q->contact);
}

/* Most runs are short. */
static void sort_members(member *all, int32_t count) {
  enum { FEW = 64 };
  if (count > FEW) {
    qsort(all, (size_t)count, sizeof *all, by_body);
    return;
  }
  for (int32_t k = 1; k < count; k++) {
    const member m = all[k];
    int32_t at = k;
    for (; at > 0 && all[at - 1].body > m.body; at--) all[at] = all[at - 1];
    all[at] = m;
  }
}

/* Contacts of the run with bodies as they are, not with their images, by bodies. */
static int32_t list_members(
    const sc_collide *collide, const sc_memory *next, int32_t first, member out[MOST_OF_RUN]) {
  int32_t count = 0;
  for (int32_t c = first; c < next->count; c++)
    if (sc_image_is_body(sc_list_image(&collide->list, next->row[c].pair)))
      out[count++] = (member){other_body(collide, next->row[c].pair), c};
  sort_members(out, count);
  return count;
}

/* Touches of a group for the outline, and the size of its smallest shape; false where they are all of one
 * pair of shapes, or of several pairs of materials. */
static bool read_group(const sc_collide *collide, const sc_shapes *shapes, const sc_memory *next,
    const member *group, int32_t count, sc_touch *touch, double *size) {
  const sc_pair rows = shapes_of(collide, next, group->contact);
  bool several = false;
  *size = INFINITY;
  for (int32_t k = 0; k < count; k++) {
    const sc_pair mine = shapes_of(collide, next, group[k].contact);
    const sc_shape_row *a = shapes->row + mine.one, *b = shapes->row + mine.two;
    if (a->material != shapes->row[rows.one].material || b->material != shapes->row[rows.two].material)
      return false;
    several = several || mine.one != rows.one || mine.two != rows.two;
    touch[k] = next->touch[group[k].contact];
    *size = fmin(*size, fmin(a->bound, b->bound));
  }
  return several;
}

/* What is marked goes; the others keep their order. */
static void take_out(sc_memory *next, int32_t first, const bool *drop) {
  int32_t kept = first;
  for (int32_t c = first; c < next->count; c++) {
    if (drop[c - first]) continue;
    next->row[kept] = next->row[c];
    next->touch[kept++] = next->touch[c];
  }
  next->count = kept;
}

bool sc_parts_merge(const sc_memory *next, const sc_shapes *shapes) {
  if (!next->touches || next->stride) return false;
  for (int32_t row = 0; row < shapes->count; row++)
    if (shapes->row[row].next >= 0) return true;
  return false;
}

/* Marks what others of a group imply; false if nothing. */
static bool mark_group(const sc_collide *collide, const sc_shapes *shapes, const sc_memory *next,
    const member *group, int32_t count, int32_t first, bool *drop) {
  sc_touch touch[MOST];
  bool implied[MOST], some = false;
  double size;
  if (count < FEWEST || count > MOST || !read_group(collide, shapes, next, group, count, touch, &size))
    return false;
  memset(implied, 0, (size_t)count * sizeof *implied);
  sc_mark_redundant(touch, count, size, implied);
  for (int32_t k = 0; k < count; k++)
    if (implied[k]) some = drop[group[k].contact - first] = true;
  return some;
}

void sc_parts_merge_run(const sc_collide *collide, const sc_shapes *shapes, sc_memory *next, int32_t first) {
  member all[MOST_OF_RUN];
  bool drop[MOST_OF_RUN], some = false;
  const int32_t run = next->count - first;
  if (run < FEWEST || run > MOST_OF_RUN) return;
  memset(drop, 0, (size_t)run * sizeof *drop);
  const int32_t members = list_members(collide, next, first, all);
  for (int32_t k = 0, end; k < members; k = end) {
    for (end = k; end < members && all[end].body == all[k].body;) end++;
    if (mark_group(collide, shapes, next, all + k, end - k, first, drop)) some = true;
  }
  if (some) take_out(next, first, drop);
}

int32_t sc_parts_next_run(const sc_collide *collide, int32_t p) {
  while (p > 0 && p < collide->list.pairs && sc_parts_owner(collide, p) == sc_parts_owner(collide, p - 1))
    p++;
  return p;
}
