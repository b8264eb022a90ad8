/* Broad phase: all pairs of shapes whose bounds are within reach.
 *
 * Shapes are sorted into levels by size, a factor of two each. Every level is a grid whose cells are as wide
 * as the reach of its largest pair. A counting sort fills the grid. The grid is periodic like a torus and has
 * about one cell per shape. Its memory therefore depends on the number of shapes, not on the space that they
 * occupy. The distance test rejects shapes that only share a cell of the torus. A shape searches the cells
 * about it in its own level and in all levels of larger shapes. In its own level it finds only pairs with
 * higher rows. Each pair is therefore found once, by the smaller shape. Half-spaces are unbounded and are
 * tested against all shapes.
 *
 * Input: centres and radii (cache), slacks and drifts (anchors), spreads (drift.c). Output: pairs sorted by
 * rank (names.c). A pair is listed if
 *     gap <= slack_1 + slack_2 + margin min(r_1, r_2) + h |u_1 - u_2|
 * with the centres in the middle of the span for which the list is valid, drifts u, and h = span / 2 + dt. */
#include <stdlib.h>
#include "collide/state.h"
#include "math/vec.h"

enum { MAX_LEVELS = 40 };

/* A shape in a grid. */
typedef struct entry {
  /* centre of the shape in the middle of the list's span, wrapped into the periodic cell [m] */
  double x[3];
  double extent; /* radius + slack + spread [m] */
  double radius;
  float slack;
  int32_t row;
} entry;

enum { ABREAST = 4 }; /* floats per SIMD register; every supported processor has four */
typedef float quad __attribute__((vector_size(16)));
typedef int32_t masks __attribute__((vector_size(16)));
typedef int64_t halves __attribute__((vector_size(16)));

typedef struct level {
  int32_t count, cells[3]; /* number of entries; cells per axis, powers of two */
  double inverse;          /* 1 / width of a cell */
  /* [count] copies of the entries as floats: x, y, z relative to `low`, and extent, in cell widths */
  float *rough[4];
  double extent, margin;  /* largest extent and margin of the entries [m] */
  double low[3], high[3]; /* bounding box of the centres [m] */
  int32_t *start;         /* entries of cell c: sorted[start[c] .. start[c + 1]) */
  entry *sorted;          /* [count] entries, sorted by cell */
} level;

typedef struct grids {
  const sc_collide *collide;
  const sc_bodies *bodies;
  int32_t shapes, levels, walls; /* number of shapes, levels, half-spaces */
  const double *spread;          /* [shapes] result of sc_drift_spread [m] */
  double middle, half;           /* span / 2, span / 2 + dt (drift.c); 0 without drift [s] */
  level level[MAX_LEVELS];
  int8_t *level_of;    /* [shapes] level of the shape; -1: half-space */
  sc_image *wrap;      /* [shapes] periodic image of the shape that lies in the cell; NULL without a cell */
  int32_t *wall;       /* [walls] rows of half-spaces */
  double strain_scale; /* factor >= 1 that enlarges extents for the expected strain of the cell */
} grids;

static double extent_of(const grids *g, int32_t row) {
  return (g->collide->poses.cache[row].radius + (double)g->collide->list.anchor[row].slack + g->spread[row]) *
      g->strain_scale;
}

/* Computes a shape's centre in the middle of the list's span, wrapped into the periodic cell if there is
 * one. */
static void centre_of(const grids *g, int32_t row, double x[3]) {
  sc_axpy(g->middle, sc_drift(&g->collide->list, row), g->collide->poses.cache[row].centre, x);
  if (g->wrap && g->level_of[row] >= 0) g->wrap[row] = sc_cell_wrap(g->bodies->cell, x, x);
}

/* Assigns shapes to levels by size, and half-spaces to walls. Sets count, box and largest extents of each
 * level. */
