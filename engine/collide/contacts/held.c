/* Shapes that another touch keeps off an edge. An example is a ball that falls on tiles beside a slit.
 *
 * The narrow phase measures each gap as if no other shape were near. A ball comes down on one tile and
 * moves towards the next tile. Without the first tile, the ball would fall below the edge of the next tile
 * within the step. This edge would stop the ball or throw it back. But the first tile carries the ball, so
 * the ball never comes below the edge.
 *
 * The search tests the faces beside the edge. A shape above the plane of a face must cross this plane to
 * meet the edge. If another touch of the shape's body prevents the crossing, the shape does not meet the
 * edge. The other touch must be with the holder of the face, or with a body that moves as one with the
 * holder. */
#include "collide/contacts/held.h"
#include "collide/contacts/aside.h"
#include "math/vec.h"

static const double level = 1 - 1e-6; /* normals with a larger cosine count as parallel */

/* A plane that a body must stay above, with the height up to which touches count [m]. */
typedef struct plane {
  const double *up;
  double height;
} plane;

/* Returns whether a touch of a pair stops the held body before it moves down by more than the height. */
static bool keeps(void *context, const sc_aside *aside) {
  const plane *p = context;
  const double side = aside->first ? 1 : -1;
  sc_touch touch[SC_MAX_TOUCHES];
  const int count = sc_narrow(aside->one, aside->two, p->height, touch);
  for (int k = 0; k < count; k++)
    if (side * sc_dot(touch[k].normal, p->up) >= level) return true;
  return false;
}

/* Returns whether the lowest face or edge of a shape stays parallel to a plane until the end of the step.
 * A tilted shape turns about the touch that carries it, so it may come lower. */
static bool is_level(const sc_held *h, const sc_placed *p, int32_t body, const double up[3], double slack) {
  const sc_shape_kind *kind = sc_kind_of(p->shape);
  double down[3], turn[3];
  sc_face face = {0};
  if (p->shape->type == SCREE_SPHERE) /* the ball's centre turns about its body's centre */
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

/* Returns whether another touch keeps a shape off the edge of the holder that it touches. */
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
  sc_edge_touch edge;
  return (sc_see_edge(a, b, touch, true, &edge) && is_held_over(h, &edge, slack)) ||
      (sc_see_edge(a, b, touch, false, &edge) && is_held_over(h, &edge, slack));
}
