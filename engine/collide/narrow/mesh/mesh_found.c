/* Collects the touches of a convex shape with the triangles of a mesh. It corrects normals at edges that
 * the shape cannot touch, and drops touches that repeat another touch. */
#include "collide/narrow/mesh/mesh.h"
#include "collide/narrow/convex/clip_polygon.h"

/* Returns the part of a triangle that a point lies on. 0: inside. 1 to 3: edge after corner 0 to 2.
 * 4 to 6: corner 0 to 2. */
static int part_of(const double corner[3][3], const double p[3]) {
  double area[3], e[3], f[3], c[3], n[3], whole;
  sc_sub(corner[1], corner[0], e);
  sc_sub(corner[2], corner[0], f);
  sc_cross(e, f, n);
  whole = sc_dot(n, n);
  int zero = 0, last = 0, first = 0;
  for (int k = 0; k < 3; k++) {
    sc_sub(corner[(k + 1) % 3], p, e);
    sc_sub(corner[(k + 2) % 3], p, f);
    sc_cross(e, f, c);
    area[k] = sc_dot(c, n) / whole;
    if (area[k] < 1e-6) zero++, last = k;
    else first = k;
  }
  if (zero == 0) return 0;
  if (zero == 1) return 1 + (last + 1) % 3;
  return 4 + first;
}

static double height_over(const scree_geometry *g, int32_t t, const double x[3]) {
  double d[3];
  sc_sub(x, g->point[g->triangle[t][0]], d);
  return sc_dot(d, g->normal[t]);
}

/* Returns whether point x and the third corner of the triangle across edge k lie on the same side of triangle
 * t. */
static bool is_on_rising_side(const scree_geometry *g, int32_t t, int k, const double x[3]) {
  const double height = height_over(g, t, x);
  return g->fold[t] >> k & 1 ? height > 0 : height < 0;
}

/* Returns whether a point lies in the hollow between the two faces at an edge of a wall. */
static bool is_in_fold(const scree_geometry *g, int32_t t, int k, const double x[3]) {
  const int32_t other = g->across[t][k];
  if (other < 0 || !is_on_rising_side(g, t, k, x)) return false;
  for (int m = 0; m < 3; m++)
    if (g->across[other][m] == t) return is_on_rising_side(g, other, m, x);
  return false;
}

/* Returns whether a touch of a shape with part `part` of a triangle can have another normal than the
 * triangle. x: middle of the shape. */
static bool is_sharp(const scree_geometry *g, int32_t t, int part, const double x[3]) {
  if (part == 0) return true;
  if (!(g->sharp[t] >> (part - 1) & 1)) return false;
  if (g->is_solid) return true;
  if (part < 4) return !is_in_fold(g, t, part - 1, x);
  /* a corner: test both edges of the triangle at this corner */
  const int k = part - 4;
  const int edge[2] = {k, (k + 2) % 3};
  bool folded = false;
  for (int e = 0; e < 2; e++) {
    if (!(g->sharp[t] >> edge[e] & 1)) continue;
    if (!is_in_fold(g, t, edge[e], x)) return true;
    folded = true;
  }
  return !folded;
}

bool sc_mesh_correct_normal(const scree_geometry *g, int32_t t, const double corner[3][3],
    const double face[3], const double inside[3], sc_nearest *nearest, sc_correction *correction) {
  const int part = part_of(corner, nearest->b);
  const double along = sc_dot(nearest->normal, face);
  const bool sharp = is_sharp(g, t, part, inside), behind = height_over(g, t, inside) < 0;
  double side = 1;
  *correction = SC_KEPT;
  if (g->is_solid) {
    if (along < 0 && nearest->distance > 0) return false;
    if (along > 0 && sharp && part) return true;
  } else {
    if (part || nearest->distance <= 0 ? behind : along < 0) side = -1;
    if (sharp && part) return true;
  }
  if (side * along < 1 - 1e-9)
    *correction = !g->is_solid || (part && !sharp && along > 0) ? SC_FLATTENED : SC_TURNED;
  sc_scale(side, face, nearest->normal);
  return true;
}

/* Drops touches with a gap below `min`. Returns the number of touches that remain. If a shape can leave a
 * triangle sideways over a short distance, it came in through the adjacent triangle. The adjacent triangle
 * then has the better touch, because the depth below the plane of the first triangle has no meaning. */
static int drop_implausible(sc_touch *touch, int count, double min) {
  int kept = 0;
  for (int k = 0; k < count; k++)
    if (touch[k].gap >= min) touch[kept++] = touch[k];
  return kept;
}