static scree_status assign_levels(grids *g, scree_error *error) {
  double min = INFINITY;
  for (int32_t row = 0; row < g->shapes; row++) {
    const sc_shape_cache *cache = g->collide->poses.cache + row;
    if (!isfinite(cache->centre[0] + cache->centre[1] + cache->centre[2]))
      return sc_fail(error, SCREE_E_NUMERIC, "the body in row %d is nowhere: its position is not finite",
          (int)cache->body);
    if (isfinite(cache->radius)) min = fmin(min, extent_of(g, row));
  }
  for (int32_t row = 0; row < g->shapes; row++) {
    const sc_shape_cache *cache = g->collide->poses.cache + row;
    if (!isfinite(cache->radius)) {
      g->level_of[row] = -1, g->wall[g->walls++] = row;
      continue;
    }
    double extent = extent_of(g, row), x[3];
    g->level_of[row] = 0;
    centre_of(g, row, x);
    int class = min > 0 ? ilogb(extent / min) : 0;
    class = class < 0 ? 0 : class >= MAX_LEVELS ? MAX_LEVELS - 1 : class;
    level *l = g->level + class;
    if (!l->count++) sc_copy3(x, l->low), sc_copy3(x, l->high);
    for (int k = 0; k < 3; k++) l->low[k] = fmin(l->low[k], x[k]), l->high[k] = fmax(l->high[k], x[k]);
    l->extent = fmax(l->extent, extent);
    l->margin = fmax(l->margin, g->strain_scale * sc_reach(g->collide, cache->radius));
    g->level_of[row] = (int8_t) class;
    if (class >= g->levels) g->levels = class + 1;
  }
  return SCREE_OK;
}

/* Chooses the cells of a level: enough for its bounding box, and at most about two cells per entry. */
static void choose_cells(level *l) {
  double need[3], width = 2 * l->extent + l->margin;
  l->inverse = width > 0 ? 1 / width : 1;
  for (int k = 0; k < 3; k++) need[k] = (l->high[k] - l->low[k]) * l->inverse + 1;
  sc_cells_fold(need, l->count < 32 ? 64 : 2 * (int64_t)l->count, l->cells);
}

static int32_t cell_index(const level *l, const double x[3]) {
  int64_t i[3];
  for (int k = 0; k < 3; k++) i[k] = sc_cell_of(x[k] * l->inverse) & (l->cells[k] - 1);
  return (int32_t)((i[2] * l->cells[1] + i[1]) * l->cells[0] + i[0]);
}

static entry entry_of(const grids *g, int32_t row) {
  entry e = {.extent = extent_of(g, row),
      .radius = g->collide->poses.cache[row].radius,
      .slack = g->collide->list.anchor[row].slack,
      .row = row};
  centre_of(g, row, e.x);
  return e;
}

/* Returns a coordinate relative to the level's box, in cell widths. */
static float rough_of(const level *l, int k, double x) { return (float)((x - l->low[k]) * l->inverse); }

/* Allocates the entries of a level and their rough copies, with padding of one register on both sides.
 * Returns false if out of memory. */
static bool allocate_entries(level *l, sc_arena *arena) {
  const size_t room = (size_t)l->count + 2 * ABREAST;
  float *rough = SC_TAKE(arena, float, 4 * room);
  l->sorted = SC_TAKE(arena, entry, l->count + 1);
  if (!l->sorted || !rough) return false;
  memset(rough, 0, 4 * room * sizeof *rough);
  for (size_t k = 0; k < 4; k++) l->rough[k] = rough + k * room + ABREAST;
  return true;
}

static void put_entry(level *l, int32_t at, const entry *e) {
  l->sorted[at] = *e;
  for (int k = 0; k < 3; k++) l->rough[k][at] = rough_of(l, k, e->x[k]);
  l->rough[3][at] = (float)(e->extent * l->inverse);
}

/* Counting sort of every level's entries by cell, rows ascending within a cell. */
static bool fill_levels(grids *g, sc_arena *arena) {
  int32_t *cell = SC_TAKE(arena, int32_t, g->shapes + 1);
  if (!cell) return false;
  for (int32_t k = 0; k < g->levels; k++) {
    level *l = g->level + k;
    choose_cells(l);
    size_t cells = (size_t)l->cells[0] * (size_t)l->cells[1] * (size_t)l->cells[2];
    l->start = SC_TAKE(arena, int32_t, cells + 2);
    if (!l->start || !allocate_entries(l, arena)) return false;
    memset(l->start, 0, (cells + 2) * sizeof *l->start);
  }
  for (int32_t row = 0; row < g->shapes; row++) {
    if (g->level_of[row] < 0) continue;
    level *l = g->level + g->level_of[row];
    double x[3];
    centre_of(g, row, x);
    l->start[2 + (cell[row] = cell_index(l, x))]++;
  }
  for (int32_t k = 0; k < g->levels; k++) {
    level *l = g->level + k;
    int32_t cells = l->cells[0] * l->cells[1] * l->cells[2];
    for (int32_t c = 0; c < cells; c++) l->start[c + 2] += l->start[c + 1];
  }
  /* start[c + 1] counts from the first entry of cell c to the first entry of the next cell */
  for (int32_t row = 0; row < g->shapes; row++) {
    if (g->level_of[row] < 0) continue;
    level *l = g->level + g->level_of[row];
    const entry e = entry_of(g, row);
    put_entry(l, l->start[cell[row] + 1]++, &e);
  }
  return true;
}

