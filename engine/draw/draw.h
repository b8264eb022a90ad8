/* Internals of the ray caster.
 *
 * Steps of a picture: shapes become solids (solid.c). Each solid has an affine map to a standard form, such
 * as the unit ball or the unit cube. A view casts a grid of rays at the solids (view.c, cast.c). For each
 * solid, only the rays of its box on the screen are cast, and the nearest hit of each ray remains. light.c
 * casts rays from the lamp and from directions of the sky in the same way. shade.c turns hits into
 * colours. */
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
  int plane;   /* nonzero: part of a half-space, which fades at its rim and casts no shadow */
  int32_t own; /* index of the shape of this solid */
  double centre[3];
  double to[9];            /* map to standard coordinates: to (world - centre) */
  double reach[3][3];      /* half axes of a box around the solid, in world axes */
  double middle[3];        /* middle of this box, from centre */
  double bound;            /* radius of a ball around centre + middle that contains the solid */
  double extra;            /* capsule: half the distance between the centres of its caps, divided by its
                              radius */
  const double (*face)[4]; /* hull: [faces] planes n . x <= d in the shape's frame */
  int32_t faces;
} sc_solid;

typedef struct sc_solids {
  sc_solid *solid;
  size_t count, capacity;
  double low[3], high[3]; /* box of the finite shapes, or the box that the def gives */
  double rim[3];          /* distance by which planes extend beyond the box; planes fade in this rim */
  double typical;         /* typical bounding radius of the shapes [m] */
} sc_solids;

/* Makes solids of shapes. Half-spaces are cut to polygons about the box of all shapes, or about the def's
 * box. Returns false if out of memory. */
bool sc_solids_make(sc_solids *solids, const scree_draw_def *def, const scree_drawn *shapes, int64_t count);

/* A grid of rays. The ray of pixel (x, y) starts at eye and goes roughly along `out`, or starts beside eye
 * and goes along `out` if parallel. u and v range from -half to half across the grid. */
typedef struct sc_view {
  double eye[3], right[3], up[3], out[3];
  double half_u, half_v;
  int parallel, width, height;
} sc_view;

/* A solid on the grid. Point and direction of a ray in standard coordinates, at the depth t0, are affine in
 * the pixel counted from (x0, y0). */
typedef struct sc_sight {
  float p[3], px[3], py[3], d[3], dx[3], dy[3];
  float t0, near, extra;
  int32_t solid;
  int16_t x0, y0, x1, y1; /* pixels that the solid may cover: x0 <= x < x1 */
  int8_t form;
  const double (*face)[4];
  int32_t faces;
} sc_sight;

/* Computes the view of a camera on a grid of this size. SCREE_E_ARGUMENT: invalid angle, height or
 * direction. */
scree_status sc_camera_view(
    const scree_camera *camera, int width, int height, sc_view *view, scree_error *error);
/* Computes the sight of a solid. Returns false if the solid is outside the view. */
bool sc_view_sight(const sc_view *view, const sc_solid *solid, int32_t index, sc_sight *out);
/* Computes the ray of a point on the grid. The centre of pixel (x, y) is the point (x + 0.5, y + 0.5). */
void sc_view_ray(const sc_view *view, double x, double y, double from[3], double along[3]);

/* Casts the rays (x + i, y + j), i < count, j < rows, of a block at a solid. A hit nearer than depth replaces
 * depth and who. Row j begins at j depth_stride and j who_stride. count is a multiple of SC_RAYS, the number
 * of rays cast together. */
enum { SC_RAYS = 8 };
typedef struct sc_block {
  float x, y; /* first ray of the block, in pixels from (x0, y0) of sc_sight */
  int count, rows, depth_stride, who_stride;
} sc_block;
typedef void sc_cast(const sc_sight *sight, sc_block block, float *depth, int32_t *who);
sc_cast sc_cast_plain, sc_cast_avx2;
/* Returns the fastest function that this processor supports. All functions give the same bits. */
sc_cast *sc_cast_choose(void);

/* ---- light.c: depth maps ---- */

/* Depths of the first hits of a parallel view: depth[y][x], INFINITY without a hit. */
typedef struct sc_map {
  float to[3][4]; /* affine map of a point to x, y [texels] and depth */
  float texel;    /* edge of a texel [m] */
  float toward[3];
  int width, height;
  float *depth;
  size_t capacity;
} sc_map;

enum { SC_SKY_MOST = 64 };
typedef struct sc_light {
  sc_map lamp, sky[SC_SKY_MOST];
  int skies; /* number of maps in `sky` */
  bool shadow;
  double up[3], toward[3]; /* directions to the sky and to the lamp */
  double origin[3];        /* origin of the points of all maps */
} sc_light;

/* Computes the maps of the opaque shapes, on all threads. Returns false if out of memory. */
bool sc_light_make(sc_light *light, sc_pool *pool, sc_cast *cast, const scree_draw_def *def,
    const sc_solids *solids, const scree_drawn *shapes);
/* Frees the maps. */
void sc_light_free(sc_light *light);
/* Returns the share of the lamp's light that reaches a point with this normal, 0..1. */
float sc_light_lamp(const sc_light *light, const double at[3], const double normal[3]);
/* Returns the share of an open sky's light that reaches a point, 0..1. */
float sc_light_sky(const sc_light *light, const double at[3], const double normal[3]);

/* ---- scan.c: casting the camera's rays ---- */

enum { SC_TILE = 32, SC_SAMPLES_MOST = 8, SC_LAYERS = 6 };

/* Solids on the grid, the nearest first. For each tile, the list of the solids that may be visible in the
 * tile. */
typedef struct sc_sights {
  sc_sight *sight;
  size_t count, capacity, first_capacity, list_capacity;
  int64_t *first; /* [tiles + 1] start of a tile's part of the list */
  int32_t *list;
  int across, down; /* number of tiles in a row, and of rows */
} sc_sights;
/* Computes the sights and lists. Returns false if out of memory. */
bool sc_sights_make(sc_sights *sights, const sc_view *view, const sc_solids *solids);
/* Frees the arrays. */
void sc_sights_free(sc_sights *sights);

/* A glass surface in front of the opaque hit. */
typedef struct sc_layer {
  float depth;
  int32_t solid;
} sc_layer;

/* Samples of a tile. Index: [sample][y][x]. who: index of the solid that is hit, -1: no hit. */
typedef struct sc_tile {
  float depth[SC_SAMPLES_MOST][SC_TILE][SC_TILE];
  int32_t who[SC_SAMPLES_MOST][SC_TILE][SC_TILE];
  sc_layer layer[SC_SAMPLES_MOST][SC_TILE][SC_TILE][SC_LAYERS]; /* glass surfaces in front of the hit, nearest
                                                                   first */
  uint8_t layers[SC_SAMPLES_MOST][SC_TILE][SC_TILE];
  int any_layers, samples;
} sc_tile;

/* Returns the positions of the samples in a pixel. No two samples lie in one row or column. */
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
/* Computes the pixels of a tile from its samples. */
void sc_tile_shade(const sc_tile *tile, const sc_scene *scene, int index, scree_image *image);

#endif
