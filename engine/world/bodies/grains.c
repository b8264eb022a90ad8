/* Adds bodies for rows of grains (scree/grains.h). A row without a clump number becomes a ball. All rows with
 * the same clump number become one clump. */
#include <math.h>
#include <stdlib.h>
#include "base/base.h"
#include "math/vec.h"
#include "scree/fill.h"
#include "scree/grains.h"
#include "world/world.h"

#define AT(member) offsetof(scree_grains_place, member)
const scree_param scree_grains_place_params[] = {
    SCREE_ROW_POSITIVE(
        "density", AT(density), "kg/m3", 0, "of all grains, instead of the file's or the material's"),
    SCREE_ROW_VALUE("material", "", "name of a material"),
    SCREE_ROW_VALUE(
        "materials", "", "materials of types: a list for types 1, 2, ..., or by the file's names of types"),
    SCREE_ROW_INTEGER(
        "group", AT(group), 0, 0, 0, "of all grains; without it the file's group, else its type"),
    SCREE_ROW_VALUE("ids", "", "name of the column of the world for the file's ids; false: none"),
    SCREE_ROW_VALUE("layer", "", "layer of the grains, 1 to 32, or a list of them"),
    SCREE_ROW_VALUE("avoids", "", "layers that they do not touch"),
    SCREE_ROW_BOOLEAN(
        "shrink", AT(shrink), "multiplies all radii by the factor with which no grains overlap"),
    SCREE_ROW_BOOLEAN("relax", AT(relax),
        "moves overlapping grains apart at the same mean height, and shrinks what is left"),
};
const int scree_grains_place_params_count = sizeof scree_grains_place_params /
    sizeof *scree_grains_place_params;

typedef struct clump_row {
  int64_t clump, row;
} clump_row;

static int compare_rows(const void *a, const void *b) {
  const clump_row *x = a, *y = b;
  return x->clump != y->clump ? (x->clump > y->clump) - (x->clump < y->clump)
                              : (x->row > y->row) - (x->row < y->row);
}

/* State of the call that adds bodies. */
typedef struct maker {
  scree_world *world;
  const scree_grain *row;
  const scree_grains_place *place;
  const scree_grains_info *info;
  scree_cell cell;
  bool has_cell;
  clump_row *list; /* [listed] rows of clumps, sorted by clump */
  int64_t listed;
  /* [count] index in `list` of the first row of the clump to which row i belongs; -1: row i has no clump */
  int64_t *begin;
  scree_shape_def *shape,
      /* [most] shapes of one clump. `shape`: relative to its first ball; `moved`: relative to its centre of
       * mass */
      *moved;
  scree_id *body;
  int64_t made;
  scree_error *error;
} maker;

static bool list_clumps(maker *m, int64_t count, size_t *most) {
  m->begin = sc_alloc(((size_t)count + 1) * sizeof *m->begin);
  m->list = sc_alloc(((size_t)count + 1) * sizeof *m->list);
  if (!m->begin || !m->list) return false;
  for (int64_t i = 0; i < count; i++) {
    m->begin[i] = -1;
    if (m->row[i].clump > 0) m->list[m->listed++] = (clump_row){m->row[i].clump, i};
  }
  qsort(m->list, (size_t)m->listed, sizeof *m->list, compare_rows);
  *most = 1;
  for (int64_t k = 0, first = 0; k < m->listed; k++) {
    if (m->list[k].clump != m->list[first].clump) first = k;
    m->begin[m->list[k].row] = first;
    if ((size_t)(k - first + 1) > *most) *most = (size_t)(k - first + 1);
  }
  m->shape = sc_alloc(*most * sizeof *m->shape), m->moved = sc_alloc(*most * sizeof *m->moved);
  return m->shape && m->moved;
}

static scree_shape_def make_ball(const maker *m, const scree_grain *g) {
  const scree_grains_place *p = m->place;
  scree_shape_def shape = scree_shape_defaults();
  shape.type = SCREE_SPHERE;
  shape.radius = g->radius;
  shape.density = p->density > 0 ? p->density : g->density;
  shape.material = p->material && g->type >= 1 && g->type <= p->materials ? p->material[g->type - 1]
                                                                          : p->otherwise;
  shape.layers = p->layers, shape.avoids = p->avoids;
  return shape;
}

static scree_body_def make_body(const maker *m, const scree_grain *g) {
  const uint32_t found = m->info->found;
  scree_body_def body = scree_body_defaults();
  body.kind = g->is_fixed ? SCREE_FIXED : SCREE_DYNAMIC;
  sc_copy3(g->position, body.position);
  for (int k = 0; k < 4; k++) body.orientation[k] = g->orientation[k];
  if (!g->is_fixed) sc_copy3(g->velocity, body.velocity), sc_copy3(g->spin, body.spin);
  body.group = m->place->has_group     ? m->place->group
      : found >> SCREE_GRAIN_GROUP & 1 ? g->group
      : found >> SCREE_GRAIN_TYPE & 1  ? g->type
                                       : 0;
  return body;
}

static bool has_mass(const maker *m, const scree_grain *g) {
  return g->mass > 0 && !(m->place->density > 0) && !g->is_fixed;
}

static bool add_grain_ball(maker *m, int64_t i) {
  const scree_grain *g = m->row + i;
  const scree_shape_def shape = make_ball(m, g);
  scree_body_def body = make_body(m, g);
  if (has_mass(m, g)) body.mass = g->mass;
  body.shapes = &shape, body.shapes_count = 1;
  m->body[i] = scree_world_add(m->world, &body, m->error);
  m->made += m->body[i] != 0;
  return m->body[i] != 0;
}

