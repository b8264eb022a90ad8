/* Neighbours of a touch: the pairs next to the touch's pair in the list, and the faces at its edge. */
#include "collide/contacts/aside.h"
#include "collide/contacts/parts.h"
#include "collide/narrow/mesh/mesh_seam.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

/* Returns the periodic image of the other body of a pair relative to one body. first: this one body is the
 * first of the pair. */
static sc_image image_from(const sc_collide *collide, int32_t pair, bool first) {
  const sc_image none = {{0, 0, 0}}, *image = sc_list_image(&collide->list, pair);
  if (!image) return none;
  return first ? *image : sc_image_sub(none, *image);
}

/* Returns whether two bodies, or images of them, move as one. Two fixed bodies do, and so does a body with
 * itself. Two different images do not if the body turns or if the cell moves. */
static bool move_as_one(const sc_bodies *b, int32_t i, sc_image i_image, int32_t j, sc_image j_image) {
  const bool fixed = b->kind[i] == SCREE_FIXED && b->kind[j] == SCREE_FIXED;
  if (i != j && !fixed) return false;
  if (sc_image_same(i_image, j_image)) return true;
  return !b->cell->moves && (fixed || sc_dot(b->spin[i], b->spin[i]) == 0);
}

/* Returns a shape of the list shifted to an image. room: memory for the shifted shape. */
static const sc_placed *place(
    const sc_collide *collide, int32_t row, const sc_image *by, sc_placed_room *room) {
  const sc_placed *placed = sc_poses_placed(&collide->poses, row, room);
  double shift[3];
  if (sc_image_is_body(by)) return placed;
  sc_cell_shift(&collide->poses.cell, by, shift);
  if (placed != &room->placed) room->placed = *placed;
  sc_add(room->placed.position, shift, room->placed.position);
  return &room->placed;
}

/* Visits pair p if it lies beside the pair of `holding`. Returns false if it does not. */
static bool visit_pair(
    const sc_holding *holding, int32_t p, double reach, sc_aside_visit *visit, void *context) {
  const sc_held *h = holding->held;
  const sc_collide *collide = h->collide;
  const sc_shape_cache *cache = collide->poses.cache;
  const sc_pair rows = collide->list.pair[p], own = collide->list.pair[h->pair];
  const int32_t held = cache[holding->first ? own.one : own.two].body,
                holder = cache[holding->first ? own.two : own.one].body, one = cache[rows.one].body,
                two = cache[rows.two].body;
  const sc_image none = {{0, 0, 0}}, seen = image_from(collide, h->pair, holding->first);
  if ((one == held) == (two == held)) return false;
  const bool first = one == held;
  const sc_image image = image_from(collide, p, first);
  if (!move_as_one(h->bodies, first ? two : one, image, holder, seen) ||
      sc_poses_apart(
          &collide->poses, cache + rows.one, cache + rows.two, sc_list_image(&collide->list, p), reach))
    return false;
  /* the held body lies in the cell if it is the first of its own pair, else at its image */
  const sc_image home = holding->first ? none : sc_image_sub(none, seen),
                 away = {{home.n[0] + image.n[0], home.n[1] + image.n[1], home.n[2] + image.n[2]}};
  sc_placed_room room[2];
  const sc_aside aside = {.one = place(collide, rows.one, first ? &home : &away, room),
      .two = place(collide, rows.two, first ? &away : &home, room + 1),
      .first = first};
  return visit(context, &aside);
}

bool sc_visit_aside(const sc_holding *holding, double reach, sc_aside_visit *visit, void *context) {
  const sc_held *h = holding->held;
  const sc_collide *collide = h->collide;
  const sc_pair own = collide->list.pair[h->pair];
  const sc_shape_cache *cache = collide->poses.cache;
  const int32_t owner = sc_parts_owner(collide, h->pair), held = holding->first ? own.one : own.two,
                holder = holding->first ? own.two : own.one;
  /* pairs whose owner is a fixed body may be anywhere in the list */
  const bool everywhere = cache[held].body != owner && h->bodies->kind[owner] == SCREE_FIXED;
  if (cache[holder].placed >= 0 && collide->poses.placed[cache[holder].placed].shape->type == SCREE_MESH &&
      visit_pair(holding, h->pair, reach, visit, context))
    return true;
  for (int way = -1; way <= 1; way += 2)
    for (int32_t p = h->pair + way; p >= 0 && p < collide->list.pairs; p += way) {
      if (!everywhere && sc_parts_owner(collide, p) != owner) break;
      if (visit_pair(holding, p, reach, visit, context)) return true;
    }
  return false;
}

bool sc_see_edge(
    const sc_placed *a, const sc_placed *b, const sc_touch *touch, bool first, sc_edge_touch *edge) {
  const sc_placed *other = first ? a : b;
  if (!sc_kind_of(other->shape)->support) return false;
  edge->holder = first ? b : a, edge->other = other, edge->first = first;
  edge->gap = touch->gap, edge->triangle = touch->triangle;
  sc_scale(first ? 1 : -1, touch->normal, edge->way);
  sc_axpy(-0.5 * touch->gap, edge->way, touch->point, edge->point);
  return true;
}

/* Finds the faces of a mesh that meet at a touch with an edge or corner. Returns their number. A triangle of
 * a wall has two faces. Of these the face towards the other shape counts, or both if the touch lies in the
 * plane of the triangle. */
static int find_mesh_faces(const sc_edge_touch *e, double off, sc_flank face[SC_MAX_FLANKS]) {
  static const double slight = 1e-7; /* sine of the angle between a touch and a plane that contains it */
  int32_t triangle[SC_MAX_FLANKS / 2];
  const bool solid = e->holder->shape->geometry->is_solid;
  const int found = sc_mesh_faces_at(e->holder, e->triangle, e->point, off, triangle, SC_MAX_FLANKS / 2);
  int count = 0;
  for (int k = 0; k < found; k++) {
    double normal[3];
    sc_mesh_normal(e->holder, triangle[k], normal);
    const double along = sc_dot(normal, e->way);
    for (int side = 1; side >= (solid ? 1 : -1); side -= 2) {
      if (!solid && side * along < -slight) continue;
      sc_flank *f = face + count++;
      f->triangle = triangle[k];
      sc_scale(side, normal, f->normal);
      sc_copy3(e->point, f->point);
    }
  }
  return count;
}

int sc_faces_below(const sc_edge_touch *e, double off, double slack, sc_flank face[SC_MAX_FLANKS]) {
  const bool mesh = e->holder->shape->type == SCREE_MESH;
  const sc_touch at = {
      .point = {e->point[0], e->point[1], e->point[2]}, .normal = {e->way[0], e->way[1], e->way[2]}};
  int kept = 0;
  const int count = mesh ? find_mesh_faces(e, slack, face) : sc_flanks_at(e->holder, &at, 1, off, face);
  for (int k = 0; k < count; k++) {
    double back[3];
    sc_scale(-1, face[k].normal, back);
    if (sc_reach_along(e->other, back, face[k].point) <= slack) face[kept++] = face[k];
  }
  return kept;
}
