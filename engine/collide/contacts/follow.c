/* Moves contacts with their bodies within a step, instead of a new search.
 *
 * The two surface points of a contact are fixed in their shapes and move with them. The normal stays. The gap
 * is the distance of the two points along the normal. The error against a search is second order in the
 * rotation: angle times sliding distance for a face that turns, angle squared times radius for a round shape
 * that rolls. Contacts of two spheres are computed exactly from the new centres. */
#include "collide/touch.h"
#include "collide/state.h"
#include "model/rest.h"

typedef struct follow {
  sc_collide *collide;
  const sc_bodies *bodies;
  double (*side)[2][3]; /* [contacts] surface points on the first and second shape, in the shape's axes [m] */
  double *deepest;      /* [ranges] largest penetration of the contacts of a range [m] */
} follow;

/* Finds the shapes of a contact. Returns false if both bodies sleep, because the contact cannot change
 * then. */
static bool shapes_of(
    const follow *f, int32_t index, const sc_shape_cache **one, const sc_shape_cache **two) {
  const sc_collide *collide = f->collide;
  sc_pair pair = collide->list.pair[collide->now.row[index].pair];
  *one = collide->poses.cache + pair.one, *two = collide->poses.cache + pair.two;
  return !f->bodies->rest || !sc_bodies_rest(f->bodies, (*one)->body, (*two)->body);
}

static const sc_image *image_of_contact(const sc_collide *collide, int32_t index) {
  return sc_list_image(&collide->list, collide->now.row[index].pair);
}

/* Computes the shift [m] from the second shape of a contact to the periodic image of this shape that touches
 * the first shape. */
static void image_shift(const sc_collide *collide, int32_t index, double shift[3]) {
  const sc_image *image = image_of_contact(collide, index);
  sc_set3(0, 0, 0, shift);
  if (!sc_image_is_body(image)) sc_cell_shift(&collide->poses.cell, image, shift);
}

/* Transforms a point from world axes to the axes of a shape. The axes of spheres stay parallel to the
 * world. */
static void to_own(const sc_poses *poses, const sc_shape_cache *shape, const double point[3], double own[3]) {
  if (shape->placed < 0) sc_sub(point, shape->centre, own);
  else sc_to_local(poses->placed + shape->placed, point, own);
}
/* Inverse of to_own. */
static void from_own(
    const sc_poses *poses, const sc_shape_cache *shape, const double own[3], double point[3]) {
  if (shape->placed < 0) sc_add(own, shape->centre, point);
  else sc_to_world(poses->placed + shape->placed, own, point);
}

/* Computes the surface points of a range of contacts. */
static void compute_surface_points(void *context, int64_t first, int64_t end) {
  const follow *f = context;
  const sc_collide *collide = f->collide;
  for (int32_t c = (int32_t)first; c < end; c++) {
    const sc_shape_cache *one, *two;
    const sc_touch *touch = collide->now.touch + c;
    double p[3], shift[3];
    if (!shapes_of(f, c, &one, &two)) continue;
    sc_axpy(0.5 * touch->gap, touch->normal, touch->point, p);
    to_own(&collide->poses, one, p, f->side[c][0]);
    image_shift(collide, c, shift);
    sc_axpy(-0.5 * touch->gap, touch->normal, touch->point, p);
    sc_sub(p, shift, p);
    to_own(&collide->poses, two, p, f->side[c][1]);
  }
}

static void move_touch(const follow *f, int32_t index, const sc_shape_cache *one, const sc_shape_cache *two) {
  const sc_collide *collide = f->collide;
  sc_touch *touch = collide->now.touch + index;
  double p1[3], p2[3], shift[3];
  from_own(&collide->poses, one, f->side[index][0], p1);
  from_own(&collide->poses, two, f->side[index][1], p2);
  image_shift(collide, index, shift);
  sc_add(p2, shift, p2);
  for (int k = 0; k < 3; k++) touch->point[k] = 0.5 * (p1[k] + p2[k]);
  sc_sub(p1, p2, p1);
  touch->gap = sc_dot(touch->normal, p1);
}

static void move_touches(void *context, int64_t first, int64_t end) {
  const follow *f = context;
  double deepest = 0;
  for (int32_t c = (int32_t)first; c < end; c++) {
    const sc_shape_cache *one, *two;
    if (shapes_of(f, c, &one, &two)) {
      if (one->placed >= 0 || two->placed >= 0) move_touch(f, c, one, two);
      else
        sc_poses_touch(
            &f->collide->poses, one, two, image_of_contact(f->collide, c), f->collide->now.touch + c);
    }
    if (-f->collide->now.touch[c].gap > deepest) deepest = -f->collide->now.touch[c].gap;
  }
  f->deepest[first / SC_SHORT_RANGE] = deepest;
}

/* Finds the largest penetration of contacts whose geometry is not stored. */
static void measure_gaps(void *context, int64_t first, int64_t end) {
  const follow *f = context;
  double deepest = 0;
  for (int32_t c = (int32_t)first; c < end; c++) {
    sc_meeting meeting;
    sc_collide_meeting(f->collide, f->collide->poses.shapes, c, &meeting);
    if (-meeting.gap > deepest) deepest = -meeting.gap;
  }
  f->deepest[first / SC_SHORT_RANGE] = deepest;
}

static scree_status follow_bodies(
    sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt, scree_error *error) {
  const int32_t count = collide->now.count, ranges = (count + SC_SHORT_RANGE - 1) / SC_SHORT_RANGE;
  const bool kept = collide->now.touches;
  follow f = {.collide = collide, .bodies = bodies};
  f.deepest = SC_TAKE(collide->scratch, double, ranges);
  if (kept) f.side = sc_arena_take(collide->scratch, (size_t)count * sizeof *f.side);
  if (!f.deepest || (kept && !f.side))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to move %d contacts", (int)count);
  if (kept) sc_pool_ranges(collide->pool, count, SC_SHORT_RANGE, compute_surface_points, &f);
  scree_status status = sc_poses_refresh(
      &collide->poses, bodies, shapes, dt, collide->pool, collide->scratch, error);
  if (status) return status;
  sc_pool_ranges(collide->pool, count, SC_SHORT_RANGE, kept ? move_touches : measure_gaps, &f);
  collide->deepest = 0;
  for (int32_t r = 0; r < ranges; r++) collide->deepest = fmax(collide->deepest, f.deepest[r]);
  return SCREE_OK;
}

scree_status sc_collide_follow(
    sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt, scree_error *error) {
  SC_ASSERT(!collide->list.removals && shapes->count == collide->list.known);
  sc_arena_mark mark = sc_collide_begin(collide);
  return sc_collide_end(collide, mark, follow_bodies(collide, bodies, shapes, dt, error));
}
