/* Pairs of balls that are near each other.
 *
 * Grains are sorted into one grid per level of size. Level k contains the radii from R / 2^(k+1) to R / 2^k,
 * where R is the largest radius. The edge of its cells is twice the largest radius of the level plus `extra`.
 * Each grain is compared with the grains in 27 cells of its own level and of the coarser levels. The cost
 * therefore does not grow with the ratio of sizes. Cells are found by a hash table. In a periodic cell the
 * images of a grain are compared, too. */
#include <math.h>
#include <string.h>
#include "io/grains/pairs.h"
#include "math/vec.h"

enum { LEVELS = 24 };

typedef struct place {
  int64_t x, y, z;
  int level;
} place;

typedef struct grid {
  const scree_grain *row;
  int64_t count;
  double (*at)[3]; /* [count] positions of the grains, wrapped into the periodic cell [m] */
  place *of;       /* [count] grid cell and level of each grain */
  /* hash chains. head: [mask + 1] first grain with each hash value. next: [count] next grain with the same
   * value. -1: end of the chain. */
  int32_t *head, *next;
  uint64_t mask;
  double most[LEVELS], size[LEVELS]; /* [levels] largest radius, and edge of the grid cells [m] */
  double origin[3];
  uint32_t used; /* bit k: level k has grains */
  const scree_cell *cell;
  double low[3], high[3]; /* box of the wrapped positions */
  double extra;           /* extra distance up to which surfaces count as near [m] */
  sc_grain_pair *visit;
  void *context;
} grid;

static uint64_t hash_place(const grid *g, place p) {
  const uint64_t h = (uint64_t)p.x * 0x9e3779b97f4a7c15ull ^ (uint64_t)p.y * 0xc2b2ae3d27d4eb4full ^
      (uint64_t)p.z * 0x165667b19e3779f9ull ^ (uint64_t)p.level * 0x27d4eb2f165667c5ull;
  return (h ^ h >> 29) & g->mask;
}

static place find_place(const grid *g, const double at[3], int level) {
  int64_t p[3];
  for (int k = 0; k < 3; k++) p[k] = (int64_t)floor((at[k] - g->origin[k]) / g->size[level]);
  return (place){p[0], p[1], p[2], level};
}

static int find_level(const grid *g, double radius) {
  int level = 0;
  while (level < LEVELS - 1 && 2 * radius <= g->most[level]) level++;
  return level;
}

/* Calls g->visit for grains i and j if their surfaces are nearer than g->extra and they are not balls of one
 * clump. at: centre of grain i or of an image of it. Returns false if visit returned false. */
static bool compare_bounds(const grid *g, int64_t i, const double at[3], int64_t j) {
  const scree_grain *a = g->row + i, *b = g->row + j;
  double d[3], shift[3];
  if (a->clump > 0 && a->clump == b->clump) return true;
  sc_sub(at, g->at[j], d);
  const double reach = a->radius + b->radius + g->extra, square = sc_dot(d, d);
  if (!(square < reach * reach)) return true;
  sc_sub(g->at[i], at, shift);
  return g->visit(g->context, i, j, d, shift);
}

/* Compares grain i with the grains of a level in the 27 cells around the position `at`, which is its centre
 * or that of an image. On its own level, only with grains of a higher index. Returns false if visit returned
 * false. */
static bool look_on_level(const grid *g, int64_t i, const double at[3], int level) {
  const place middle = find_place(g, at, level);
  const bool is_own = level == g->of[i].level;
  for (int64_t n = 0; n < 27; n++) {
    const place p = {middle.x + n % 3 - 1, middle.y + n / 3 % 3 - 1, middle.z + n / 9 - 1, level};
    for (int32_t j = g->head[hash_place(g, p)]; j >= 0; j = g->next[j]) {
      const place q = g->of[j];
      if ((is_own && j <= i) || q.level != level || q.x != p.x || q.y != p.y || q.z != p.z) continue;
      if (!compare_bounds(g, i, at, j)) return false;
    }
  }
  return true;
}

