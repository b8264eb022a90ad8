/* Casts rays at the shapes of a world. */
#include "scree/ray.h"

#include <math.h>
#include <string.h>
#include "collide/rays/rays.h"
#include "math/vec.h"
#include "world/query/rays.h"
#include "world/bodies/rows.h"
#include "world/world.h"

/* CHUNK: rays per task of a thread. FEW: largest number of rays for which no search tree is built. MANY:
 * smallest number of rays that are sorted before they are cast. */
enum { CHUNK = 256, FEW = 8, MANY = 4096 };

typedef struct volley {
  const scree_world *world;
  const sc_ray_field *field;
  const sc_ray *ray;
  const int64_t *order;
  scree_hit *hit;
} volley;

/* Shapes that were prepared for the last rays. They are used again if no body has moved since then. */
typedef struct sc_ray_keep {
  sc_arena arena;
  sc_ray_field field;
  bool made;
  uint64_t version;
  uint32_t avoids;
  int32_t without;
  double (*position)[3], (*orientation)[4]; /* [bodies] poses when the shapes were prepared */
  double matrix[9];                         /* matrix of the cell when the shapes were prepared */
} sc_ray_keep;

static void set_hit(const volley *v, const sc_ray *ray, const sc_ray_hit *found, scree_hit *out) {
  const sc_shapes *shapes = &v->world->shapes;
  memset(out, 0, sizeof *out);
  out->shape = out->triangle = -1;
  out->distance = INFINITY;
  if (!(found->distance < INFINITY)) return;
  const int32_t row = v->field->placed[found->row].row;
  out->body = sc_bodies_id(&v->world->bodies, shapes->row[row].body);
  out->shape = (int32_t)sc_shapes_serial(shapes, row);
  out->triangle = found->triangle;
  out->distance = found->distance;
  sc_axpy(found->distance, ray->d, ray->from, out->point);
  sc_copy3(found->normal, out->normal);
}

static void cast_range(void *context, int64_t first, int64_t end) {
  const volley *v = context;
  const sc_cell *cell = v->world->bodies.cell;
  for (int64_t k = first; k < end; k++) {
    const int64_t i = v->order ? v->order[k] : k;
    sc_ray_hit hit;
    if (cell) sc_ray_cast_cell(v->field, cell, v->ray + i, &hit);
    else sc_ray_cast(v->field, v->ray + i, &hit);
    set_hit(v, v->ray + i, &hit, v->hit + i);
  }
}

/* Fails if a ray in a periodic cell is so long that it would pass through too many images of the cell. */
static scree_status check_reach(
    const sc_cell *cell, const scree_ray *ray, int64_t index, scree_error *error) {
  const double most = 1e4;
  double width[3], least = INFINITY;
  sc_cell_widths(cell, width);
  for (int k = 0; k < 3; k++)
    if (cell->periodic[k]) least = fmin(least, width[k]);
  if (ray->reach <= most * least) return SCREE_OK;
  return sc_fail(error, SCREE_E_ARGUMENT,
      "ray %lld needs a reach of at most %g m: in a periodic cell a ray may go on for ever",
      (long long)index + 1, most * least);
}

#define AT(member) offsetof(scree_ray, member)
const scree_param scree_ray_params[] = {
    {"from", SCREE_VEC3, SCREE_REQUIRED, "m", 0, 0, 0, AT(from), NULL, "where it starts"},
    {"direction", SCREE_VEC3, SCREE_REQUIRED, "", 0, 0, 0, AT(direction), NULL, "of any length"},
    SCREE_ROW_LIMIT("reach", AT(reach), "m", "how far it goes"),
};
const int scree_ray_params_count = sizeof scree_ray_params / sizeof *scree_ray_params;

static scree_status check_ray(const scree_ray *ray, int64_t index, scree_error *error) {
  bool finite = !isnan(ray->reach) && ray->reach >= 0;
  for (int k = 0; k < 3; k++) finite = finite && isfinite(ray->from[k]) && isfinite(ray->direction[k]);
  if (!finite)
    return sc_fail(error, SCREE_E_ARGUMENT, "ray %lld has a number that is not finite or a negative reach",
        (long long)index + 1);
  if (!(sc_norm(ray->direction) > 0))
    return sc_fail(
        error, SCREE_E_ARGUMENT, "the direction of ray %lld has length zero", (long long)index + 1);
  return SCREE_OK;
}