/* Sets `out` to the position of row g relative to the first row of its clump [m]. In a periodic cell uses the
 * nearest image. */
static void find_offset(const maker *m, const scree_grain *first, const scree_grain *g, double out[3]) {
  sc_sub(g->position, first->position, out);
  if (!m->has_cell) return;
  double n[3];
  for (int k = 0; k < 3; k++) {
    const double *inverse = m->cell.inverse + 3 * k;
    n[k] = m->cell.periodic[k] ? floor(sc_dot(inverse, out) + 0.5) : 0;
  }
  for (int k = 0; k < 3; k++) out[k] -= sc_dot(m->cell.matrix + 3 * k, n);
}

/* Computes mass, inertia and centre of mass of a clump and stores them in *body. Computes the velocity of the
 * centre of mass from the motion of the clump's first ball. */
static bool weigh_clump(const maker *m, const scree_grain *first, scree_body_def *body) {
  scree_clump clump;
  double arm[3], turn[3];
  if (scree_world_make_clump(m->world, body, 0, m->moved, &clump, m->error)) return false;
  body->mass = clump.mass, body->has_centre = 1;
  for (int k = 0; k < 6; k++) body->inertia[k] = clump.inertia[k];
  sc_copy3(clump.centre, body->centre);
  sc_copy3(clump.centre, arm);
  sc_cross(first->spin, arm, turn);
  for (int k = 0; k < 3; k++) body->velocity[k] = first->velocity[k] + turn[k];
  return true;
}

/* Refuses rows of a clump that differ in size and not in mass: LIGGGHTS writes the mass of the whole clump
 * into every row, so their sum would be wrong. */
static bool check_masses(const maker *m, const scree_grain *first, int64_t begin, int count) {
  bool alike = count > 1, sized = false;
  for (int64_t k = begin; k < begin + count; k++) {
    const scree_grain *g = m->row + m->list[k].row;
    alike = alike && g->mass == first->mass, sized = sized || g->radius != first->radius;
  }
  if (!alike || !sized) return true;
  sc_fail(m->error, SCREE_E_ARGUMENT,
      "clump %lld: its %d rows differ in size, but all have the mass %.6g kg; LIGGGHTS writes the mass of "
      "the "
      "clump into every row: give density, or leave the mass out (columns = { mass = false })",
      (long long)first->clump, count, first->mass);
  return false;
}

/* Adds the clump whose first row is i. */
static bool add_clump(maker *m, int64_t i) {
  const scree_grain *first = m->row + i;
  scree_body_def body = make_body(m, first);
  int count = 0;
  bool weighed = true;
  /* The orientation is the identity, because the positions of rows are in world axes. */
  body.orientation[0] = 1, body.orientation[1] = body.orientation[2] = body.orientation[3] = 0;
  for (int64_t k = m->begin[i]; k < m->listed && m->list[k].clump == first->clump; k++) {
    const scree_grain *g = m->row + m->list[k].row;
    m->shape[count] = make_ball(m, g);
    find_offset(m, first, g, m->shape[count++].position);
    weighed = weighed && has_mass(m, g);
    body.mass += g->mass;
  }
  if (weighed && !check_masses(m, first, m->begin[i], count)) return false;
  if (!weighed) body.mass = 0;
  body.shapes = m->shape, body.shapes_count = count;
  if (!first->is_fixed && !weigh_clump(m, first, &body)) return false;
  const scree_id id = scree_world_add(m->world, &body, m->error);
  if (!id) return false;
  m->made++;
  for (int64_t k = m->begin[i]; k < m->begin[i] + count; k++) m->body[m->list[k].row] = id;
  return true;
}

static void remove_all(const maker *m, int64_t rows) {
  for (int64_t i = 0; i < rows; i++)
    if (m->body[i] && scree_world_alive(m->world, m->body[i])) scree_world_remove(m->world, m->body[i], NULL);
}

int64_t scree_world_add_grains(scree_world *world, const scree_grains *grains,
    const scree_grains_place *place, scree_id *body, scree_error *error) {
  SC_DEMAND(world && grains && place && body, error, -1);
  if (scree_param_check_all(
          scree_grains_place_params, scree_grains_place_params_count, place, "read_grains", error))
    return -1;
  scree_grains_info info;
  size_t most;
  scree_error own = {SCREE_OK, ""};
  scree_grains_get_info(grains, &info);
  maker m = {.world = world,
      .row = scree_grains_rows((scree_grains *)grains),
      .place = place,
      .info = &info,
      .body = body,
      .error = &own};
  m.has_cell = scree_world_get_cell(world, &m.cell);
  for (int64_t i = 0; i < info.count; i++) body[i] = 0;
  bool fine = list_clumps(&m, info.count, &most);
  if (!fine) sc_fail(error, SCREE_E_MEMORY, "no memory for %lld grains", (long long)info.count);
  for (int64_t i = 0; i < info.count && fine; i++) {
    if (m.body[i]) continue; /* the row belongs to a clump that has been added */
    fine = m.begin[i] < 0 ? add_grain_ball(&m, i) : add_clump(&m, i);
    if (!fine) sc_fail(error, own.status, "row %lld: %s", (long long)i + 1, own.text);
  }
  if (!fine) remove_all(&m, info.count);
  sc_free(m.begin), sc_free(m.list), sc_free(m.shape), sc_free(m.moved);
  return fine ? m.made : -1;
}
