/* Internals of the ray caster.
 *
 * Steps of a picture: shapes become solids (solid.c). Each solid has an affine transformation to a standard
 * form, such as the unit ball or the unit cube. A view casts a grid of rays at the solids (view.c, cast.c).
 * Only the rays in the box of a solid on the screen are cast at this solid. The nearest hit of each ray
 * counts. light.c casts rays from the lamp and from directions of the sky in the same way. shade.c turns hits
 * into colours. */
#ifndef SC_DRAW_H
#define SC_DRAW_H

#include "base/base.h"
#include "base/parallel.h"
#include "scree/draw.h"

/* Standard forms of solids. Ball: radius 1. Cube: |x|,|y|,|z| <= 1. Cylinder: radius 1, |z| <= 1. Cone:
 * radius 1 at z = -1, apex at z = 1. Capsule: radius 1, centres of caps at z = -extra and extra
 * (sc_solid.extra). Hull: the inside of its planes. Triangle: x, y >= 0, x + y <= 1 in the plane z = 0. */
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
  /* nonzero: the solid is part of a half-space; it fades in the rim around the box of the shapes and casts no
   * shadow */
  int plane;
  int32_t own; /* index of the shape to which this solid belongs */
  double centre[3];
  /* matrix of the transformation of a point x to standard coordinates: to (x - centre) */
  double to[9];
  double reach[3][3];      /* half axes of a box around the solid, in world axes */
  double middle[3];        /* middle of this box, relative to `centre` */
  double bound;            /* radius of a ball around centre + middle that contains the solid */
  double extra;            /* capsule: half the distance between the centres of its caps, divided by its
                              radius */
  const double (*face)[4]; /* hull: [faces] planes n . x <= d in the shape's frame */
  int32_t faces;
} sc_solid;

typedef struct sc_solids {
  sc_solid *solid;
  size_t count, capacity;
  double low[3], high[3]; /* box around all shapes except half-spaces, or the box in scree_draw_def */
  /* distance along each axis by which planes extend beyond the box; they fade towards its end [m] */
  double rim[3];
  double typical; /* typical bounding radius of the shapes [m] */
} sc_solids;

/* Makes solids of the shapes with opacity > 0. Half-spaces become polygons, which are cut to the box
 * low..high enlarged by the rim. Returns false if out of memory. */
bool sc_solids_make(sc_solids *solids, const scree_draw_def *def, const scree_drawn *shapes, int64_t count);

/* A grid of rays through the pixels of a picture. At position (u, v), with u in -half_u..half_u and v in
 * -half_v..half_v, the ray starts at `eye` and has the direction out + u right + v up. If parallel, the ray
 * starts at eye + u right + v up and has the direction `out`. */
typedef struct sc_view {
  double eye[3], right[3], up[3], out[3];
  double half_u, half_v;
  int parallel, width, height;
} sc_view;

/* The projection of a solid onto the grid of rays. For the pixel (x0 + x, y0 + y), the point of the ray at
 * depth t0 is p + x px + y py, and its direction is d + x dx + y dy, both in standard coordinates of the
 * solid. */
typedef struct sc_sight {
  float p[3], px[3], py[3], d[3], dx[3], dy[3];
  float t0, near, extra;
  int32_t solid;
  int16_t x0, y0, x1, y1; /* pixels that the solid may cover: x0 <= x < x1 */
  int8_t form;
  const double (*face)[4];
  int32_t faces;
} sc_sight;

/* Computes the view of a camera on a grid of width x height pixels. Returns SCREE_E_ARGUMENT for an invalid
 * angle, height or direction. */
scree_status sc_camera_view(
    const scree_camera *camera, int width, int height, sc_view *view, scree_error *error);
/* Computes the sight of a solid. index: index of the solid. Returns false if the solid is outside the
 * view. */
bool sc_view_sight(const sc_view *view, const sc_solid *solid, int32_t index, sc_sight *out);
/* Computes the ray through a point of the grid, which starts at `from` and has the direction `along`. The
 * centre of pixel (x, y) is the point (x + 0.5, y + 0.5). */
void sc_view_ray(const sc_view *view, double x, double y, double from[3], double along[3]);

enum { SC_RAYS = 8 }; /* number of rays that are cast together */