static bool is_unchanged(const scree_world *world, uint32_t avoids, int32_t without) {
  const sc_ray_keep *keep = world->query.rays;
  const sc_bodies *b = &world->bodies;
  const size_t count = (size_t)b->count;
  return keep && keep->made && keep->version == world->version && keep->avoids == avoids &&
      keep->without == without && !memcmp(keep->position, b->position, count * sizeof *b->position) &&
      !memcmp(keep->orientation, b->orientation, count * sizeof *b->orientation) &&
      (!b->cell || !memcmp(keep->matrix, b->cell->matrix, sizeof keep->matrix));
}

/* Prepares the shapes and a search tree, and stores both for later rays. avoids, without: shapes that rays
 * ignore, as in cast_rays. Returns false without memory. */
static bool keep_field(scree_world *world, uint32_t avoids, int32_t without) {
  const sc_bodies *b = &world->bodies;
  const size_t count = (size_t)b->count;
  if (!world->query.rays && !(world->query.rays = sc_alloc(sizeof *world->query.rays))) return false;
  sc_ray_keep *keep = world->query.rays;
  sc_arena_free(&keep->arena);
  *keep = (sc_ray_keep){.version = world->version, .avoids = avoids, .without = without};
  keep->position = sc_arena_take(&keep->arena, (count + 1) * sizeof *keep->position);
  keep->orientation = sc_arena_take(&keep->arena, (count + 1) * sizeof *keep->orientation);
  if (!keep->position || !keep->orientation) return false;
  memcpy(keep->position, b->position, count * sizeof *b->position);
  memcpy(keep->orientation, b->orientation, count * sizeof *b->orientation);
  if (b->cell) memcpy(keep->matrix, b->cell->matrix, sizeof keep->matrix);
  keep->made = sc_ray_field_make(b, &world->shapes, avoids, without, true, &keep->arena, &keep->field);
  return keep->made;
}

/* Computes the unit directions of rays. For MANY rays or more, also computes the order in which they are
 * cast. Returns false without memory. */
static bool prepare_rays(const scree_ray *rays, int64_t count, sc_arena *arena, volley *v) {
  sc_ray *ray = SC_TAKE(arena, sc_ray, count + 1);
  if (!ray) return false;
  for (int64_t i = 0; i < count; i++) {
    ray[i].reach = rays[i].reach;
    sc_copy3(rays[i].from, ray[i].from);
    sc_normalise(rays[i].direction, ray[i].d);
  }
  v->ray = ray;
  if (count < MANY || !v->field->bounded) return true;
  int64_t *order = SC_TAKE(arena, int64_t, count);
  v->order = order;
  return order && sc_ray_order(v->field, ray, count, arena, order);
}

static scree_status cast_rays(scree_world *world, const scree_ray *rays, int64_t count, uint32_t avoids,
    int32_t without, scree_hit *hits, scree_error *error) {
  sc_arena arena = {0};
  sc_ray_field few;
  volley v = {.world = world, .field = &few, .hit = hits};
  bool made;
  if (is_unchanged(world, avoids, without)) made = true, v.field = &world->query.rays->field;
  else if (count <= FEW)
    made = sc_ray_field_make(&world->bodies, &world->shapes, avoids, without, false, &arena, &few);
  else if ((made = keep_field(world, avoids, without))) v.field = &world->query.rays->field;
  scree_status status = SCREE_OK;
  if (!made || !prepare_rays(rays, count, &arena, &v))
    status = sc_fail(error, SCREE_E_MEMORY, "no memory to cast rays at %d shapes", world->shapes.count);
  else sc_pool_ranges(world->pool, count, CHUNK, cast_range, &v);
  sc_arena_free(&arena);
  return status;
}

scree_status scree_world_rays(scree_world *world, const scree_ray *rays, int64_t count, uint32_t avoids,
    scree_id without, scree_hit *hits, scree_error *error) {
  SC_DEMAND(world && (rays || !count) && hits, error, SCREE_E_ARGUMENT);
  scree_status status = sc_ranks_check_whole(
      world->ranks, "rays are cast", "w:find and measurements see all", error);
  int32_t row = without && status == SCREE_OK ? sc_world_row(world, without, error) : -1;
  if (without && status == SCREE_OK && row < 0) return SCREE_E_STALE;
  for (int64_t i = 0; i < count && status == SCREE_OK; i++) {
    status = check_ray(rays + i, i, error);
    if (status == SCREE_OK && world->bodies.cell)
      status = check_reach(world->bodies.cell, rays + i, i, error);
  }
  if (status != SCREE_OK) return status;
  return cast_rays(world, rays, count, avoids, row, hits, error);
}

void sc_rays_free(sc_ray_keep *rays) {
  if (!rays) return;
  sc_arena_free(&rays->arena);
  sc_free(rays);
}
