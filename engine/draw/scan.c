/* Casts the camera's rays: sorts solids by depth, assigns them to tiles of the picture, and casts the rays of
 * each tile separately. */
#include "draw/draw.h"
#include "math/vec.h"

#include <stdlib.h>
#include <string.h>

const float (*sc_sample_places(int samples))[2] {
  static const float one[1][2] = {{0.5f, 0.5f}};
  static const float four[4][2] = {{0.375f, 0.125f}, {0.875f, 0.375f}, {0.125f, 0.625f}, {0.625f, 0.875f}};
  static const float eight[8][2] = {{0.0625f, 0.4375f}, {0.1875f, 0.8125f}, {0.3125f, 0.1875f},
      {0.4375f, 0.5625f}, {0.5625f, 0.9375f}, {0.6875f, 0.3125f}, {0.8125f, 0.6875f}, {0.9375f, 0.0625f}};
  return samples == 1 ? one : samples == 4 ? four : eight;
}

/* ---- solids on the grid ---- */

static int by_depth(const void *a, const void *b) {
  const sc_sight *p = a, *q = b;
  if (p->near != q->near) return p->near < q->near ? -1 : 1;
  return (p->solid > q->solid) - (p->solid < q->solid);
}

/* Adds the number of sights in each tile t to at[t]. list: also writes the indices of the sights of tile t to
 * the list, from index at[t] on; NULL: only counts. */
static void list_sights(sc_sights *all, int64_t *at, int32_t *list) {
  for (size_t i = 0; i < all->count; i++) {
    const sc_sight *g = all->sight + i;
    for (int y = g->y0 / SC_TILE; y <= (g->y1 - 1) / SC_TILE; y++)
      for (int x = g->x0 / SC_TILE; x <= (g->x1 - 1) / SC_TILE; x++) {
        int64_t place = at[y * all->across + x]++;
        if (list) list[place] = (int32_t)i;
      }
  }
}

static bool list_tiles(sc_sights *all) {
  size_t tiles = (size_t)all->across * (size_t)all->down;
  if (!SC_GROW(all->first, all->first_capacity, 2 * tiles + 2)) return false;
  int64_t *at = all->first + tiles + 1, sum = 0;
  memset(at, 0, tiles * sizeof *at);
  list_sights(all, at, NULL);
  for (size_t t = 0; t < tiles; t++) {
    int64_t count = at[t];
    all->first[t] = at[t] = sum;
    sum += count;
  }
  all->first[tiles] = sum;
  if (!SC_GROW(all->list, all->list_capacity, (size_t)sum + 1)) return false;
  list_sights(all, at, all->list);
  return true;
}

/* Returns true if the solid belongs to a plane that the camera sees from behind. Such planes are not
 * drawn. */
static bool is_behind(const sc_view *v, const sc_solid *s) {
  if (!s->plane) return false;
  double look[3];
  sc_sub(s->centre, v->eye, look);
  return sc_dot(s->to + 6, v->parallel ? v->out : look) >= 0;
}

bool sc_sights_make(sc_sights *all, const sc_view *view, const sc_solids *solids) {
  all->count = 0;
  if (!SC_GROW(all->sight, all->capacity, solids->count + 1)) return false;
  for (size_t i = 0; i < solids->count; i++)
    all->count += !is_behind(view, solids->solid + i) &&
        sc_view_sight(view, solids->solid + i, (int32_t)i, all->sight + all->count);
  qsort(all->sight, all->count, sizeof *all->sight, by_depth);
  all->across = (view->width + SC_TILE - 1) / SC_TILE, all->down = (view->height + SC_TILE - 1) / SC_TILE;
  return list_tiles(all);
}

void sc_sights_free(sc_sights *all) {
  sc_free(all->sight);
  sc_free(all->first);
  sc_free(all->list);
}

/* ---- a tile ---- */

static void clear_tile(sc_tile *tile) {
  for (int s = 0; s < tile->samples; s++)
    for (int y = 0; y < SC_TILE; y++)
      for (int x = 0; x < SC_TILE; x++) tile->depth[s][y][x] = INFINITY, tile->who[s][y][x] = -1;
  if (tile->any_layers) memset(tile->layers, 0, sizeof tile->layers);
  tile->any_layers = 0;
}

/* The part of a sight's pixels that lies in a tile whose first pixel is (left, top), in pixels of the tile.
 * The columns are enlarged to multiples of SC_RAYS. */
