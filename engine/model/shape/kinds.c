/* The table of kinds of shapes, and functions for all kinds. */
#include "model/mass.h"
#include "model/shape/kind.h"

#define DECLARE(upper, name) extern const sc_shape_kind sc_kind_##name;
SCREE_SHAPE_LIST(DECLARE)
#define ENTER(upper, name) [SCREE_##upper] = &sc_kind_##name,
const sc_shape_kind *const sc_shape_kinds[SCREE_SHAPE_TYPES] = {SCREE_SHAPE_LIST(ENTER)};

const scree_shape_kind *scree_shape_kind_at(int type) {
  return type >= 0 && type < SCREE_SHAPE_TYPES ? &sc_shape_kinds[type]->about : NULL;
}

int sc_shape_mass(const sc_shape *shape, double density, double *mass, double centre[3], double inertia[6]) {
  const sc_shape_kind *kind = sc_kind_of(shape);
  sc_mass own = kind->mass ? kind->mass(shape, density) : (sc_mass){0},
          moved = sc_mass_moved(&own, shape->position, shape->orientation);
  if (!(own.mass > 0)) moved = (sc_mass){0};
  *mass = moved.mass;
  sc_copy3(moved.centre, centre);
  memcpy(inertia, moved.inertia, sizeof moved.inertia);
  return own.mass > 0;
}

double sc_shape_bound(const sc_shape *shape) { return sc_kind_of(shape)->bound(shape); }

void sc_shape_box(const sc_shape *shape, double middle[3], double half[3]) {
  sc_set3(0, 0, 0, middle);
  sc_kind_of(shape)->box(shape, middle, half);
}

bool sc_shape_of_info(const scree_shape_info *info, sc_shape *out) {
  if (info->type < 0 || info->type >= SCREE_SHAPE_TYPES) return false;
  *out = (sc_shape){.type = info->type,
      .material = info->material,
      .radius = info->radius,
      .half = info->length / 2,
      .orientation = {1, 0, 0, 0},
      .geometry = info->geometry};
  sc_scale(0.5, info->size, out->extent);
  memcpy(out->own, info->own, sizeof out->own);
  // a hull or mesh without geometry comes from a damaged file; it is not drawn
  if ((sc_kind_of(out)->about.flags & SCREE_SHAPE_GEOMETRY) && !info->geometry) return false;
  out->bound = sc_shape_bound(out);
  return true;
}

void sc_shape_sizes(const sc_shape *shape, scree_shape_def *out) {
  *out = (scree_shape_def){.type = shape->type,
      .radius = shape->radius,
      .length = 2 * shape->half,
      .normal = {0, 0, 1},
      .orientation = {1, 0, 0, 0},
      .geometry = shape->geometry};
  sc_scale(2, shape->extent, out->size);
  memcpy(out->own, shape->own, sizeof out->own);
}

scree_status sc_shape_check(const scree_shape_def *def, scree_error *error) {
  const scree_shape_kind *kind = scree_shape_kind_at(def->type);
  if (!kind) return sc_fail(error, SCREE_E_ARGUMENT, "unknown shape type %d", def->type);
  const scree_status status = scree_param_check_all(kind->params, kind->params_count, def, "", error);
  if (status != SCREE_OK) return status;
  if ((kind->flags & SCREE_SHAPE_GEOMETRY) && !def->geometry)
    return sc_fail(error, SCREE_E_ARGUMENT, "a hull or mesh needs a geometry");
  return SCREE_OK;
}

double scree_shape_volume(const scree_shape_info *info) {
  SC_DEMAND(info, NULL, 0);
  sc_shape shape;
  if (!sc_shape_of_info(info, &shape) || !sc_kind_of(&shape)->mass) return INFINITY;
  double volume = sc_kind_of(&shape)->mass(&shape, 1).mass;
  return volume > 0 ? volume : INFINITY;
}

int scree_shape_support(const scree_shape_info *info, const double direction[3], double out[3]) {
  SC_DEMAND(info && direction && out, NULL, 0);
  sc_shape shape;
  double size;
  sc_set3(0, 0, 0, out);
  if (!sc_shape_of_info(info, &shape) || !(sc_kind_of(&shape)->about.flags & SCREE_SHAPE_CONVEX)) return 0;
  const sc_shape_kind *kind = sc_kind_of(&shape);
  kind->support(&shape, direction, out);
  double radius = kind->core ? kind->core(&shape, &size) : 0, length = sc_norm(direction);
  if (radius > 0 && length > 0) sc_axpy(radius / length, direction, out, out);
  return 1;
}

bool sc_shape_draw(const scree_shape_info *info, int sides,
    void (*put)(void *to, const double a[3], const double b[3], const double c[3]), void *to) {
  SC_ASSERT(info && put && sides % 4 == 0 && sides <= 48);
  sc_shape shape;
  if (!sc_shape_of_info(info, &shape) || !sc_kind_of(&shape)->triangles) return false;
  sc_kind_of(&shape)->triangles(&shape, &(sc_triangle_sink){put, to, sides});
  return true;
}

int scree_shape_triangles(const scree_shape_info *info,
    void (*put)(void *to, const double a[3], const double b[3], const double c[3]), void *to) {
  SC_DEMAND(info && put, NULL, 0);
  return sc_shape_draw(info, 0, put, to);
}
