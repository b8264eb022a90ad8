/* Inside of the drawer.
 *
 * The way of a picture: shapes become solids (solid.c: an affine map takes each to a standard form: the unit
 * ball, the unit cube...); a view casts a grid of rays at them (view.c, cast.c: for each solid the rays of
 * its box on the screen, the nearest hit stays); light.c does the same from the lamp and from directions of
 * the sky; shade.c turns hits into colours. */
#ifndef SC_DRAW_H
#define SC_DRAW_H

#include "base/base.h"
#include "base/parallel.h"
#include "scree/draw.h"

/* Standard forms. Ball: radius 1. Cube: |x|,|y|,|z| <= 1. Cylinder: radius 1, |z| <= 1. Cone: radius 1 at
 * z = -1, apex at z = 1. Capsule: radius 1, centres of caps at z = -extra and extra. Hull: planes.
 * Triangle: x, y >= 0, x + y <= 1 in the plane z = 0. */
typedef enum sc_form {
  SC_BALL,
  SC_CUBE,
  SC_ROUND, /* cylinder */
  SC_CONE,
  SC_CAPSULE,
  SC_HULL,
  SC_TRIANGLE,
  SC_FORMS
} sc_form;

typedef struct sc_solid {
  int form;
  int plane;   /* part of a half-space: it fades at its rim and casts no shadow */
  int32_t own; /* index of the shape */
  double centre[3];
  double to[9];            /* standard = to (world - centre) */
  double reach[3][3];      /* columns of half axes of a box around it, in the world */
  double middle[3];        /* of that box, from centre */
  double bound;            /* radius of a ball around centre + middle */
  double extra;            /* capsule */
  const double (*face)[4]; /* hull: n . x <= d in the shape's frame */
  int32_t faces;
} sc_solid;

typedef struct sc_solids {
  sc_solid *solid;
  size_t count, capacity;
  double low[3], high[3]; /* of what is finite, or as given */
  double rim[3];          /* by which planes reach beyond it; there they fade */
  double typical;         /* typical bounding radius of shapes */
} sc_solids;

/* Shapes as solids; half-spaces are cut to polygons about the box of all, or the def's. False without
 * memory. */
bool sc_solids_make(sc_solids *solids, const scree_draw_def *def, const scree_drawn *shapes, int64_t count);

/* A grid of rays: pixel (x, y) looks from eye along `out` or parallel to it. u and v reach from -half to
 * half across the grid. */
typedef struct sc_view {
  double eye[3], right[3], up[3], out[3];
  double half_u, half_v;
  int parallel, width, height;
} sc_view;

/* A solid on the grid, ready to be cast: point and direction of a ray in standard coordinates, at the depth
 * t0, are affine in the pixel counted from (x0, y0). */
typedef struct sc_sight {
  float p[3], px[3], py[3], d[3], dx[3], dy[3];
  float t0, near, extra;
  int32_t solid;
  int16_t x0, y0, x1, y1; /* pixels that may see it: x0 <= x < x1 */
  int8_t form;
  const double (*face)[4];
  int32_t faces;
} sc_sight;

/* What the camera sees on a grid of this size; SCREE_E_ARGUMENT where it looks nowhere. */
scree_status sc_camera_view(
    const scree_camera *camera, int width, int height, sc_view *view, scree_error *error);
/* False where the solid is outside. */
bool sc_view_sight(const sc_view *view, const sc_solid *solid, int32_t index, sc_sight *out);
/* The ray of a place on the grid (pixel centres at + 0.5). */
void sc_view_ray(const sc_view *view, double x, double y, double from[3], double along[3]);

/* Casts the rays (x + i, y + j), i < count, j < rows, of a block at the solid. depth and who receive what is
 * nearer than what they hold; row j begins at j depth_stride and j who_stride. Rays are cast SC_RAYS at a
 * time, so count is a multiple of it. */
enum { SC_RAYS = 8 };
typedef struct sc_block {
  float x, y; /* of the first ray, in pixels from the sight's (x0, y0) */
  int count, rows, depth_stride, who_stride;
} sc_block;
typedef void sc_cast(const sc_sight *sight, sc_block block, float *depth, int32_t *who);
sc_cast sc_cast_plain, sc_cast_avx2;
/* The fastest that this processor has; all give the same bits. */
sc_cast *sc_cast_choose(void);

/* ---- light.c: depth maps ---- */

/* What a parallel view sees first: depth[y][x], INFINITY where nothing is. */
typedef struct sc_map {
  float to[3][4]; /* x, y [texels] and depth of a point of the world */
  float texel;    /* edge of a texel [m] */
  float toward[3];
  int width, height;
  float *depth;
  size_t capacity;
} sc_map;

enum { SC_SKY_MOST = 64 };
typedef struct sc_light {
  sc_map lamp, sky[SC_SKY_MOST];
  int skies; /* maps in use */
  bool shadow;
  double up[3], toward[3]; /* the sky, the lamp */
  double origin[3];        /* maps count from here */
} sc_light;

/* Draws the maps of what is opaque, threads side by side. shapes tell opacities. */
bool sc_light_make(sc_light *light, sc_pool *pool, sc_cast *cast, const scree_draw_def *def,
    const sc_solids *solids, const scree_drawn *shapes);
void sc_light_free(sc_light *light);
/* Share of the lamp that reaches a point with this normal, 0..1. */
float sc_light_lamp(const sc_light *light, const double at[3], const double normal[3]);
/* Share of an open sky's light that falls on it, 0..1. */
float sc_light_sky(const sc_light *light, const double at[3], const double normal[3]);

/* ---- scan.c: what the camera sees ---- */

enum { SC_TILE = 32, SC_SAMPLES_MOST = 8, SC_LAYERS = 6 };

/* Solids on the grid, the nearest first, and for each tile the list of those that may be seen in it. */
typedef struct sc_sights {
  sc_sight *sight;
  size_t count, capacity, first_capacity, list_capacity;
  int64_t *first; /* of a tile's part of the list */
  int32_t *list;
  int across, down; /* tiles */
} sc_sights;
bool sc_sights_make(sc_sights *sights, const sc_view *view, const sc_solids *solids);
void sc_sights_free(sc_sights *sights);

/* A glass surface before what is opaque. */
typedef struct sc_layer {
  float depth;
  int32_t solid;
} sc_layer;

/* The samples of a tile: [sample][y][x]. who -1: nothing. */
typedef struct sc_tile {
  float depth[SC_SAMPLES_MOST][SC_TILE][SC_TILE];
  int32_t who[SC_SAMPLES_MOST][SC_TILE][SC_TILE];
  sc_layer layer[SC_SAMPLES_MOST][SC_TILE][SC_TILE][SC_LAYERS]; /* nearest first */
  uint8_t layers[SC_SAMPLES_MOST][SC_TILE][SC_TILE];
  int any_layers, samples;
} sc_tile;

/* Places of the samples in a pixel, no two in a row or a column. */
const float (*sc_sample_places(int samples))[2];
/* Casts all rays of tile number `index`. */
void sc_tile_scan(sc_tile *tile, const sc_sights *sights, int index, const sc_solids *solids,
    const scree_drawn *shapes, sc_cast *cast);

/* ---- shade.c ---- */

typedef struct sc_scene {
  const scree_draw_def *def;
  const scree_drawn *shapes;
  const sc_solids *solids;
  sc_light *light;
  sc_view view;
  sc_sights *sights;
  sc_cast *cast;
} sc_scene;
/* The pixels of a tile, from its samples. */
void sc_tile_shade(const sc_tile *tile, const sc_scene *scene, int index, scree_image *image);

#endif