typedef struct part {
  int x0, y0, x1, y1;
} part;
static part overlap_of(const sc_sight *g, int left, int top) {
  part p = {g->x0 - left, g->y0 - top, g->x1 - left, g->y1 - top};
  p.x0 = p.x0 < 0 ? 0 : p.x0, p.y0 = p.y0 < 0 ? 0 : p.y0;
  p.x1 = p.x1 > SC_TILE ? SC_TILE : p.x1, p.y1 = p.y1 > SC_TILE ? SC_TILE : p.y1;
  p.x0 -= p.x0 % SC_RAYS, p.x1 += (SC_TILE - p.x1) % SC_RAYS;
  return p;
}

/* Returns the block of rays with the columns of the part, in the rows y .. y + rows - 1 of the tile. place:
 * position of the sample in its pixel. */
static sc_block block_of(
    const sc_sight *g, const part *p, int left, int top, int y, int rows, const float place[2]) {
  return (sc_block){(float)(left + p->x0 - g->x0) + place[0], (float)(top + y - g->y0) + place[1],
      p->x1 - p->x0, rows, SC_TILE, SC_TILE};
}

static void cast_opaque(sc_tile *tile, const sc_sight *g, int left, int top, sc_cast *cast) {
  const float(*place)[2] = sc_sample_places(tile->samples);
  part p = overlap_of(g, left, top);
  for (int s = 0; s < tile->samples; s++)
    cast(g, block_of(g, &p, left, top, p.y0, p.y1 - p.y0, place[s]), tile->depth[s][p.y0] + p.x0,
        tile->who[s][p.y0] + p.x0);
}

/* Inserts a glass surface into the list of sample s of pixel (x, y), which is sorted by depth. If the list is
 * full, drops the farthest surface. */
static void put_layer(sc_tile *tile, int s, int y, int x, float depth, int32_t solid) {
  sc_layer *list = tile->layer[s][y][x];
  int count = tile->layers[s][y][x], at = count < SC_LAYERS ? count : SC_LAYERS;
  while (
      at > 0 && (list[at - 1].depth > depth || (list[at - 1].depth == depth && list[at - 1].solid > solid))) {
    if (at < SC_LAYERS) list[at] = list[at - 1];
    at--;
  }
  if (at < SC_LAYERS) list[at] = (sc_layer){depth, solid};
  if (count < SC_LAYERS) tile->layers[s][y][x]++;
}

static void cast_glass(sc_tile *tile, const sc_sight *g, int left, int top, sc_cast *cast) {
  const float(*place)[2] = sc_sample_places(tile->samples);
  part p = overlap_of(g, left, top);
  for (int s = 0; s < tile->samples; s++)
    for (int y = p.y0; y < p.y1; y++) {
      float depth[SC_TILE];
      int32_t who[SC_TILE];
      int count = p.x1 - p.x0;
      for (int i = 0; i < count; i++) depth[i] = tile->depth[s][y][p.x0 + i], who[i] = -1;
      cast(g, block_of(g, &p, left, top, y, 1, place[s]), depth, who);
      for (int i = 0; i < count; i++)
        if (who[i] >= 0) put_layer(tile, s, y, p.x0 + i, depth[i], who[i]), tile->any_layers = 1;
    }
}

static float max_depth_of(const sc_tile *tile) {
  float most = 0;
  for (int s = 0; s < tile->samples; s++)
    for (int y = 0; y < SC_TILE; y++)
      for (int x = 0; x < SC_TILE; x++) most = tile->depth[s][y][x] > most ? tile->depth[s][y][x] : most;
  return most;
}

void sc_tile_scan(sc_tile *tile, const sc_sights *sights, int index, const sc_solids *solids,
    const scree_drawn *shapes, sc_cast *cast) {
  /* number of solids between two tests whether all later solids lie behind the tile's largest depth */
  enum { LOOK = 16 };
  int left = index % sights->across * SC_TILE, top = index / sights->across * SC_TILE;
  int64_t first = sights->first[index], end = sights->first[index + 1];
  bool glass = false;
  clear_tile(tile);
  for (int64_t i = first; i < end; i++) {
    const sc_sight *g = sights->sight + sights->list[i];
    if ((i - first) % LOOK == LOOK - 1 && g->near > max_depth_of(tile)) break;
    if (shapes[solids->solid[g->solid].own].opacity < 1) glass = true;
    else cast_opaque(tile, g, left, top, cast);
  }
  for (int64_t i = first; glass && i < end; i++) {
    const sc_sight *g = sights->sight + sights->list[i];
    if (shapes[solids->solid[g->solid].own].opacity < 1) cast_glass(tile, g, left, top, cast);
  }
}
