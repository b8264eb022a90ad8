/* Edges beyond which a surface continues (rules 2 to 4 of filter.c).
 *
 * A shape that lies above a face beside an edge can reach the face from above. It cannot reach the edge from
 * the side if the surface continues beyond the edge. The surface continues if the mesh or a neighbour has a
 * surface at the touch itself, and also a short distance ahead, towards the shape. If the surface ahead
 * rises, the edge lies in a hollow fold. The search in each triangle may miss the touches with the faces of a
 * fold because the shape's lowest point lies on the fold itself. */
#include "collide/contacts/edge.h"
#include "collide/narrow/mesh/mesh_seam.h"
#include "math/vec.h"

static const double min_sine = 1e-7; /* normals with a smaller sine are parallel */
/* distance ahead of a touch at which the surface is tested, in units of sc_filter.size */
static const double look_ahead = 0.02;
/* steps in the surface of a mesh up to this height count as flat, relative to the size of the mesh */
static const double file_step = 1e-6;
static const double rounding = 1e-9; /* overlaps below this count as 0, in units of sc_filter.size */

/* Returns whether a convex shape has a face as `c` describes it: a surface near a line (sc_cover). */
static bool has_face(const sc_placed *p, const sc_cover *c) {
  /* smallest cosine between the normal of a face and the direction `up` of the surface */
  static const double steepest = 0.1;
  const sc_shape_kind *kind = sc_kind_of(p->shape);
  sc_face face = {0};
  double up[3], x[3], d[3], edge[3], out[3];
  if (!kind->face) return false;
  sc_mat_tvec(p->R, c->up, up);
  sc_sub(c->point, p->position, d);
  sc_mat_tvec(p->R, d, x);
  kind->face(p->shape, up, &face);
  const double rise = sc_dot(face.normal, up);
  if (face.count < 3 || !(rise >= steepest)) return false;
  sc_sub(face.corner[0], x, d);
  const double height = sc_dot(d, face.normal) / rise;
  if (!(height >= c->low && height <= c->high)) return false;
  sc_axpy(height, up, x, x);
  if (face.disc > 0) {
    double middle[3] = {0, 0, 0};
    for (int k = 0; k < face.count; k++) sc_axpy(1.0 / face.count, face.corner[k], middle, middle);
    sc_sub(x, middle, d);
    return sc_norm(d) <= face.disc + c->aside;
  }
  for (int k = 0; k < face.count; k++) {
    sc_sub(face.corner[(k + 1) % face.count], face.corner[k], edge);
    sc_cross(edge, face.normal, out);
    sc_normalise(out, out);
    sc_sub(x, face.corner[k], d);
    if (!(sc_dot(d, out) <= c->aside)) return false;
  }
  return true;
}

static bool has_plane(const sc_placed *p, const sc_cover *c) {
  double n[3], d[3];
  sc_mat_vec(p->R, (const double[3]){0, 0, 1}, n);
  sc_sub(p->position, c->point, d);
  const double rise = sc_dot(n, c->up), height = sc_dot(d, n) / rise;
  return rise >= 0.1 && height >= c->low && height <= c->high;
}

static bool has_cover(void *context, const sc_neighbour *pair) {
  const sc_cover *cover = context;
  const sc_placed *neighbour = pair->first ? pair->two : pair->one;
  if (neighbour->shape->type == SCREE_MESH) return sc_mesh_covers(neighbour, cover);
  if (neighbour->shape->type == SCREE_HALFSPACE) return has_plane(neighbour, cover);
  return has_face(neighbour, cover);
}

/* Returns what lies beyond a face of the holder at the touch, in the direction `way`. triangle: row of the
 * face, if the holder is a mesh. point_ahead: the surface to search for ahead of the touch. *riser: set to
 * the triangle that rises, if there is one. */
static sc_beyond look_beyond(const sc_edge_touch *edge, int32_t triangle, const double way[3],
    const sc_cover *point_ahead, double slack, int32_t *riser) {
  if (edge->holder->shape->type == SCREE_MESH)
    return sc_mesh_beyond(edge->holder, triangle, edge->point, point_ahead->up, way, slack, riser);
  return has_face(edge->holder, point_ahead) ? SC_FLAT : SC_NOTHING;
}

/* The faces of the holder at a touch that the other shape lies above. */
typedef struct faces {
  sc_flat_face face[SC_MAX_SIDE_FACES];
  int count;
} faces;

/* Returns whether the other shape lies in the hollow between face k and a triangle that rises beyond the
 * face. */
static bool is_in_hollow(const sc_edge_touch *edge, const faces *all, int k, int32_t riser) {
  double normal[3];
  sc_mesh_normal(edge->holder, riser, normal);
  for (int m = 0; m < all->count; m++)
    if (fabs(sc_dot(all->face[m].normal, normal)) > 1 - 1e-12 &&
        sc_mesh_rises(edge->holder, all->face[k].triangle, edge->point, all->face[m].normal))
      return true;
  return false;
}

