/* Finds, for a touch on an edge or corner, the flat faces that meet there, and visits neighbouring pairs of
 * shapes (edge.h). */
#include "collide/contacts/edge.h"
#include "collide/narrow/mesh/mesh_seam.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

bool sc_see_edge(const sc_filter *f, const sc_touch *touch, bool first, sc_edge_touch *edge) {
  const sc_placed *other = first ? f->a : f->b;
  if (!sc_kind_of(other->shape)->support) return false;
  edge->filter = f, edge->holder = first ? f->b : f->a, edge->other = other, edge->first = first;
  edge->gap = touch->gap, edge->triangle = touch->triangle;
  sc_scale(first ? 1 : -1, touch->normal, edge->way);
  sc_axpy(-0.5 * touch->gap, edge->way, touch->point, edge->point);
  return true;
}

double sc_support_along(const sc_placed *p, const double d[3], double point[3]) {
  const sc_shape_kind *kind = sc_kind_of(p->shape);
  double local[3], own[3], size;
  sc_mat_tvec(p->R, d, local);
  kind->support(p->shape, local, own);
  sc_to_world(p, own, point);
  return kind->core ? kind->core(p->shape, &size) : 0;
}

double sc_reach_along(const sc_placed *p, const double d[3], const double from[3]) {
  double point[3], r[3];
  const double radius = sc_support_along(p, d, point);
  sc_sub(point, from, r);
  return sc_dot(r, d) + radius;
}

bool sc_has_side_faces(const sc_shape *s) {
  return sc_kind_of(s)->side_faces && !(s->geometry && !s->geometry->side_faces);
}

int sc_find_side_faces(const sc_placed *holder, const double point[3], const double normal[3], double cosine,
    double off, sc_flat_face side_face[SC_MAX_SIDE_FACES]) {
  const sc_shape *s = holder->shape;
  double n[3], d[3], x[3], plane[SC_MAX_SIDE_FACES][4];
  if (!sc_has_side_faces(s)) return 0;
  sc_sub(point, holder->position, d);
  sc_mat_tvec(holder->R, d, x);
  sc_mat_tvec(holder->R, normal, n);
  const int count = sc_kind_of(s)->side_faces(s, x, n, cosine, off, plane);
  for (int k = 0; k < count; k++) {
    sc_mat_vec(holder->R, plane[k], side_face[k].normal);
    sc_axpy(plane[k][3] - sc_dot(plane[k], x), side_face[k].normal, point, side_face[k].point);
  }
  return count;
}

/* Finds the faces of a mesh that meet at a touch with an edge or corner. off: largest distance of the edge
 * from the touch [m]. Returns their number. If the mesh is not solid, a triangle has two faces. The face
 * towards the other shape counts, or both faces if the touch lies in the plane of the triangle. */
static int find_mesh_faces(const sc_edge_touch *e, double off, sc_flat_face face[SC_MAX_SIDE_FACES]) {
  static const double max_sine = 1e-7; /* largest sine of the angle between a touch and the plane that it lies
                                          in */
  int32_t triangle[SC_MAX_SIDE_FACES / 2];
  const bool solid = e->holder->shape->geometry->is_solid;
  const int found = sc_mesh_faces_at(e->holder, e->triangle, e->point, off, triangle, SC_MAX_SIDE_FACES / 2);
  int count = 0;
  for (int k = 0; k < found; k++) {
    double normal[3];
    sc_mesh_normal(e->holder, triangle[k], normal);
    const double along = sc_dot(normal, e->way);
    for (int side = 1; side >= (solid ? 1 : -1); side -= 2) {
      if (!solid && side * along < -max_sine) continue;
      sc_flat_face *f = face + count++;
      f->triangle = triangle[k];
      sc_scale(side, normal, f->normal);
      sc_copy3(e->point, f->point);
    }
  }
  return count;
}

int sc_faces_below(const sc_edge_touch *e, double off, double slack, sc_flat_face face[SC_MAX_SIDE_FACES]) {
  const bool mesh = e->holder->shape->type == SCREE_MESH;
  int kept = 0;
  const int count = mesh ? find_mesh_faces(e, slack, face)
                         : sc_find_side_faces(e->holder, e->point, e->way, 1, off, face);
  for (int k = 0; k < count; k++) {
    double back[3];
    sc_scale(-1, face[k].normal, back);
    if (sc_reach_along(e->other, back, face[k].point) <= slack) face[kept++] = face[k];
  }
  return kept;
}

/* ---- neighbours ---- */

static const sc_image no_image = {{0, 0, 0}};

/* Returns the periodic image of one body of a pair relative to the other body. first: relative to the first
 * body of the pair, else relative to the second body. */
