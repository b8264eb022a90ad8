/* Finds bodies that start inside walls.
 *
 * A solid wall pushes out bodies that are inside it. Two walls that are closer than the width of a body push
 * the body from both sides. Both are usually mistakes in a scene: a vessel that is solid, or a shell with two
 * surfaces. The middle of each shape of a dynamic body is therefore tested against the solid walls. Contacts
 * of the shape with faces of two-sided meshes are tested for opposite normals.
 *
 * Walls are sorted into classes by size. Each class covers twice the size of the previous class. Within a
 * class, walls are sorted by the x coordinate of their middle. A shape is then tested only against walls
 * whose middle is closer than the shape's bounding radius plus the size of the class. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "collide/collide.h"
#include "collide/touch.h"
#include "collide/rays/rays.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"
#include "model/shape/kind.h"
#include "scree/shape.h"
#include "world/world.h"
#include "world/effort.h"
#include "world/step/track.h"

/* Largest cosine of the angle between two normals that count as opposite. */
static const double against = -0.9;

/* Smallest sum of the depths in two opposite faces at which a body counts as squeezed (BETWEEN), divided by
 * half the body's width. */
static const double squeezed = 0.2;

/* Smallest depth at which a body counts as lying across a two-sided surface (ACROSS), divided by half the
 * body's width. */
static const double across = 0.5;

/* Largest number of faces that are stored per shape. */
enum { MOST_FACES = 64 };

/* Kinds of overlap between a body and walls. INSIDE: the body is in a solid wall. BETWEEN: two opposite faces
 * squeeze the body. ACROSS: the body extends across a two-sided surface. WHATS: number of kinds. */
enum { INSIDE, BETWEEN, ACROSS, WHATS };

typedef struct wall {
  sc_shape form;
  sc_placed placed; /* placed.shape points to form */
  int32_t row;      /* row of the wall's body */
  /* class by size: the half width along x is below 2^class [m]; INT32_MAX: a half-space */
  int class;
  double middle[3], half[3]; /* middle and half widths of the box in world axes [m] */
  int64_t count[WHATS];      /* number of bodies that overlap the wall, for INSIDE, BETWEEN and ACROSS */
  scree_id first[WHATS];     /* smallest id of the bodies that count[] counts, for each kind of overlap */
  int64_t seen[WHATS];       /* row of the last body in count[], for each kind of overlap; -1: none */
  /* largest depth of a body across the surface, divided by half its extent along the normal */
  double deepest;
} wall;

typedef struct start {
  const scree_world *world;
  wall *wall;
  int32_t walls;
} start;

/* ---- walls ---- */

/* Computes the box of a wall in world axes and the class of the wall. */
static void box_wall(wall *w) {
  const scree_geometry *g = w->form.geometry;
  sc_copy3(w->placed.position, w->middle);
  for (int k = 0; k < 3; k++) w->half[k] = w->form.bound;
  w->class = INT32_MAX;
  if (w->form.type == SCREE_HALFSPACE) return;
  if (g) {
    double middle[3], half[3];
    for (int k = 0; k < 3; k++)
      middle[k] = 0.5 * (g->min[k] + g->max[k]), half[k] = 0.5 * (g->max[k] - g->min[k]);
    sc_to_world(&w->placed, middle, w->middle);
    for (int k = 0; k < 3; k++)
      w->half[k] = fabs(w->placed.R[3 * k]) * half[0] + fabs(w->placed.R[3 * k + 1]) * half[1] +
          fabs(w->placed.R[3 * k + 2]) * half[2];
  }
  frexp(w->half[0], &w->class);
}

static int by_class(const void *a, const void *b) {
  const wall *u = a, *v = b;
  if (u->class != v->class) return u->class < v->class ? -1 : 1;
  if (u->middle[0] != v->middle[0]) return u->middle[0] < v->middle[0] ? -1 : 1;
  return (u->placed.row > v->placed.row) - (u->placed.row < v->placed.row);
}

