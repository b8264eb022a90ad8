/* Rays through a world. */
#include "scree/ray.h"

#include <math.h>
#include <string.h>
#include "collide/rays.h"
#include "math/vec.h"
#include "world/world.h"

enum { CHUNK = 256, FEW = 8 }; /* rays that are not worth a tree */

typedef struct volley {
  const scree_world *world;
  const sc_ray_field *field;
  const scree_ray *ray;
  scree_hit *hit;
} volley;

static void tell(const scree_world *world, const sc_ray *ray, const sc_ray_hit *found, scree_hit *out) {
  memset(out, 0, sizeof *out);
  out->shape = out->triangle = -1;
  out->distance = INFINITY;
  if (!(found->distance < INFINITY)) return;
  out->body = sc_bodies_id(&world->bodies, world->shapes.row[found->row].body);
  out->shape = (int32_t)sc_shapes_serial(&world->shapes, found->row);
  out->triangle = found->triangle;
  out->distance = found->distance;
  sc_axpy(found->distance, ray->d, ray->from, out->point);
  sc_copy3(found->normal, out->normal);
}

static void cast_range(void *context, int64_t first, int64_t end) {
  const volley *v = context;
  for (int64_t i = first; i < end; i++) {
    sc_ray ray = {.reach = v->ray[i].reach};
    sc_ray_hit hit;
    sc_copy3(v->ray[i].from, ray.from);
    sc_normalise(v->ray[i].direction, ray.d);
    sc_ray_cast(v->field, &ray, &hit);
    tell(v->world, &ray, &hit, v->hit + i);
  }
}

static scree_status check(const scree_ray *ray, int64_t index, scree_error *error) {
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

scree_status scree_world_rays(scree_world *world, const scree_ray *rays, int64_t count, uint32_t avoids,
    scree_id without, scree_hit *hits, scree_error *error) {
  SC_ASSERT(world && (rays || !count) && hits);
  scree_status status = sc_world_check_whole(
      world, "rays are cast", "w:find and measurements see all", error);
  if (status == SCREE_OK && world->bodies.cell)
    status = sc_fail(error, SCREE_E_ARGUMENT, "rays do not pass through the faces of a cell");
  int32_t row = without && status == SCREE_OK ? sc_world_row(world, without, error) : -1;
  if (without && status == SCREE_OK && row < 0) return SCREE_E_STALE;
  for (int64_t i = 0; i < count && status == SCREE_OK; i++) status = check(rays + i, i, error);
  if (status != SCREE_OK) return status;
  sc_arena arena = {0};
  sc_ray_field field;
  volley v = {world, &field, rays, hits};
  if (!sc_ray_field_make(&world->bodies, &world->shapes, avoids, row, count > FEW, &arena, &field))
    status = sc_fail(error, SCREE_E_MEMORY, "no memory to cast rays at %d shapes", world->shapes.count);
  else sc_pool_ranges(world->pool, count, CHUNK, cast_range, &v);
  sc_arena_free(&arena);
  return status;
}