static bool reserve_one(sc_pair_buffer *b) {
  if (b->count == INT32_MAX) return false;
  size_t need = (size_t)b->count + 1;
  return (need <= b->capacity || SC_GROW_LEAN(b->pair, b->capacity, need)) &&
      (!b->images || need <= b->image_capacity || SC_GROW_LEAN(b->image, b->image_capacity, need));
}

static void push_pair(sc_pair_buffer *b, sc_pair pair, sc_image image) {
  if (!reserve_one(b)) {
    b->failed = true;
    return;
  }
  if (b->images) b->image[b->count] = image;
  b->pair[b->count++] = pair;
}

/* Adds a pair whose bounding spheres are near, if the list's filter admits the pair (sc_list_admits). */
static void try_pair_of_rows(const grids *g, int32_t row, int32_t other, sc_pair_buffer *found) {
  const sc_anchor *anchor = g->collide->list.anchor;
  double slacks = (double)anchor[row].slack + (double)anchor[other].slack;
  if (sc_list_admits(g->collide, g->bodies, row, other, NULL, slacks, 2 * g->half))
    push_pair(found, (sc_pair){row, other}, (sc_image){{0, 0, 0}});
}

/* Like try_pair_of_rows for a shape and a half-space. Tests the bounding sphere first, because most shapes
 * are far from the half-space. */
static void try_wall(const grids *g, int32_t row, int32_t wall, sc_pair_buffer *found) {
  const sc_anchor *anchor = g->collide->list.anchor;
  const double slacks = (double)anchor[row].slack + (double)anchor[wall].slack;
  if (!sc_list_off_plane(g->collide, row, wall, slacks, 2 * g->half)) try_pair_of_rows(g, row, wall, found);
}

/* Like try_pair_of_rows for an image of the other shape. Also orders the shapes of the pair. */
static void try_image(const grids *g, int32_t row, int32_t other, sc_image image, sc_pair_buffer *found) {
  const sc_anchor *anchor = g->collide->list.anchor;
  double slacks = (double)anchor[row].slack + (double)anchor[other].slack;
  if (!sc_list_admits(g->collide, g->bodies, row, other, &image, slacks, 2 * g->half)) return;
  sc_pair pair = {row, other};
  if (sc_list_orient(g->collide, g->bodies, &pair)) image = sc_image_sub((sc_image){{0, 0, 0}}, image);
  push_pair(found, pair, image);
}

/* Returns true if two entries at the squared distance `square` are within reach. try_entry used the spread of
 * each shape, an upper bound. This test uses the relative drift of the pair. */
static bool within_reach(const grids *g, const entry *a, const entry *b, double margin, double square) {
  double w[3], reach = a->radius + b->radius + ((double)a->slack + (double)b->slack) + margin;
  if (g->wrap) reach *= g->strain_scale;
  const double *u = sc_drift(&g->collide->list, a->row), *v = sc_drift(&g->collide->list, b->row);
  if (u != v) {
    sc_sub(u, v, w);
    reach += g->half * sc_norm(w);
  }
  reach *= 1 + 1e-12;
  return square <= reach * reach;
}

/* Query of one shape. In a periodic cell there is one query per image of the shape. */
typedef struct query {
  entry self;
  sc_image image; /* image of the shape that searches, in cell edges */
  bool same;      /* true if the level is the shape's own */
  /* position of the shape in cell widths; upper bound of the reach without the other entry's extent */
  float rough[4];
} query;

/* Returns the periodic image of the other shape, relative to the shape that searches. */
static sc_image image_of_pair(const grids *g, const query *f, int32_t other) {
  return sc_image_sub(sc_image_sub(g->wrap[f->self.row], g->wrap[other]), f->image);
}

