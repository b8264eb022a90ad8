/* Contacts between two bodies of several shapes that other contacts of these bodies imply (rule 8 of
 * filter.c).
 *
 * Each pair of shapes finds its touches alone. An L of three cuboids, for example, stands on a plane with
 * twelve touches. The five corners of their convex hull imply the other touches: if the five corners do not
 * penetrate, the other touches do not either, and forces at the corners replace all their forces
 * (collide/narrow/convex/redundant.c). The contacts of all pairs of an owner form a run, because they lie
 * together in the list. A run is merged as soon as it is complete. Contacts whose laws have a state, attract
 * or resist rolling stay. */
#include <string.h>
#include "collide/contacts/filter.h"
#include "collide/narrow/convex/convex.h"

/* A group is all contacts of a run between the same two bodies. Only groups of FEWEST to MOST contacts, in
 * runs of at most MOST_OF_RUN contacts, are merged. */
enum { FEWEST = 5, MOST = SC_MOST_TOUCHES, MOST_OF_RUN = 4096 };

/* A contact of a run: the row of its body that is not the owner, and its row in the contact cache. */
typedef struct member {
  int32_t body, contact;
} member;

bool sc_filter_merges(const sc_contact_cache *next, const sc_shapes *shapes) {
  if (!next->touches || next->stride) return false;
  for (int32_t row = 0; row < shapes->count; row++)
    if (shapes->row[row].next >= 0) return true;
  return false;
}

static sc_pair find_shapes(const sc_collide *collide, const sc_contact_cache *next, int32_t contact) {
  return collide->list.pair[next->row[contact].pair];
}

/* Lists the contacts of a run sorted by body, without contacts across a periodic face. Returns their
 * number. */
static int32_t list_members(
    const sc_collide *collide, const sc_contact_cache *next, int32_t first, member out[MOST_OF_RUN]) {
  int32_t count = 0;
  for (int32_t c = first; c < next->count; c++) {
    const int32_t p = next->row[c].pair;
    const sc_pair rows = collide->list.pair[p];
    const int32_t one = collide->poses.cache[rows.one].body, two = collide->poses.cache[rows.two].body;
    if (!sc_image_is_body(sc_list_image(&collide->list, p))) continue;
    const int32_t body = one == sc_pair_owner(collide, p) ? two : one;
    int32_t at = count++;
    for (; at > 0 && out[at - 1].body > body; at--) out[at] = out[at - 1];
    out[at] = (member){body, c};
  }
  return count;
}

/* Reads the touches of a group, and the size of its smallest shape. Returns false if the group needs no
 * merging because all contacts belong to one pair of shapes. Returns false also if they belong to several
 * pairs of materials. */
static bool read_group(const sc_collide *collide, const sc_shapes *shapes, const sc_contact_cache *next,
    const member *group, int32_t count, sc_touch *touch, double *size) {
  const sc_pair rows = find_shapes(collide, next, group->contact);
  bool several = false;
  *size = INFINITY;
  for (int32_t k = 0; k < count; k++) {
    const sc_pair mine = find_shapes(collide, next, group[k].contact);
    const sc_shape_row *a = shapes->row + mine.one, *b = shapes->row + mine.two;
    if (a->material != shapes->row[rows.one].material || b->material != shapes->row[rows.two].material)
      return false;
    several = several || mine.one != rows.one || mine.two != rows.two;
    touch[k] = next->touch[group[k].contact];
    *size = fmin(*size, fmin(a->bound, b->bound));
  }
  return several;
}

/* Marks the contacts of a group that other contacts of the group imply. */
static void mark_implied_contacts(const sc_collide *collide, const sc_shapes *shapes,
    const sc_contact_cache *next, const member *group, int32_t count, int32_t first, bool *drop) {
  sc_touch touch[MOST];
  bool implied[MOST];
  double size;
  if (count < FEWEST || count > MOST || !read_group(collide, shapes, next, group, count, touch, &size))
    return;
  memset(implied, 0, (size_t)count * sizeof *implied);
  sc_mark_redundant(touch, count, size, implied);
  for (int32_t k = 0; k < count; k++)
    if (implied[k]) drop[group[k].contact - first] = true;
}

void sc_filter_merge(
    const sc_collide *collide, const sc_shapes *shapes, sc_contact_cache *next, int32_t first) {
  member all[MOST_OF_RUN];
  bool drop[MOST_OF_RUN];
  const int32_t run = next->count - first;
  if (run < FEWEST || run > MOST_OF_RUN) return;
  memset(drop, 0, (size_t)run * sizeof *drop);
  const int32_t members = list_members(collide, next, first, all);
  for (int32_t k = 0, end; k < members; k = end) {
    for (end = k; end < members && all[end].body == all[k].body;) end++;
    mark_implied_contacts(collide, shapes, next, all + k, end - k, first, drop);
  }
  next->count = first;
  for (int32_t c = first; c < first + run; c++) {
    if (drop[c - first]) continue;
    next->row[next->count] = next->row[c];
    next->touch[next->count++] = next->touch[c];
  }
}
