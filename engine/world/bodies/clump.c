/* Clump templates: bodies of several shapes. The shapes and mass of a clump are computed once. New bodies
 * copy them, scaled to any size. */
#include "math/elementary.h"
#include "math/vec.h"
#include "world/bodies/weigh.h"

static scree_status weigh_template(const scree_world *world, const scree_body_def *def,
    const sc_shape *shapes, scree_clump *out, double centre[3], scree_error *error) {
  sc_mass sum;
  scree_status status = sc_world_sum_mass(world, def, shapes, &sum, error);
  if (status != SCREE_OK) return status;
  const double share = def->mass > 0 ? def->mass / sum.mass : 1;
  out->mass = def->mass > 0 ? def->mass : sum.mass;
  for (int k = 0; k < 6; k++)
    out->inertia[k] = sc_any6(def->inertia) ? def->inertia[k] : sum.inertia[k] * share;
  sc_copy3(def->has_centre ? def->centre : sum.centre, centre);
  return SCREE_OK;
}

static scree_status make_clump(const scree_world *world, const scree_body_def *def, sc_shape *shapes,
    scree_shape_def *moved, scree_clump *out, scree_error *error) {
  const int count = def->shapes_count;
  double volume = 0;
  for (int i = 0; i < count; i++) sc_world_make_shape(def->shapes + i, (uint32_t)i, shapes + i);
  scree_status status = weigh_template(world, def, shapes, out, out->centre, error);
  if (status == SCREE_OK && !(out->diameter > 0)) {
    status = sc_world_sum_volume(shapes, count, &volume, error);
    out->diameter = sc_pow(6 / 3.14159265358979323846 * volume, 1.0 / 3);
  }
  for (int i = 0; i < count; i++) {
    sc_sub(shapes[i].position, out->centre, shapes[i].position);
    moved[i] = def->shapes[i];
    sc_copy3(shapes[i].position, moved[i].position);
  }
  out->shapes = moved, out->shapes_count = count;
  out->radius = sc_world_reach(shapes, count);
  return status;
}

scree_status scree_world_make_clump(const scree_world *world, const scree_body_def *def, double diameter,
    scree_shape_def *moved, scree_clump *out, scree_error *error) {
  SC_DEMAND(world && def && (def->shapes || def->shapes_count <= 0) && moved && out, error, SCREE_E_ARGUMENT);
  *out = (scree_clump){.diameter = diameter};
  if (def->shapes_count < 1) return sc_fail(error, SCREE_E_ARGUMENT, "a template needs at least one shape");
  scree_status status = sc_world_check_body(world, def, error);
  if (status != SCREE_OK) return status;
  sc_shape *shapes = sc_alloc((size_t)def->shapes_count * sizeof *shapes);
  if (!shapes) return sc_fail(error, SCREE_E_MEMORY, "no memory for a template");
  status = make_clump(world, def, shapes, moved, out, error);
  sc_free(shapes);
  return status;
}

void scree_clump_scale(
    const scree_clump *clump, double scale, scree_shape_def *shapes, scree_body_def *body) {
  SC_DEMAND(clump && body, NULL, );
  const double cube = scale * scale * scale;
  for (int i = 0; i < clump->shapes_count; i++) {
    shapes[i] = clump->shapes[i];
    shapes[i].radius *= scale, shapes[i].length *= scale;
    sc_scale(scale, shapes[i].size, shapes[i].size);
    sc_scale(scale, shapes[i].position, shapes[i].position);
  }
  body->shapes = shapes, body->shapes_count = clump->shapes_count;
  body->mass = clump->mass * cube;
  for (int k = 0; k < 6; k++) body->inertia[k] = clump->inertia[k] * cube * scale * scale;
  sc_set3(0, 0, 0, body->centre);
  body->has_centre = 1;
}