static bool gather_walls(start *s) {
  const scree_world *world = s->world;
  s->wall = sc_alloc(((size_t)world->shapes.count + 1) * sizeof *s->wall);
  if (!s->wall) return false;
  for (int32_t shape = 0; shape < world->shapes.count; shape++) {
    const int32_t row = world->shapes.row[shape].body;
    if (world->bodies.kind[row] == SCREE_DYNAMIC) continue;
    wall *w = s->wall + s->walls++;
    *w = (wall){.row = row, .seen = {-1, -1, -1}};
    sc_world_place_shape(
        world, shape, world->bodies.position[row], world->bodies.orientation[row], &w->form, &w->placed);
    w->placed.row = shape;
    box_wall(w);
  }
  qsort(s->wall, (size_t)s->walls, sizeof *s->wall, by_class);
  for (int32_t k = 0; k < s->walls; k++) s->wall[k].placed.shape = &s->wall[k].form;
  return true;
}

/* ---- tests of one shape ---- */

/* A shape of a dynamic body that is tested, and the faces of two-sided meshes that it overlaps. */
typedef struct guest {
  sc_shape form;
  sc_placed placed;
  int32_t row;
  double middle[3]; /* middle of the shape in world axes [m] */
  double width;     /* half its smallest width [m] */
  int faces;
  struct {
    double normal[3], depth;
    wall *of;
  } face[MOST_FACES];
} guest;

static void count_guest(const start *s, const guest *g, wall *w, int what) {
  const scree_id id = sc_bodies_id(&s->world->bodies, g->row);
  if (w->seen[what] == g->row) return;
  w->seen[what] = g->row;
  w->count[what]++;
  if (!w->first[what] || id < w->first[what]) w->first[what] = id;
}

/* Returns true if a point lies inside a wall. For walls other than meshes, tests if a ray of length 0 at the
 * point hits the wall. */
static bool is_inside(const wall *w, const double x[3]) {
  double local[3];
  sc_ray_hit hit;
  if (w->form.type == SCREE_MESH) {
    sc_to_local(&w->placed, x, local);
    return sc_geometry_holds(w->form.geometry, local);
  }
  const sc_ray ray = {.from = {x[0], x[1], x[2]}, .d = {0, 0, 1}};
  return sc_ray_shape(&ray, &w->placed, &hit);
}

static void add_faces(guest *g, wall *w) {
  sc_touch touch[SC_MAX_TOUCHES];
  const int count = sc_narrow(&g->placed, &w->placed, 0, touch);
  for (int k = 0; k < count && g->faces < MOST_FACES; k++) {
    if (!(touch[k].gap < 0)) continue;
    sc_copy3(touch[k].normal, g->face[g->faces].normal);
    g->face[g->faces].depth = -touch[k].gap;
    g->face[g->faces++].of = w;
  }
}

static void test_wall(const start *s, guest *g, wall *w) {
  const double reach = g->form.bound;
  for (int k = 0; k < 3; k++)
    if (!(fabs(g->middle[k] - w->middle[k]) <= w->half[k] + reach)) return;
  if (!sc_world_can_touch(s->world, g->row, w->row, &g->form, &w->form)) return;
  const bool is_mesh = w->form.type == SCREE_MESH;
  if (is_mesh && !w->form.geometry->is_solid) add_faces(g, w);
  else if (is_inside(w, g->middle)) count_guest(s, g, w, INSIDE);
}

/* Returns the index of the first wall whose middle has an x coordinate of at least x. Searches the walls
 * first .. end - 1 of one class. */
static int32_t first_from(const start *s, int32_t first, int32_t end, double x) {
  while (first < end) {
    const int32_t half = first + (end - first) / 2;
    if (s->wall[half].middle[0] < x) first = half + 1;
    else end = half;
  }
  return first;
}

static int32_t end_of_class(const start *s, int32_t first) {
  int32_t end = s->walls, low = first;
  while (low < end) {
    const int32_t half = low + (end - low) / 2;
    if (s->wall[half].class <= s->wall[first].class) low = half + 1;
    else end = half;
  }
  return low;
}