/* A block of rays. The ray of row j < rows and column i < count is at pixel (x + i, y + j). count is a
 * multiple of SC_RAYS. Arrays with one entry per ray, such as depth and who of sc_cast, have the entry of row
 * j, column 0 at j depth_stride or j who_stride. */
typedef struct sc_block {
  float x, y; /* first ray of the block, in pixels from (x0, y0) of sc_sight */
  int count, rows, depth_stride, who_stride;
} sc_block;
/* Casts the rays of a block at a solid. depth, who: depth and solid of the nearest hit of each ray so far. A
 * nearer hit in front of the eye replaces them. */
typedef void sc_cast(const sc_sight *sight, sc_block block, float *depth, int32_t *who);
sc_cast sc_cast_plain, sc_cast_avx2;
/* Returns the fastest function that this processor supports. All functions give the same bits. */
sc_cast *sc_cast_choose(void);

/* ---- light.c: depth maps ---- */

/* Depth map: depth[y][x] is the depth at which the parallel ray through texel (x, y) first hits a shape;
 * INFINITY without a hit. */
typedef struct sc_map {
  /* affine transformation of a point, relative to sc_light.origin, to x, y [texels] and depth [m] */
  float to[3][4];
  float texel; /* edge of a texel [m] */
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
  double origin[3];        /* point relative to which all maps take points */
} sc_light;

/* Computes the depth maps of the lamp and of the sky, with the opaque shapes, on all threads of the pool.
 * Returns false if out of memory. */
bool sc_light_make(sc_light *light, sc_pool *pool, sc_cast *cast, const scree_draw_def *def,
    const sc_solids *solids, const scree_drawn *shapes);
/* Frees the depth maps. */
void sc_light_free(sc_light *light);
/* Returns the share of the lamp's light that reaches the point `at`, 0..1. normal: unit normal of the surface
 * at the point. */
float sc_light_lamp(const sc_light *light, const double at[3], const double normal[3]);
/* Returns the light that the sky sheds on the point `at`, divided by the light of an open sky on a horizontal
 * surface, 0..1. normal: unit normal of the surface at the point. */
float sc_light_sky(const sc_light *light, const double at[3], const double normal[3]);

/* ---- scan.c: casting the camera's rays ---- */

enum { SC_TILE = 32, SC_SAMPLES_MOST = 8, SC_LAYERS = 6 };

/* The sights of all visible solids, sorted by depth, the nearest first. `list` contains, tile after tile, the
 * indices of the sights that cover pixels of the tile. */
typedef struct sc_sights {
  sc_sight *sight;
  size_t count, capacity, first_capacity, list_capacity;
  int64_t *first; /* [tiles + 1] index in `list` of the first entry of each tile */
  int32_t *list;
  int across, down; /* number of tiles in a row; number of rows of tiles */
} sc_sights;
/* Computes the sights of the solids in a view, and the lists of the tiles. Returns false if out of memory. */
bool sc_sights_make(sc_sights *sights, const sc_view *view, const sc_solids *solids);
/* Frees the arrays in *sights. */
void sc_sights_free(sc_sights *sights);

/* A glass surface that a ray passes before it hits an opaque solid. solid: index of the glass solid. */
typedef struct sc_layer {
  float depth;
  int32_t solid;
} sc_layer;

/* Hits of the rays through the samples of a tile, indexed [sample][y][x]. depth, who: depth and solid of the
 * first opaque hit, INFINITY and -1 without a hit. */
typedef struct sc_tile {
  float depth[SC_SAMPLES_MOST][SC_TILE][SC_TILE];
  int32_t who[SC_SAMPLES_MOST][SC_TILE][SC_TILE];
  sc_layer layer[SC_SAMPLES_MOST][SC_TILE][SC_TILE][SC_LAYERS]; /* glass surfaces in front of the hit, nearest
                                                                   first */
  uint8_t layers[SC_SAMPLES_MOST][SC_TILE][SC_TILE];
  int any_layers, samples;
} sc_tile;

/* Returns the positions of the samples in a pixel, in [0, 1). samples: 1, 4 or 8. No two samples lie in one
 * row or column. */
const float (*sc_sample_places(int samples))[2];
/* Casts all rays of the tile with an index at the solids of its list, and writes the hits to *tile. */
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
/* Computes the pixels of the tile with an index from its hits, and writes them to the image. */
void sc_tile_shade(const sc_tile *tile, const sc_scene *scene, int index, scree_image *image);

#endif