static bool look_about(const grid *g, int64_t i, const double at[3]) {
  const double reach = g->row[i].radius + g->size[0] / 2 + g->extra;
  for (int k = 0; k < 3; k++)
    if (at[k] < g->low[k] - reach || at[k] > g->high[k] + reach) return true;
  for (int level = 0; level <= g->of[i].level; level++)
    if (g->used >> level & 1 && !look_on_level(g, i, at, level)) return false;
  return true;
}

/* Compares grain i, and its 26 images if the cell is periodic, with all levels. Returns false if visit
 * returned false. */
static bool look_from(const grid *g, int64_t i) {
  if (!look_about(g, i, g->at[i])) return false;
  for (int n = 0; n < 27 && g->cell; n++) {
    const int image[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
    bool is_image = n != 13;
    for (int k = 0; k < 3; k++) is_image = is_image && (!image[k] || g->cell->periodic[k]);
    if (!is_image) continue;
    double at[3];
    for (int k = 0; k < 3; k++) {
      const double *H = g->cell->matrix + 3 * k;
      at[k] = g->at[i][k] + H[0] * image[0] + H[1] * image[1] + H[2] * image[2];
    }
    if (!look_about(g, i, at)) return false;
  }
  return true;
}

static bool fill_grid(grid *g) {
  const size_t n = (size_t)g->count + 1;
  uint64_t places = 64;
  while (places < 2 * n) places *= 2;
  g->mask = places - 1;
  g->at = sc_alloc(n * sizeof *g->at), g->of = sc_alloc(n * sizeof *g->of);
  g->next = sc_alloc(n * sizeof *g->next), g->head = sc_alloc(places * sizeof *g->head);
  if (!g->at || !g->of || !g->next || !g->head) return false;
  memset(g->head, 0xff, places * sizeof *g->head);
  double largest = 0;
  for (int64_t i = 0; i < g->count; i++) {
    int32_t image[3];
    largest = fmax(largest, g->row[i].radius);
    if (g->cell) scree_cell_wrap(g->cell, g->row[i].position, g->at[i], image);
    else sc_copy3(g->row[i].position, g->at[i]);
    for (int k = 0; k < 3; k++) {
      g->low[k] = i ? fmin(g->low[k], g->at[i][k]) : g->at[i][k];
      g->high[k] = i ? fmax(g->high[k], g->at[i][k]) : g->at[i][k];
    }
  }
  for (int k = 0; k < LEVELS; k++) {
    g->most[k] = k ? g->most[k - 1] / 2 : largest;
    g->size[k] = 2 * g->most[k] + g->extra;
  }
  sc_copy3(g->low, g->origin);
  for (int64_t i = g->count; i-- > 0;) {
    g->of[i] = find_place(g, g->at[i], find_level(g, g->row[i].radius));
    g->used |= 1u << g->of[i].level;
    int32_t *head = g->head + hash_place(g, g->of[i]);
    g->next[i] = *head, *head = (int32_t)i;
  }
  return true;
}

scree_status sc_grain_visit_pairs(const scree_grains *grains, const scree_cell *cell, double extra,
    sc_grain_pair *visit, void *context, scree_error *error) {
  const scree_grains_info *info = &grains->info;
  grid g = {.row = grains->row,
      .count = info->count,
      .cell = cell,
      .extra = extra,
      .visit = visit,
      .context = context};
  if (g.count > INT32_MAX) return sc_fail(error, SCREE_E_ARGUMENT, "more than %d grains", INT32_MAX);
  /* indices of grid cells are 64-bit integers, so the extent in units of the smallest radius needs a bound */
  for (int k = 0; k < 3; k++)
    if (g.count && !((info->max[k] - info->min[k]) / info->radius_min < 1e15))
      return sc_fail(error, SCREE_E_ARGUMENT, "the grains are too far apart for their sizes");
  bool fine = !g.count || fill_grid(&g);
  for (int64_t i = 0; i < g.count && fine; i++) fine = look_from(&g, i);
  sc_free(g.at), sc_free(g.of), sc_free(g.next), sc_free(g.head);
  return fine ? SCREE_OK : sc_fail(error, SCREE_E_MEMORY, "no memory to look for overlaps");
}
