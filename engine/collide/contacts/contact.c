/* Contacts as other stages read them, computed from the contact cache and the poses.
 *
 * Bodies and materials follow from the shapes of the pair. In worlds of spheres and half-spaces the geometry
 * is not stored but computed from the poses. The poses of spheres and half-spaces stay unchanged from one
 * search to the next. */
#include "collide/touch.h"
#include "collide/state.h"

/* Finds the present rows of the shapes of a contact. Returns false if a shape was removed. */
static inline bool rows_now(const sc_collide *collide, int32_t index, sc_pair *out) {
  *out = collide->list.pair[collide->now.row[index].pair];
  if (collide->list.removals)
    *out = (sc_pair){sc_names_alias(&collide->list, out->one), sc_names_alias(&collide->list, out->two)};
  return out->one >= 0 && out->two >= 0;
}

static inline sc_sides sides_of(const sc_shapes *shapes, sc_pair rows) {
  const sc_shape_row *a = shapes->row + rows.one, *b = shapes->row + rows.two;
  return (sc_sides){a->body, b->body, a->material, b->material};
}

/* Computes the touch of a sphere and a half-space, in either order. No shift to a periodic image is needed,
 * because a half-space is parallel to all periodic edges of a cell. */
static void compute_plane_touch(
    const sc_collide *collide, const sc_shapes *shapes, sc_pair rows, sc_touch *out) {
  const int32_t row[2] = {rows.one, rows.two};
  sc_shape shape[2];
  sc_placed side[2] = {{0}};
  sc_touch touch[SC_MAX_TOUCHES];
  for (int k = 0; k < 2; k++) {
    const sc_shape_cache *cache = collide->poses.cache + row[k];
    if (cache->placed >= 0) side[k] = collide->poses.placed[cache->placed];
    else sc_copy3(cache->centre, side[k].position);
    sc_shapes_get(shapes, row[k], shape + k);
    side[k].shape = shape + k;
  }
  if (sc_narrow(side, side + 1, INFINITY, touch)) *out = touch[0];
}

/* Computes the touch of a pair whose geometry is not stored. Returns zeros if the shapes were added after the
 * last search. */
static inline void compute_touch(
    const sc_collide *collide, const sc_shapes *shapes, sc_pair rows, int32_t pair, sc_touch *out) {
  *out = (sc_touch){.gap = 0};
  if (rows.one >= collide->poses.count || rows.two >= collide->poses.count) return;
  const sc_shape_cache *a = collide->poses.cache + rows.one, *b = collide->poses.cache + rows.two;
  if (a->placed >= 0 || b->placed >= 0) {
    if (collide->poses.plain) compute_plane_touch(collide, shapes, rows, out);
    return;
  }
  sc_poses_touch(&collide->poses, a, b, sc_list_image(&collide->list, pair), out);
}

/* Prefetches the shapes of the contact AHEAD rows after `index`, because contacts are mostly read in
 * order. */
SC_FETCH prefetch_ahead(const sc_collide *collide, const sc_shapes *shapes, int32_t index) {
  enum { AHEAD = 16 };
  if (index + AHEAD >= collide->now.count || !collide->poses.count) return;
  sc_pair pair = collide->list.pair[collide->now.row[index + AHEAD].pair];
  if (!collide->now.touches) {
    __builtin_prefetch(collide->poses.cache + pair.one);
    __builtin_prefetch(collide->poses.cache + pair.two);
  }
  __builtin_prefetch(shapes->row + pair.one);
  __builtin_prefetch(shapes->row + pair.two);
}

void sc_collide_sides(const sc_collide *collide, const sc_shapes *shapes, int32_t index, sc_sides *out) {
  sc_pair rows;
  prefetch_ahead(collide, shapes, index);
  *out = rows_now(collide, index, &rows) ? sides_of(shapes, rows) : (sc_sides){-1, -1, -1, -1};
}

int32_t sc_collide_pair_sides(
    const sc_collide *collide, const sc_shapes *shapes, int32_t index, int32_t end, sc_sides *out) {
  const sc_cached_contact *row = collide->now.row;
  const int32_t pair = row[index].pair;
  sc_collide_sides(collide, shapes, index, out);
  do index++;
  while (index < end && row[index].pair == pair);
  return index;
}

const sc_touch *sc_collide_touch(
    const sc_collide *collide, const sc_shapes *shapes, int32_t index, sc_touch *room) {
  sc_pair rows;
  if (collide->now.touches) return collide->now.touch + index;
  *room = (sc_touch){.gap = 0};
  if (rows_now(collide, index, &rows))
    compute_touch(collide, shapes, rows, collide->now.row[index].pair, room);
  return room;
}

/* Prefetches a row that may span two cache lines. */
SC_FETCH prefetch_row(const void *row, size_t size) {
  __builtin_prefetch(row);
  __builtin_prefetch((const char *)row + size - 1);
}

void sc_collide_ask(const sc_collide *collide, int32_t index) {
  prefetch_row(collide->now.row + index, sizeof *collide->now.row);
  if (collide->now.touches) prefetch_row(collide->now.touch + index, sizeof *collide->now.touch);
}

sc_image sc_collide_image(const sc_collide *collide, int32_t index) {
  const sc_image *image = sc_list_image(&collide->list, collide->now.row[index].pair);
  return image ? *image : (sc_image){{0, 0, 0}};
}

bool sc_collide_rows(const sc_collide *collide, int32_t index, int32_t *one, int32_t *two) {
  sc_pair rows;
  bool there = rows_now(collide, index, &rows);
  *one = there ? rows.one : -1, *two = there ? rows.two : -1;
  return there;
}