/* Returns whether neighbours have a surface both at the touch and at the point `ahead_of`. At `ahead_of` the
 * surface may lie up to `high` above the face. This point is tested first, because it lacks a surface more
 * often. */
static bool are_covering(
    const sc_edge_touch *edge, const double ahead_of[3], double high, double slack, const double up[3]) {
  const double reach = fmax(edge->gap, 0) + high;
  sc_cover cover = {.low = -slack, .high = high, .aside = slack};
  sc_copy3(up, cover.up);
  sc_copy3(ahead_of, cover.point);
  if (!sc_visit_neighbours(edge->filter, edge->first, reach, has_cover, &cover)) return false;
  cover.high = slack;
  sc_copy3(edge->point, cover.point);
  return sc_visit_neighbours(edge->filter, edge->first, reach, has_cover, &cover);
}

/* Returns how the surface continues beyond the edge of face k. SC_NO_SEAM: the surface ends or falls. */
static sc_seam judge_face(const sc_edge_touch *edge, const faces *all, int k, double slack) {
  const sc_flat_face *face = all->face + k;
  const double size = edge->filter->size;
  const bool overlaps = !(edge->gap > -rounding * size);
  sc_cover cover = {.low = -slack, .high = slack, .aside = slack};
  double way[3];
  int32_t riser = -1;
  sc_axpy(-sc_dot(edge->way, face->normal), face->normal, edge->way, way);
  if (!(sc_normalise(way, way) > min_sine)) return SC_NO_SEAM;
  sc_copy3(face->normal, cover.up);
  sc_axpy(look_ahead * size, way, edge->point, cover.point);
  const sc_beyond beyond = look_beyond(edge, face->triangle, way, &cover, slack, &riser);
  if (beyond == SC_FLAT) return SC_NO_SEAM;
  if (beyond == SC_BEHIND) return overlaps ? SC_NO_SEAM : SC_RIDGE;
  if (beyond == SC_RISES) return is_in_hollow(edge, all, k, riser) ? SC_HOLLOW : SC_NO_SEAM;
  if (!are_covering(edge, cover.point, 2 * look_ahead * size, slack, face->normal)) return SC_NO_SEAM;
  return are_covering(edge, cover.point, slack, slack, face->normal) ? SC_LEVEL : SC_HOLLOW;
}

/* Computes the touch of a shape with a face below the shape. The touch lies at the shape's lowest point
 * over the plane of the face. */
static void touch_face(const sc_edge_touch *edge, const sc_flat_face *face, uint32_t feature, sc_touch *out) {
  double back[3], point[3], d[3];
  sc_scale(-1, face->normal, back);
  sc_axpy(sc_support_along(edge->other, back, point), back, point, point);
  sc_sub(point, face->point, d);
  *out = (sc_touch){.gap = sc_dot(d, face->normal), .feature = feature, .triangle = face->triangle};
  sc_scale(edge->first ? 1 : -1, face->normal, out->normal);
  sc_axpy(-0.5 * out->gap, face->normal, point, out->point);
}

/* Returns whether the normal of a touch is the normal of a face. */
static bool is_along(const sc_edge_touch *edge, const sc_flat_face *face) {
  return sc_dot(face->normal, edge->way) > 1 - 1e-9;
}

/* Returns the seam at a touch. The shape with the edge (edge->holder) must be known. */
static sc_seam find_seam_of_holder(const sc_edge_touch *edge, double slack, sc_fold *fold, uint32_t feature) {
  faces all;
  sc_seam seam = SC_NO_SEAM;
  all.count = sc_faces_below(edge, slack, slack, all.face);
  for (int k = 0; k < all.count; k++)
    if (!is_along(edge, all.face + k)) fold->above = true;
  for (int k = 0; k < all.count && (seam == SC_NO_SEAM || seam == SC_HOLLOW); k++) {
    const sc_seam here = judge_face(edge, &all, k, slack);
    if (here) seam = here;
  }
  for (int k = 0; k < all.count && seam == SC_HOLLOW; k++)
    if (is_along(edge, all.face + k)) seam = SC_NO_SEAM; /* the touch already lies on this face */
  fold->count = seam == SC_HOLLOW ? all.count : 0;
  for (int k = 0; k < fold->count; k++)
    touch_face(edge, all.face + k, feature ^ (uint32_t)(k + 1), fold->touch + k);
  return seam;
}

sc_seam sc_find_seam(const sc_filter *f, double slack, const sc_touch *touch, sc_fold *fold) {
  sc_edge_touch edge;
  sc_seam seam = SC_NO_SEAM;
  fold->count = 0, fold->above = false;
  if (!(touch->gap >= -slack)) return SC_NO_SEAM;
  const double flat = fmax(slack, fmin(file_step * fmax(f->a->shape->bound, f->b->shape->bound), 10 * slack));
  for (int first = 1; first >= 0 && !seam; first--)
    if (sc_see_edge(f, touch, first, &edge)) seam = find_seam_of_holder(&edge, flat, fold, touch->feature);
  return seam;
}
