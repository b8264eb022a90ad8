/* Draws a picture: makes solids of shapes, computes the light, casts rays and computes colours, tile by tile
 * on all threads. */
#include "draw/draw.h"
#include "math/vec.h"

#include <stdatomic.h>

struct scree_drawer {
  sc_pool *pool;
  sc_solids solids;
  sc_light light;
  sc_sights sights;
  sc_tile **tile; /* [threads] samples of the tile that a thread draws at present */
  int threads;
};

void scree_drawer_destroy(scree_drawer *d) {
  if (!d) return;
  for (int i = 0; d->tile && i < d->threads; i++) sc_free(d->tile[i]);
  sc_free(d->tile);
  sc_light_free(&d->light);
  sc_sights_free(&d->sights);
  sc_free(d->solids.solid);
  sc_pool_destroy(d->pool);
  sc_free(d);
}

scree_drawer *scree_drawer_create(int threads) {
  scree_drawer *d = sc_alloc(sizeof *d);
  if (!d) return NULL;
  d->threads = threads < 1 ? 1 : threads;
  d->pool = sc_pool_create(d->threads);
  d->tile = sc_alloc((size_t)d->threads * sizeof *d->tile);
  bool fine = d->pool && d->tile;
  for (int i = 0; fine && i < d->threads; i++) fine = (d->tile[i] = sc_alloc(sizeof **d->tile)) != NULL;
  if (!fine) return scree_drawer_destroy(d), NULL;
  return d;
}

scree_draw_def scree_draw_defaults(void) {
  return (scree_draw_def){.low = {1, 1, 1},
      .high = {-1, -1, -1},
      .background = {{250, 251, 252}, {226, 230, 235}},
      .samples = 4,
      .sky = 24,
      .shadow = 1};
}

/* ---- checks ---- */

static bool is_finite3(const double v[3]) { return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]); }

static scree_status check_shape(const scree_drawn *d, int64_t k, scree_error *error) {
  if (d->type < 0 || d->type >= SCREE_SHAPE_TYPES)
    return sc_fail(error, SCREE_E_ARGUMENT, "shape %lld has an unknown type", (long long)k);
  if (!(d->opacity >= 0 && d->opacity <= 1))
    return sc_fail(error, SCREE_E_ARGUMENT, "the opacity of shape %lld is not in [0, 1]", (long long)k);
  if (!is_finite3(d->position))
    return sc_fail(error, SCREE_E_ARGUMENT, "the position of shape %lld is not finite", (long long)k);
  return SCREE_OK;
}

static scree_status check_draw(const scree_draw_def *def, const scree_drawn *shapes, int64_t count,
    const scree_image *image, scree_error *error) {
  if (!image->rgb || image->width < 1 || image->height < 1)
    return sc_fail(error, SCREE_E_ARGUMENT, "the picture has no pixels");
  if (def->samples != 1 && def->samples != 4 && def->samples != 8)
    return sc_fail(error, SCREE_E_ARGUMENT, "samples must be 1, 4 or 8, not %d", def->samples);
  if (def->sky < 0 || def->sky > SC_SKY_MOST)
    return sc_fail(error, SCREE_E_ARGUMENT, "sky must lie in [0, %d], not %d", SC_SKY_MOST, def->sky);
  for (int64_t k = 0; k < count; k++) {
    scree_status status = check_shape(shapes + k, k, error);
    if (status) return status;
  }
  return SCREE_OK;
}

/* ---- drawing ---- */

typedef struct work {
  const sc_scene *scene;
  sc_tile **tile;
  scree_image *image;
  atomic_int next;
} work;

static void draw_tiles(void *context, int thread, int threads) {
  work *w = context;
  const sc_scene *scene = w->scene;
  sc_tile *tile = w->tile[thread];
  int tiles = scene->sights->across * scene->sights->down;
  (void)threads;
  tile->samples = scene->def->samples;
  for (int k; (k = atomic_fetch_add(&w->next, 1)) < tiles;) {
    sc_tile_scan(tile, scene->sights, k, scene->solids, scene->shapes, scene->cast);
    sc_tile_shade(tile, scene, k, w->image);
  }
}