/* Returns the place of a triangle's touch on the mesh, computed from its feature id. */
static sc_mesh_place find_place(const scree_geometry *g, int32_t t, uint32_t feature) {
  const uint32_t id = feature & 0xffff, face = feature >> 24, own = id >> 8, k = id & 0x3f;
  const bool corner = (id & ~0x3fu) == (SC_ID_CORNER | SC_ID_SECOND),
             crossing = (id & (SC_ID_CORNER | SC_ID_SECOND)) == SC_ID_SECOND && !(own & SC_ID_SECOND);
  if (!corner && !crossing) return (sc_mesh_place){.p = -1, .id = (uint16_t)id};
  const int32_t p = g->triangle[t][k], q = corner ? p : g->triangle[t][(k + 1) % 3];
  return (sc_mesh_place){p < q ? p : q, p < q ? q : p, corner ? face : face << 8 | own, (uint16_t)id};
}

static bool is_one_place(const sc_mesh_place *a, const sc_mesh_place *b) {
  return a->p >= 0 && a->p == b->p && a->q == b->q && a->own == b->own;
}

static bool is_repeated(const sc_touch *a, const sc_touch *b, double near) {
  double d[3];
  sc_sub(a->point, b->point, d);
  return sc_dot(d, d) <= near * near && sc_dot(a->normal, b->normal) > 0.999;
}

/* Replaces a touch by another touch. The feature id of the old touch remains, so that the contact inherits
 * its impulse while bodies move. */
static void replace_touch(sc_touch *old, const sc_touch *with) {
  const uint32_t feature = old->feature;
  *old = *with;
  old->feature = feature;
}

/* Returns whether a touch replaces the touch `old` that it repeats. The deeper touch stays. If both are
 * equally deep, a touch at a corner of the shape stays. */
static bool is_replaced(const sc_touch *old, const sc_touch *with, const sc_mesh_place *old_place,
    const sc_mesh_place *place, double near) {
  const bool mine = sc_is_own_corner(place->id), its = sc_is_own_corner(old_place->id);
  if (mine != its && fabs(with->gap - old->gap) <= near) return mine;
  return with->gap < old->gap;
}

/* Returns whether a touch repeats a touch that was found before. Touches on an edge or corner that two
 * triangles share repeat each other. The touch with the smaller absolute gap then stays, because its normal
 * is nearest to the true normal. In a hollow fold both touches stay. If touches repeat each other elsewhere,
 * the deeper touch stays. */
static bool is_repeated_touch(
    sc_crossing *m, const sc_touch *touch, const sc_mesh_place *place, sc_correction correction) {
  const double near = 1e-5 * (m->shape->size + m->shape->radius);
  for (int i = 0; i < m->count; i++) {
    sc_touch *other = m->found + i;
    const bool folded = correction == SC_FLATTENED && sc_dot(touch->normal, other->normal) < 0.99;
    const bool one = !folded && is_one_place(m->place + i, place);
    if (!one && !is_repeated(other, touch, near)) continue;
    if (one ? fabs(touch->gap) < fabs(other->gap) : is_replaced(other, touch, m->place + i, place, near)) {
      replace_touch(other, touch);
      m->place[i].id = place->id;
    }
    return true;
  }
  return false;
}

static void thin_out_found(sc_crossing *m) {
  if (m->count < SC_MESH_FOUND) return;
  m->count = sc_drop_redundant(m->found, m->count, m->shape->size);
  m->count = sc_thin_out(m->found, m->count, SC_MESH_FOUND / 2);
  for (int k = 0; k < m->count; k++) m->place[k] = (sc_mesh_place){.p = -1, .id = SC_ID_CORNER};
}

void sc_mesh_add(
    sc_crossing *m, int32_t t, sc_correction correction, double depth, sc_touch *touch, int count) {
  if (correction == SC_TURNED)
    count = drop_implausible(touch, count, 2 * fmin(0, depth) - 1e-9 * m->shape->size);
  for (int k = 0; k < count; k++) {
    const sc_mesh_place place = find_place(m->mesh->shape->geometry, t, touch[k].feature);
    touch[k].triangle = t;
    touch[k].feature = sc_mesh_feature_id(t, touch[k].feature);
    if (is_repeated_touch(m, touch + k, &place, correction)) continue;
    thin_out_found(m);
    m->place[m->count] = place;
    m->found[m->count++] = touch[k];
  }
}

/* Returns whether at least three other touches have the normal of a touch between nearest points. One of
 * these touches must be as deep as the touch. */
static bool is_supported_without(const sc_crossing *m, const sc_touch *touch, double tolerance) {
  int like = 0;
  bool near = false;
  for (int k = 0; k < m->count; k++) {
    const sc_touch *other = m->found + k;
    if (m->place[k].id == SC_ID_NEAREST || sc_dot(other->normal, touch->normal) < 1 - 1e-9) continue;
    near = near || other->gap <= touch->gap + tolerance;
    like++;
  }
  return near && like >= 3;
}

void sc_mesh_drop_slivers(sc_crossing *m) {
  const double tolerance = 1e-7 * m->shape->size;
  int kept = 0;
  for (int k = 0; k < m->count; k++) {
    if (m->place[k].id == SC_ID_NEAREST && is_supported_without(m, m->found + k, tolerance)) continue;
    m->place[kept] = m->place[k], m->found[kept++] = m->found[k];
  }
  m->count = kept;
}