static void try_entry(const grids *g, const query *f, const entry *e, sc_pair_buffer *found) {
  const entry *self = &f->self;
  double x = e->x[0] - self->x[0], y = e->x[1] - self->x[1], z = e->x[2] - self->x[2];
  double square = x * x + y * y + z * z,
         margin = g->strain_scale * sc_reach(g->collide, self->radius < e->radius ? self->radius : e->radius);
  double reach = (self->extent + e->extent + margin) * (1 + 1e-12);
  if (!(square <= reach * reach) || !within_reach(g, self, e, margin, square)) return;
  if (g->wrap) try_image(g, self->row, e->row, image_of_pair(g, f, e->row), found);
  else try_pair_of_rows(g, self->row, e->row, found);
}

/* Sets the rough position and reach of a query in a level. Coordinates are rounded to 2^-24 of the largest,
 * their differences to twice this value per axis. If a float overflows, all entries pass the rough test. */
static void place_query(const grids *g, const level *l, query *f) {
  double far = 0;
  for (int k = 0; k < 3; k++) {
    f->rough[k] = rough_of(l, k, f->self.x[k]);
    far = fmax(far, fmax(fabs((double)f->rough[k]), (l->high[k] - l->low[k]) * l->inverse));
  }
  const double reach = f->self.extent + g->strain_scale * sc_reach(g->collide, f->self.radius);
  f->rough[3] = (float)((reach * l->inverse + l->extent * l->inverse * 1e-6 + far * 1e-6) * (1 + 1e-6));
}

static inline quad load_quad(const float *from) {
  quad to;
  memcpy(&to, from, sizeof to);
  return to;
}

/* Returns a mask of the entries k .. k + 3: set for each entry that may be within reach. */
static inline masks may_reach(const level *l, const query *f, int32_t k) {
  const quad x = load_quad(l->rough[0] + k) - f->rough[0], y = load_quad(l->rough[1] + k) - f->rough[1],
             z = load_quad(l->rough[2] + k) - f->rough[2], reach = load_quad(l->rough[3] + k) + f->rough[3];
  return ~(x * x + y * y + z * z > reach * reach);
}

/* Tests a query against the entries of one cell, from the last to the first. In the shape's own level only
 * entries with higher rows are tested. */
static void search_cell(const grids *g, const level *l, int32_t cell, const query *f, sc_pair_buffer *found) {
  const int32_t first = l->start[cell];
  for (int32_t k = l->start[cell + 1] - ABREAST; k > first - ABREAST; k -= ABREAST) {
    const entry *e = l->sorted + k;
    if (f->same && e[ABREAST - 1].row <= f->self.row) return;
    const masks near = may_reach(l, f, k);
    if (!(((halves)near)[0] | ((halves)near)[1])) continue;
    for (int i = ABREAST - 1; i >= 0 && k + i >= first; i--)
      if (near[i] && !(f->same && e[i].row <= f->self.row)) try_entry(g, f, e + i, found);
  }
}

/* Returns the number of cells along axis k within h [m] of x. No cell of the torus counts twice. *first:
 * returns the first of these cells. */
static int64_t cell_range(const level *l, int k, double x, double h, int64_t *first) {
  *first = sc_cell_of((x - h) * l->inverse);
  int64_t n = sc_cell_of((x + h) * l->inverse) - *first + 1;
  return n < l->cells[k] ? n : l->cells[k];
}

static double reach_of(const grids *g, const level *l, const entry *self) {
  return self->extent + l->extent + fmin(g->strain_scale * sc_reach(g->collide, self->radius), l->margin);
}

static void search_level(const grids *g, const level *l, query *f, sc_pair_buffer *found) {
  const entry *self = &f->self;
  int64_t first[3], n[3];
  double h = reach_of(g, l, self);
  place_query(g, l, f);
  for (int k = 0; k < 3; k++) n[k] = cell_range(l, k, self->x[k], h, first + k);
  for (int64_t z = 0; z < n[2]; z++)
    for (int64_t y = 0; y < n[1]; y++) {
      int64_t line = (((first[2] + z) & (l->cells[2] - 1)) * l->cells[1] +
                         ((first[1] + y) & (l->cells[1] - 1))) *
          l->cells[0];
      for (int64_t x = 0; x < n[0]; x++)
        search_cell(g, l, (int32_t)(line + ((first[0] + x) & (l->cells[0] - 1))), f, found);
    }
}

