/* Shapes that other shapes hold off an edge: a ball that falls on a floor of tiles beside a slit.
 *
 * A gap is measured along its normal as if nothing else were there. A ball comes down on one tile and
 * moves towards the next tile. Within the step it would fall below the edge of the next tile, which would
 * stop it or throw it back. But the first tile holds the ball, so it never comes that low.
 *
 * So the search looks at the faces beside the edge. If the shape lies above the plane of a face, it must
 * cross this plane to meet the edge. If another touch of its body keeps it from crossing, it does not meet
 * the edge. That touch must be one with the holder of the face, or with a body that moves as one with the
 * holder. */
#include "collide/contacts/held.h"
#include "collide/contacts/aside.h"
#include "math/vec.h"

static const double level = 1 - 1e-6; /* normals with a larger cosine count as parallel */

/* A plane that is not to be crossed by more than a height. */
typedef struct plane {
  const double *up;
  double height;
} plane;

/* Whether the touches of a pair keep a body from going on against a direction for more than a height. */
static bool keeps(void *context, const sc_aside *aside) {
  const plane *p = context;
  const double side = aside->first ? 1 : -1;
  sc_touch touch[SC_MAX_TOUCHES];
  const int count = sc_narrow(aside->one, aside->two, p->height, touch);
  for (int k = 0; k < count; k++)
    if (side * sc_dot(touch[k].normal, p->up) >= level) return true;
  return false;
}

/* Whether the lowest part of a shape over a plane stays parallel to the plane up to the end of the step.
 * A tilted shape turns about the touch that holds it, so it may come lower. */
static bool is_level(const sc_held *h, const sc_placed *p, int32_t body, const double up[3], double slack) {
  const sc_shape_kind *kind = sc_kind_of(p->shape);
  double down[3], turn[3];
  sc_face face = {0};
  if (p->shape->type == SCREE_SPHERE) /* turns about the centre of its body */
    return h->dt * sc_norm(h->bodies->spin[body]) * sc_norm(p->shape->position) <= slack;
  if (!kind->face) return false;
  sc_mat_tvec(p->R, up, down);
  sc_scale(-1, down, down);
  kind->face(p->shape, down, &face);
  for (int k = 1; k < face.count; k++) {
    double d[3], way[3];
    sc_sub(face.corner[k], face.corner[0], d);
    sc_mat_vec(p->R, d, way);
    sc_cross(h->bodies->spin[body], way, turn);
    if (!(fabs(sc_dot(way, up)) <= slack && h->dt * fabs(sc_dot(turn, up)) <= slack)) return false;
  }
  return true;
}

/* Whether a shape that touches an edge of the holder is kept off it. */
static bool is_held_over(const sc_held *h, const sc_edge_touch *edge, double slack) {
  const sc_pair rows = h->collide->list.pair[h->pair];
  const sc_holding holding = {h, edge->first};
  const int32_t body = h->collide->poses.cache[edge->first ? rows.one : rows.two].body;
  sc_flank face[SC_MAX_FLANKS];
  const int faces = sc_faces_below(edge, slack + fabs(edge->gap), slack, face);
  for (int k = 0; k < faces; k++) {
    double back[3];
    if (fabs(sc_dot(face[k].normal, edge->way)) > level) continue;
    sc_scale(-1, face[k].normal, back);
    const double height = -sc_reach_along(edge->other, back, face[k].point);
    plane keep = {face[k].normal, fmax(height, 0) + slack};
    if (is_level(h, edge->other, body, face[k].normal, slack) &&
        sc_visit_aside(&holding, keep.height, keeps, &keep))
      return true;
  }
  return false;
}

bool sc_is_held_off(
    const sc_held *h, const sc_placed *a, const sc_placed *b, double slack, const sc_touch *touch) {
  sc_edge_touch edge[2];
  sc_edge_touches(a, b, touch, edge);
  return is_held_over(h, edge, slack) || is_held_over(h, edge + 1, slack);
}