static void test_walls(const start *s, guest *g) {
  for (int32_t first = 0, end; first < s->walls; first = end) {
    end = end_of_class(s, first);
    const int class = s->wall[first].class;
    const double span = class == INT32_MAX ? INFINITY : g->form.bound + ldexp(1, class);
    for (int32_t k = first_from(s, first, end, g->middle[0] - span);
         k < end && s->wall[k].middle[0] <= g->middle[0] + span; k++)
      test_wall(s, g, s->wall + k);
  }
}

/* Counts a shape that two faces push to opposite sides. Returns false if there are no two such faces. */
static bool count_between(const start *s, const guest *g) {
  for (int i = 0; i < g->faces; i++)
    for (int k = 0; k < i; k++) {
      if (sc_dot(g->face[i].normal, g->face[k].normal) > against ||
          !(g->face[i].depth + g->face[k].depth > squeezed * g->width))
        continue;
      count_guest(s, g, g->face[k].of, BETWEEN);
      return true;
    }
  return false;
}

/* Returns half the extent of a shape along a unit vector n in world axes [m]. */
static double find_half_extent(const guest *g, const double n[3]) {
  const double *R = g->placed.R;
  const sc_shape_kind *kind = sc_kind_of(&g->form);
  double d[3], back[3], far[3], near[3], size;
  for (int k = 0; k < 3; k++) d[k] = R[k] * n[0] + R[3 + k] * n[1] + R[6 + k] * n[2], back[k] = -d[k];
  kind->support(&g->form, d, far);
  kind->support(&g->form, back, near);
  return (sc_dot(far, d) + sc_dot(near, back)) / 2 + (kind->core ? kind->core(&g->form, &size) : 0);
}

/* Counts a shape for each mesh whose surface it extends across. */
static void count_across(const start *s, const guest *g) {
  for (int i = 0; i < g->faces; i++) {
    wall *of = g->face[i].of;
    const double share = g->face[i].depth / find_half_extent(g, g->face[i].normal);
    if (!(share > across)) continue;
    count_guest(s, g, of, ACROSS);
    of->deepest = fmax(of->deepest, share);
  }
}

static void test_shape(const start *s, int32_t row, int32_t shape) {
  const scree_world *world = s->world;
  guest g = {.row = row, .width = sc_world_half_width(&world->shapes, shape)};
  double middle[3];
  sc_world_place_shape(
      world, shape, world->bodies.position[row], world->bodies.orientation[row], &g.form, &g.placed);
  sc_world_find_middle(&g.form, middle);
  sc_to_world(&g.placed, middle, g.middle);
  test_walls(s, &g);
  if (!count_between(s, &g)) count_across(s, &g);
}

/* ---- notes for the user ---- */

static int by_wall(const void *a, const void *b) {
  const scree_start_note *m = a, *n = b;
  if (m->wall != n->wall) return m->wall < n->wall ? -1 : 1;
  return (m->what > n->what) - (m->what < n->what);
}

/* Writes the notes of all walls to `out` and returns their number. `out` must have space for four notes per
 * wall. */
static int64_t write_notes(const start *s, scree_start_note *out) {
  static const int kinds[WHATS] = {SCREE_START_INSIDE, SCREE_START_BETWEEN, SCREE_START_ACROSS};
  int64_t count = 0;
  for (int32_t k = 0; k < s->walls; k++) {
    const wall *w = s->wall + k;
    const scree_geometry *g = w->form.geometry;
    const scree_start_note note = {
        .wall = sc_bodies_id(&s->world->bodies, w->row), .type = w->form.type, .what = SCREE_START_INSIDE};
    scree_start_note *n = out + count;
    for (int what = 0; what < WHATS; what++) {
      if (!w->count[what]) continue;
      *n = note, n->what = kinds[what], n->count = w->count[what], n->first = w->first[what];
      if (what == ACROSS) n->depth = w->deepest;
      n = out + ++count;
    }
    if (g && g->type == SCREE_MESH && g->is_solid && g->turned) {
      *n = note, n->what = SCREE_START_TURNED, n->count = g->turned, n->of = g->triangles;
      count++;
    }
  }
  qsort(out, (size_t)count, sizeof *out, by_wall);
  return count;
}