/* Like search_level for all images of a shape that are near enough to the periodic cell. */
static void search_level_from_images(const grids *g, const level *l, const query *f, sc_pair_buffer *found) {
  int32_t first[3], n[3];
  const sc_cell *cell = g->bodies->cell;
  query from = *f;
  sc_images_about(cell, f->self.x, reach_of(g, l, &f->self), first, n);
  for (int32_t c = 0; c < n[2]; c++)
    for (int32_t b = 0; b < n[1]; b++)
      for (int32_t a = 0; a < n[0]; a++) {
        double shift[3];
        from.image = (sc_image){{first[0] + a, first[1] + b, first[2] + c}};
        sc_cell_shift(cell, &from.image, shift);
        sc_add(f->self.x, shift, from.self.x);
        search_level(g, l, &from, found);
      }
}

static int by_second(const void *a, const void *b) {
  int32_t x = ((const sc_pair *)a)->two, y = ((const sc_pair *)b)->two;
  return (x > y) - (x < y);
}

/* Sorts the pairs of one query by the row of the other shape. Uses insertion sort if there are few pairs, as
 * is usual. */
static void sort_pairs(sc_pair *pair, int32_t count) {
  if (count > 64) {
    qsort(pair, (size_t)count, sizeof *pair, by_second);
    return;
  }
  for (int32_t i = 1; i < count; i++) {
    sc_pair p = pair[i];
    int32_t j = i;
    for (; j > 0 && pair[j - 1].two > p.two; j--) pair[j] = pair[j - 1];
    pair[j] = p;
  }
}

/* Finds all pairs of a shape with shapes of its own level and of levels with larger shapes, and half-spaces.
 * Sets found->crowd and found->failed if too many bodies share the place of the shape's body. */
static void find_row(const grids *g, int32_t row, sc_pair_buffer *found) {
  int own = g->level_of[row];
  if (own < 0) return;
  int32_t begin = found->count;
  query f = {.self = entry_of(g, row)};
  for (int32_t k = own; k < g->levels; k++) {
    f.same = k == own;
    if (!g->level[k].count) continue;
    if (g->wrap) search_level_from_images(g, g->level + k, &f, found);
    else search_level(g, g->level + k, &f, found);
  }
  if (g->wrap) {
    for (int32_t w = 0; w < g->walls; w++) try_image(g, row, g->wall[w], (sc_image){{0, 0, 0}}, found);
    if (!found->failed) sc_images_sort(found->pair + begin, found->image + begin, found->count - begin, row);
  } else {
    for (int32_t w = 0; w < g->walls; w++) try_wall(g, row, g->wall[w], found);
    sort_pairs(found->pair + begin, found->count - begin);
    for (int32_t k = begin; k < found->count; k++) sc_list_orient(g->collide, g->bodies, found->pair + k);
  }
  if (sc_crowd_about(g->collide, g->bodies, row, found->pair + begin, found->count - begin))
    found->crowd = row, found->failed = true;
}

/* A search shared by all threads of the pool. */
typedef struct shared_search {
  const grids *grids;
  sc_collide *collide;
  int failed;    /* atomic; 1: a thread is out of memory, or found too many bodies at one place */
  int32_t crowd; /* atomic; lowest sc_pair_buffer.crowd of all threads */
} shared_search;

/* Finds the pairs of one thread's rows. The first thread writes to the list, each other thread to its own
 * buffer. */
static void find_thread_part(void *context, int thread, int threads) {
  shared_search *c = context;
  sc_thread_buffer *buffer = c->collide->buffer + thread;
  int64_t first, end;
  sc_part(c->grids->shapes, thread, threads, &first, &end);
  sc_list *list = &c->collide->list;
  sc_pair_buffer found = {.pair = thread ? buffer->pair : list->pair,
      .capacity = thread ? buffer->pair_capacity : list->pair_capacity,
      .image = thread ? buffer->image : list->image,
      .image_capacity = thread ? buffer->image_capacity : list->image_capacity,
      .crowd = INT32_MAX,
      .images = c->grids->wrap != NULL};
  for (int64_t row = first; row < end && !found.failed; row++) find_row(c->grids, (int32_t)row, &found);
  if (found.failed) __atomic_store_n(&c->failed, 1, __ATOMIC_RELAXED);
  sc_crowd_note(&c->crowd, found.crowd);
  if (thread) {
    buffer->pair = found.pair, buffer->pair_capacity = found.capacity, buffer->contacts.count = found.count;
    buffer->image = found.image, buffer->image_capacity = found.image_capacity;
  } else {
    list->pair = found.pair, list->pair_capacity = found.capacity, list->pairs = found.count;
    list->image = found.image, list->image_capacity = found.image_capacity;
  }
}