/* Normalises the direction of the sky. Sets directions of sky and lamp that the definition does not set. */
static void choose_light(scree_draw_def *def, const sc_view *view) {
  if (!(sc_norm(def->up) > 0)) sc_copy3(def->camera.up, def->up);
  sc_normalise(def->up, def->up);
  if (sc_norm(def->lamp) > 0) return;
  for (int k = 0; k < 3; k++) def->lamp[k] = -0.5 * view->out[k] - 0.45 * view->right[k] + 0.9 * def->up[k];
}

scree_status scree_draw(scree_drawer *d, const scree_draw_def *given, const scree_drawn *shapes,
    int64_t count, scree_image *image, scree_error *error) {
  SC_DEMAND(given && (shapes || !count) && image, error, SCREE_E_ARGUMENT);
  scree_draw_def def = *given;
  sc_scene scene = {.def = &def,
      .shapes = shapes,
      .solids = &d->solids,
      .light = &d->light,
      .sights = &d->sights,
      .cast = sc_cast_choose()};
  scree_status status = check_draw(&def, shapes, count, image, error);
  if (!status) status = sc_camera_view(&def.camera, image->width, image->height, &scene.view, error);
  if (status) return status;
  choose_light(&def, &scene.view);
  if (!sc_solids_make(&d->solids, &def, shapes, count) ||
      !sc_light_make(&d->light, d->pool, scene.cast, &def, &d->solids, shapes) ||
      !sc_sights_make(&d->sights, &scene.view, &d->solids))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the picture");
  work w = {.scene = &scene, .tile = d->tile, .image = image};
  sc_pool_run(d->pool, draw_tiles, &w);
  return SCREE_OK;
}

/* ---- hidden shapes ---- */

/* Returns the number of samples of a tile that hit a marked shape. Adds to hidden[k], for each other shape k,
 * the number of these samples in which shape k lies in front of the marked shape. */
static int64_t count_hidden(const sc_tile *tile, const sc_solids *solids, double *hidden) {
  int64_t seen = 0;
  for (int y = 0; y < SC_TILE; y++)
    for (int x = 0; x < SC_TILE; x++) {
      if (tile->who[0][y][x] < 0) continue;
      seen++;
      for (int i = 0; i < tile->layers[0][y][x]; i++) {
        int32_t own = solids->solid[tile->layer[0][y][x][i].solid].own;
        bool again = false;
        for (int k = 0; k < i; k++) again |= solids->solid[tile->layer[0][y][x][k].solid].own == own;
        if (!again) hidden[own]++;
      }
    }
  return seen;
}

scree_status scree_draw_hidden(scree_drawer *d, const scree_draw_def *def, const scree_drawn *shapes,
    const unsigned char *marked, int64_t count, double *hidden, scree_error *error) {
  SC_DEMAND(def, error, SCREE_E_ARGUMENT);
  enum { WIDTH = 320, HEIGHT = 180 };
  sc_view view;
  scree_status status = sc_camera_view(&def->camera, WIDTH, HEIGHT, &view, error);
  if (status) return status;
  scree_drawn *own = sc_alloc(((size_t)count + 1) * sizeof *own);
  if (!own) return sc_fail(error, SCREE_E_MEMORY, "no memory for the picture");
  for (int64_t k = 0; k < count; k++) own[k] = shapes[k], own[k].opacity = marked[k] ? 1 : 0.5, hidden[k] = 0;
  bool fine = sc_solids_make(&d->solids, def, own, count) && sc_sights_make(&d->sights, &view, &d->solids);
  int64_t seen = 0;
  d->tile[0]->samples = 1;
  for (int k = 0; fine && k < d->sights.across * d->sights.down; k++) {
    sc_tile_scan(d->tile[0], &d->sights, k, &d->solids, own, sc_cast_choose());
    seen += count_hidden(d->tile[0], &d->solids, hidden);
  }
  sc_free(own);
  for (int64_t k = 0; k < count; k++) hidden[k] = seen ? hidden[k] / (double)seen : 0;
  return fine ? SCREE_OK : sc_fail(error, SCREE_E_MEMORY, "no memory for the picture");
}