scree_status scree_world_start_notes(
    const scree_world *world, scree_start_note *out, int most, int64_t *count, scree_error *error) {
  SC_DEMAND(world && count && (out || most <= 0), error, SCREE_E_ARGUMENT);
  start s = {.world = world};
  const sc_bodies *bodies = &world->bodies;
  *count = 0;
  scree_start_note *all = NULL;
  if (gather_walls(&s)) all = sc_alloc(4 * ((size_t)s.walls + 1) * sizeof *all);
  for (int32_t row = 0; all && s.walls && row < bodies->count; row++) {
    if (bodies->kind[row] != SCREE_DYNAMIC || !sc_bodies_own(bodies, row)) continue;
    for (int32_t shape = bodies->first_shape[row]; shape >= 0; shape = world->shapes.row[shape].next)
      test_shape(&s, row, shape);
  }
  if (all) {
    *count = write_notes(&s, all);
    for (int k = 0; k < most && k < *count; k++) out[k] = all[k];
  }
  const bool ok = all != NULL;
  sc_free(all);
  sc_free(s.wall);
  return ok ? SCREE_OK
            : sc_fail(error, SCREE_E_MEMORY, "no memory to look at %d shapes before the first step",
                  world->shapes.count);
}

/* Writes "'NAME'" or, for a body without a name, "of body ID" to text. */
static void name_body(const scree_world *world, scree_id id, char *text, size_t size) {
  scree_body_state state;
  if (!scree_world_get(world, id, &state, NULL) && state.name) snprintf(text, size, "'%.80s'", state.name);
  else snprintf(text, size, "of body %llu", (unsigned long long)id);
}

/* Writes the name or id of a body and its position to text. */
static void name_first(const scree_world *world, scree_id id, char *text, size_t size) {
  scree_body_state state;
  char name[112];
  if (scree_world_get(world, id, &state, NULL)) {
    snprintf(text, size, "body %llu", (unsigned long long)id);
    return;
  }
  if (state.name) snprintf(name, sizeof name, "'%.80s'", state.name);
  else snprintf(name, sizeof name, "body %llu", (unsigned long long)id);
  snprintf(
      text, size, "%s at (%.4g, %.4g, %.4g)", name, state.position[0], state.position[1], state.position[2]);
}

void scree_start_note_text(const scree_world *world, const scree_start_note *note, char *text, size_t size) {
  SC_DEMAND(world && note && text && size, NULL, );
  char name[112], grains[64], first[192];
  const scree_shape_kind *kind = scree_shape_kind_at(note->type);
  const char *type = kind ? kind->name : "wall";
  name_body(world, note->wall, name, sizeof name);
  name_first(world, note->first, first, sizeof first);
  snprintf(grains, sizeof grains, "%lld %s", (long long)note->count,
      note->count == 1 ? "grain starts" : "grains start");
  if (note->what == SCREE_START_TURNED)
    snprintf(text, size, "%lld of %lld triangles of the solid mesh %s were turned to look outwards",
        (long long)note->count, (long long)note->of, name);
  else if (note->what == SCREE_START_BETWEEN)
    snprintf(text, size,
        "%s between faces of the mesh %s, or of meshes beside it, that are closer than a grain is wide; a "
        "wall needs one surface (first: %s)",
        grains, name, first);
  else if (note->what == SCREE_START_ACROSS)
    snprintf(text, size,
        "%s across the surface of the mesh %s, the deepest by %.2g of half its width: the surface pushes "
        "such grains to either side (first: %s)",
        grains, name, note->depth, first);
  else if (note->type == SCREE_MESH)
    snprintf(text, size, "%s inside the solid mesh %s; without solid = true it would be a wall (first: %s)",
        grains, name, first);
  else
    snprintf(text, size, "%s inside the %s %s, which is solid and pushes out what is inside (first: %s)",
        grains, type, name, first);
}