enum { FEW_ROWS = 1000 }; /* fewer shapes are searched by one thread, because waking threads costs more */

/* Appends the pairs of the other threads to the list. Returns false if out of memory. */
static bool append_buffers(shared_search *c) {
  sc_collide *collide = c->collide;
  sc_list *list = &collide->list;
  int64_t total = list->pairs;
  for (int t = 1; t < collide->buffers; t++) total += collide->buffer[t].contacts.count;
  if (c->failed || total > INT32_MAX || !SC_GROW_LEAN(list->pair, list->pair_capacity, (size_t)total) ||
      (list->image && !SC_GROW_LEAN(list->image, list->image_capacity, (size_t)total)))
    return false;
  for (int t = 1; t < collide->buffers; t++) {
    const sc_thread_buffer *buffer = collide->buffer + t;
    size_t count = (size_t)buffer->contacts.count;
    if (count) memcpy(list->pair + list->pairs, buffer->pair, count * sizeof *buffer->pair);
    if (count && list->image) memcpy(list->image + list->pairs, buffer->image, count * sizeof *buffer->image);
    list->pairs += buffer->contacts.count;
  }
  return true;
}

/* Finds all pairs and sorts them. Returns false if out of memory, or if too many bodies share a place
 * (c->crowd). */
static bool find_all_pairs(shared_search *c) {
  sc_collide *collide = c->collide;
  if (!collide->pool || c->grids->shapes < FEW_ROWS) {
    find_thread_part(c, 0, 1);
    if (c->failed) return false;
  } else {
    sc_pool_run(collide->pool, find_thread_part, c);
    if (!append_buffers(c)) return false;
  }
  return sc_names_sort(&collide->list, c->grids->shapes, collide->scratch);
}

static scree_status search_grids(grids *g, sc_collide *collide, scree_error *error) {
  scree_status status = g->wrap ? sc_images_check(collide, g->bodies, error) : SCREE_OK;
  if (!status) status = assign_levels(g, error);
  if (status) return status;
  if (!fill_levels(g, collide->scratch))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the neighbour grid");
  shared_search search = {.grids = g, .collide = collide, .crowd = INT32_MAX};
  if (find_all_pairs(&search)) return SCREE_OK;
  if (search.crowd < g->shapes) return sc_crowd_fail(collide, g->bodies, search.crowd, error);
  return sc_fail(error, SCREE_E_MEMORY, "no memory for the pairs of %d shapes", (int)g->shapes);
}

scree_status sc_list_search(
    sc_collide *collide, const sc_bodies *bodies, const double *spread, scree_error *error) {
  const sc_list *list = &collide->list;
  sc_arena *scratch = collide->scratch;
  sc_arena_mark mark = sc_arena_here(scratch);
  int32_t shapes = collide->poses.count;
  grids *g = SC_TAKE(scratch, grids, 1);
  if (!g) return sc_fail(error, SCREE_E_MEMORY, "no memory for the neighbour grid");
  *g = (grids){.collide = collide,
      .bodies = bodies,
      .shapes = shapes,
      .spread = spread,
      .middle = list->drifts ? 0.5 * list->span : 0,
      .half = list->drifts ? list->half : 0,
      .level_of = SC_TAKE(scratch, int8_t, shapes + 1),
      .wall = SC_TAKE(scratch, int32_t, shapes + 1),
      .wrap = bodies->cell ? SC_TAKE(scratch, sc_image, shapes + 1) : NULL,
      .strain_scale = sc_strain_factor(list)};
  bool imaged = !bodies->cell ||
      (g->wrap && SC_GROW_LEAN(collide->list.image, collide->list.image_capacity, 1));
  if (!g->level_of || !g->wall || !imaged)
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the neighbour grid");
  return sc_collide_end(collide, mark, search_grids(g, collide, error));
}