void sc_collide_contact(const sc_collide *collide, const sc_shapes *shapes, int32_t index, sc_contact *out) {
  const sc_cached_contact *kept = collide->now.row + index;
  sc_pair rows;
  sc_sides sides = {-1, -1, -1, -1};
  sc_touch room;
  prefetch_ahead(collide, shapes, index);
  if (rows_now(collide, index, &rows)) sides = sides_of(shapes, rows);
  const sc_touch *touch = sc_collide_touch(collide, shapes, index, &room);
  *out = (sc_contact){.body1 = sides.body1,
      .body2 = sides.body2,
      .gap = touch->gap,
      .feature = touch->feature,
      .state = (int32_t)kept->state,
      .material1 = sides.material1,
      .material2 = sides.material2};
  if (collide->list.image) out->image = collide->list.image[kept->pair];
  sc_copy3(touch->point, out->point);
  sc_copy3(touch->normal, out->normal);
  sc_copy3(kept->impulse, out->impulse);
}

void sc_collide_meeting(const sc_collide *collide, const sc_shapes *shapes, int32_t index, sc_meeting *out) {
  const sc_cached_contact *kept = collide->now.row + index;
  sc_pair rows = collide->list.pair[kept->pair];
  sc_touch touch = {.gap = 0};
  prefetch_ahead(collide, shapes, index);
  if (collide->list.removals && !rows_now(collide, index, &rows)) {
    *out = (sc_meeting){.sides = {-1, -1, -1, -1}}; /* a shape was removed */
    return;
  }
  if (collide->now.touches) touch = collide->now.touch[index];
  else compute_touch(collide, shapes, rows, kept->pair, &touch);
  out->sides = sides_of(shapes, rows);
  sc_copy3(touch.normal, out->normal);
  out->gap = touch.gap;
  sc_copy3(kept->impulse, out->impulse);
}

/* Returns 1/R of the surface of a shape [1/m]; 0 for shapes of immovable bodies that are not spheres. */
static double curvature_of(const sc_collide *collide, const sc_bodies *bodies, int32_t row) {
  const sc_shape_cache *shape = collide->poses.cache + row;
  return shape->placed >= 0 && !(bodies->inv_mass[shape->body] > 0) ? 0 : 1 / shape->radius;
}

double sc_collide_radius(const sc_collide *collide, const sc_bodies *bodies, int32_t index) {
  sc_pair rows;
  if (!rows_now(collide, index, &rows)) return INFINITY;
  return 1 / (curvature_of(collide, bodies, rows.one) + curvature_of(collide, bodies, rows.two));
}

int32_t sc_collide_nearer_face(const sc_collide *collide, int32_t index, int32_t from) {
  static const double smooth = 0.86602540378443865; /* cosine of 30 degrees */
  const sc_contact_cache *now = &collide->now;
  const int32_t pair = now->row[index].pair;
  sc_pair rows;
  if (!now->touches || !rows_now(collide, index, &rows)) return -1;
  if (collide->poses.cache[rows.one].placed >= 0 && collide->poses.cache[rows.two].placed >= 0) return -1;
  const sc_touch *mine = now->touch + index;
  int32_t c = from;
  if (from < 0)
    for (c = index - 1; c >= 0 && now->row[c].pair == pair;) c--;
  for (c++; c < now->count && now->row[c].pair == pair; c++) {
    const sc_touch *its = now->touch + c;
    if (c != index && (its->gap < mine->gap || (its->gap == mine->gap && c < index)) &&
        sc_dot(its->normal, mine->normal) >= smooth)
      return c;
  }
  return -1;
}

void sc_collide_keep(sc_collide *collide, int32_t index, const double impulse[3], int32_t state) {
  SC_ASSERT(index >= 0 && index < collide->now.count);
  sc_cached_contact *kept = collide->now.row + index;
  sc_copy3(impulse, kept->impulse);
  kept->state = (uint32_t)state & 3;
}

int32_t sc_collide_state(const sc_collide *collide, int32_t index) {
  return (int32_t)collide->now.row[index].state;
}

int32_t sc_collide_tag(const sc_collide *collide, int32_t index) {
  return (int32_t)collide->now.row[index].tag;
}

void sc_collide_set_tag(sc_collide *collide, int32_t index, int32_t tag) {
  collide->now.row[index].tag = (uint32_t)tag & 0x3fffffff;
}

const double *sc_collide_impulse(const sc_collide *collide, int32_t index) {
  return collide->now.row[index].impulse;
}

double sc_collide_deepest(const sc_collide *collide) { return collide->deepest; }

bool sc_collide_alive(const sc_collide *collide, int32_t index) {
  sc_pair rows;
  SC_ASSERT(index >= 0 && index < collide->now.count);
  return rows_now(collide, index, &rows);
}

int32_t sc_collide_memory(
    const sc_collide *collide, const sc_shapes *shapes, int32_t index, sc_remembered *out) {
  if (!out) return collide->now.count;
  SC_ASSERT(index >= 0 && index < collide->now.count);
  sc_pair pair = collide->list.pair[collide->now.row[index].pair];
  sc_contact contact;
  sc_collide_contact(collide, shapes, index, &contact);
  *out = (sc_remembered){.shape1 = pair.one,
      .shape2 = pair.two,
      .state = contact.state,
      .tag = sc_collide_tag(collide, index),
      .image = contact.image,
      .law = sc_contact_cache_state(&collide->now, index),
      .touch = {.gap = contact.gap, .feature = contact.feature}};
  sc_copy3(contact.point, out->touch.point);
  sc_copy3(contact.normal, out->touch.normal);
  sc_copy3(contact.impulse, out->impulse);
  return collide->now.count;
}