static sc_image image_from(const sc_collide *collide, int32_t pair, bool first) {
  const sc_image *image = sc_list_image(&collide->list, pair);
  if (!image) return no_image;
  return first ? *image : sc_image_sub(no_image, *image);
}

/* Returns the velocity of a body if it does not rotate and no contact can change its velocity. Returns NULL
 * for other bodies. */
static const double *find_steady_velocity(const sc_bodies *b, int32_t row) {
  static const double still[3] = {0, 0, 0};
  const double *w = b->spin[row];
  if (b->kind[row] == SCREE_FIXED) return still;
  return b->kind[row] == SCREE_KINEMATIC && w[0] == 0 && w[1] == 0 && w[2] == 0 ? b->velocity[row] : NULL;
}

/* Returns whether two bodies, or periodic images of bodies, move as one. Different bodies move as one if they
 * have the same steady velocity. Different images do not if the cell moves. Images of one body do not if the
 * body turns. */
static bool move_as_one(const sc_bodies *b, int32_t i, sc_image i_image, int32_t j, sc_image j_image) {
  const bool same = sc_image_same(i_image, j_image);
  if (i == j) return same || (!b->cell->moves && sc_dot(b->spin[i], b->spin[i]) == 0);
  const double *u = find_steady_velocity(b, i), *v = find_steady_velocity(b, j);
  return u && v && u[0] == v[0] && u[1] == v[1] && u[2] == v[2] && (same || !b->cell->moves);
}

/* Returns a shape of the list shifted to an image. room: memory for the shifted shape. */
static const sc_placed *place_shape(
    const sc_collide *collide, int32_t row, const sc_image *by, sc_placed_room *room) {
  const sc_placed *placed = sc_poses_placed(&collide->poses, row, room);
  double shift[3];
  if (sc_image_is_body(by)) return placed;
  sc_cell_shift(&collide->poses.cell, by, shift);
  if (placed != &room->placed) room->placed = *placed;
  sc_add(room->placed.position, shift, room->placed.position);
  return &room->placed;
}

/* Calls `visit` for pair p if it is a neighbour (sc_neighbour) of the filter's pair, and returns the result
 * of the call. Returns false if p is not a neighbour. */
static bool visit_pair(
    const sc_filter *f, bool own_first, int32_t p, double reach, sc_visit_neighbour *visit, void *context) {
  const sc_collide *collide = f->collide;
  const sc_shape_cache *cache = collide->poses.cache;
  const sc_pair rows = collide->list.pair[p];
  const int32_t body = own_first ? f->body1 : f->body2, holder = own_first ? f->body2 : f->body1,
                one = cache[rows.one].body, two = cache[rows.two].body;
  if ((one == body) == (two == body)) return false;
  const bool first = one == body;
  const sc_image seen = image_from(collide, f->pair, own_first), image = image_from(collide, p, first);
  if (!move_as_one(f->bodies, first ? two : one, image, holder, seen) ||
      sc_poses_apart(
          &collide->poses, cache + rows.one, cache + rows.two, sc_list_image(&collide->list, p), reach))
    return false;
  /* `other`'s body lies in the cell if `other` is the first shape of its pair, else at the image of the
   * pair */
  const sc_image home = own_first ? no_image : sc_image_sub(no_image, seen),
                 away = {{home.n[0] + image.n[0], home.n[1] + image.n[1], home.n[2] + image.n[2]}};
  sc_placed_room room[2];
  const sc_neighbour neighbour = {.one = place_shape(collide, rows.one, first ? &home : &away, room),
      .two = place_shape(collide, rows.two, first ? &away : &home, room + 1),
      .first = first,
      .pair = p};
  return visit(context, &neighbour);
}

bool sc_visit_neighbours(
    const sc_filter *f, bool first, double reach, sc_visit_neighbour *visit, void *context) {
  const sc_collide *collide = f->collide;
  if (!collide) return false;
  const int32_t owner = sc_pair_owner(collide, f->pair);
  /* pairs whose owner is a fixed body may be anywhere in the list */
  const bool everywhere = (first ? f->body1 : f->body2) != owner && f->bodies->kind[owner] == SCREE_FIXED;
  if ((first ? f->b : f->a)->shape->type == SCREE_MESH &&
      visit_pair(f, first, f->pair, reach, visit, context))
    return true;
  for (int way = -1; way <= 1; way += 2)
    for (int32_t p = f->pair + way; p >= 0 && p < collide->list.pairs; p += way) {
      if (!everywhere && sc_pair_owner(collide, p) != owner) break;
      if (visit_pair(f, first, p, reach, visit, context)) return true;
    }
  return false;
}
