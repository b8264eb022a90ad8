/* Light: one lamp far away, and a sky of uniform brightness.
 *
 * A depth map contains the depths at which parallel rays from the light first hit a shape. A point is lit if
 * the map has no hit in front of the point. The sky consists of many such maps (Pharr and Green 2004 call it
 * ambient occlusion by shadow maps). The directions of the maps are distributed uniformly over the upper half
 * of the sphere. The light on a surface with normal n is therefore the sum of 2 (n . w) over the visible
 * directions w, divided by the number of all directions. */
#include "draw/draw.h"
#include "math/vec.h"

/* Limits of depth maps. A map is not larger than SCREE_IMAGE_MOST pixels on a side, because pixel numbers of
 * a sight are int16_t and draw_map reserves SCREE_IMAGE_MOST entries for a row. */
enum {
  LAMP_TEXELS = 3000000, /* largest number of texels of the lamp's map */
  SKY_TEXELS = 500000,   /* largest number of texels of each map of the sky */
  /* number of texels per typical radius of a shape, in the lamp's map */
  LAMP_FINE = 14,
  /* number of texels per typical radius of a shape, in a map of the sky */
  SKY_FINE = 6,
  MAP_SIDE = SCREE_IMAGE_MOST - 2 * SC_RAYS /* largest number of texels on a side of a map, without its rim */
};

/* ---- directions ---- */

/* Computes direction k of `count` directions that are distributed uniformly over the half sphere about `up`.
 * The heights of the directions differ by equal steps. Successive directions are rotated by the golden
 * angle. */
static void sky_direction(const double up[3], int k, int count, double out[3]) {
  /* cosine and sine of 137.50776 degrees */
  const double c0 = -0.73736887807831963, s0 = 0.67549029426152396;
  double t[3], o[3], c = 1, s = 0, z = (k + 0.5) / count, across = sqrt(1 - z * z);
  for (int i = 0; i < k; i++) {
    double turned = c * c0 - s * s0;
    s = c * s0 + s * c0, c = turned;
  }
  sc_frame(up, t, o);
  for (int i = 0; i < 3; i++) out[i] = z * up[i] + across * (c * t[i] + s * o[i]);
}

/* ---- making maps ---- */

/* Returns a parallel view in the direction -toward that contains the box of all solids and a rim of two
 * texels. Sets width, height and texel of the map. fine: texels per typical radius of a solid; most: largest
 * number of texels. */
static sc_view make_light_view(sc_map *m, const sc_solids *all, const double toward[3], int fine, int most) {
  sc_view v = {.parallel = 1};
  double middle[3], half[3], reach[3] = {0};
  sc_normalise(toward, v.out);
  sc_frame(v.out, v.right, v.up);
  sc_scale(-1, v.out, v.out);
  for (int k = 0; k < 3; k++) {
    middle[k] = (all->low[k] + all->high[k]) / 2, half[k] = (all->high[k] - all->low[k]) / 2;
    reach[0] += fabs(v.right[k]) * half[k], reach[1] += fabs(v.up[k]) * half[k],
        reach[2] += fabs(v.out[k]) * half[k];
  }
  const double area = reach[0] * reach[1];
  double texel = fmax(
      all->typical / fine, 2 * (isfinite(area) ? sqrt(area / most) : sqrt(reach[0] / most) * sqrt(reach[1])));
  /* if a shape lies far away in one direction, the map is long and thin */
  texel = fmax(texel, 2 * fmax(reach[0], reach[1]) / MAP_SIDE);
  if (!(texel > 0 && isfinite(texel + reach[0] + reach[1]))) texel = 1, reach[0] = reach[1] = 0;
  m->width = ((int)fmin(2 * reach[0] / texel, MAP_SIDE) + 4 + SC_RAYS) / SC_RAYS * SC_RAYS,
  m->height = (int)fmin(2 * reach[1] / texel, MAP_SIDE) + 5;
  m->texel = (float)texel;
  v.width = m->width, v.height = m->height;
  v.half_u = 0.5 * texel * m->width, v.half_v = 0.5 * texel * m->height;
  sc_axpy(-(2 * reach[2] + 4 * texel), v.out, middle, v.eye);
  return v;
}

/* Sets the affine transformation from a point, relative to `origin`, to its texel coordinates x, y and its
 * depth in the view. */
static void set_light_map(sc_map *m, const sc_view *v, const double origin[3]) {
  double eye[3], rows[3][3], shift[3] = {m->width / 2.0, m->height / 2.0, 0};
  sc_scale(1 / (double)m->texel, v->right, rows[0]);
  sc_scale(-1 / (double)m->texel, v->up, rows[1]);
  sc_copy3(v->out, rows[2]);
  sc_sub(v->eye, origin, eye);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) m->to[i][k] = (float)rows[i][k];
    m->to[i][3] = (float)(shift[i] - sc_dot(rows[i], eye));
    m->toward[i] = (float)-v->out[i];
  }
}

typedef struct job {
  sc_light *light;
  sc_cast *cast;
  const sc_solids *solids;
  const scree_drawn *shapes;
  sc_view view[SC_SKY_MOST + 1];
  sc_map *map[SC_SKY_MOST + 1];
  int maps;
} job;

static void draw_map(const job *j, int k) {
  sc_map *m = j->map[k];
  int32_t who[SCREE_IMAGE_MOST];
  for (int64_t i = 0; i < (int64_t)m->width * m->height; i++) m->depth[i] = INFINITY;
  for (size_t i = 0; i < j->solids->count; i++) {
    const sc_solid *s = j->solids->solid + i;
    sc_sight g;
    if (s->plane || j->shapes[s->own].opacity < 1 || !sc_view_sight(j->view + k, s, 0, &g)) continue;
    /* x0 and x1 are multiples of SC_RAYS. They stay within the row, because its width is a multiple, too */
    int x0 = g.x0 - g.x0 % SC_RAYS, x1 = g.x1 + (m->width - g.x1) % SC_RAYS;
    sc_block block = {(float)(x0 - g.x0) + 0.5f, 0.5f, x1 - x0, g.y1 - g.y0, m->width, 0};
    j->cast(&g, block, m->depth + (int64_t)g.y0 * m->width + x0, who);
  }
}

static void draw_maps(void *context, int thread, int threads) {
  for (int k = thread; k < ((job *)context)->maps; k += threads) draw_map(context, k);
}

static bool add_map(job *j, sc_map *m, const double toward[3], int fine, int most) {
  j->view[j->maps] = make_light_view(m, j->solids, toward, fine, most);
  set_light_map(m, j->view + j->maps, j->light->origin);
  j->map[j->maps++] = m;
  return SC_GROW(m->depth, m->capacity, (size_t)m->width * (size_t)m->height);
}

bool sc_light_make(sc_light *light, sc_pool *pool, sc_cast *cast, const scree_draw_def *def,
    const sc_solids *solids, const scree_drawn *shapes) {
  job j = {.light = light, .cast = cast, .solids = solids, .shapes = shapes};
  double toward[3];
  light->skies = solids->count ? def->sky : 0;
  light->shadow = def->shadow && solids->count;
  for (int k = 0; k < 3; k++) light->origin[k] = (solids->low[k] + solids->high[k]) / 2;
  sc_normalise(def->up, light->up);
  sc_normalise(def->lamp, light->toward);
  if (light->shadow && !add_map(&j, &light->lamp, light->toward, LAMP_FINE, LAMP_TEXELS)) return false;
  for (int k = 0; k < light->skies; k++) {
    sky_direction(light->up, k, light->skies, toward);
    if (!add_map(&j, light->sky + k, toward, SKY_FINE, SKY_TEXELS)) return false;
  }
  sc_pool_run(pool, draw_maps, &j);
  return true;
}

void sc_light_free(sc_light *light) {
  sc_free(light->lamp.depth);
  for (int k = 0; k < SC_SKY_MOST; k++) sc_free(light->sky[k].depth);
}

/* ---- lookup in maps ---- */

static void to_light_origin(
    const sc_light *light, const double at[3], const double normal[3], float p[3], float n[3]) {
  for (int k = 0; k < 3; k++) p[k] = (float)(at[k] - light->origin[k]), n[k] = (float)normal[k];
}

/* Computes the texel coordinates and the depth of a surface point in a map. The point is first moved along
 * its normal n by `off` texels, so that the surface does not shade itself. */
static inline void locate_point(
    const sc_map *m, const float at[3], const float n[3], float off, float out[3]) {
  float p[3];
  for (int k = 0; k < 3; k++) p[k] = at[k] + off * m->texel * n[k];
  for (int i = 0; i < 3; i++)
    out[i] = m->to[i][0] * p[0] + m->to[i][1] * p[1] + m->to[i][2] * p[2] + m->to[i][3];
}

/* Returns the visibility of a point at this depth in texel (x, y): 1 if the map has no hit in front of the
 * point, 0 if it has a hit more than one texel length in front. Values in between vary linearly. */
static inline float open_at(const sc_map *m, int x, int y, float depth) {
  if (x < 0 || y < 0 || x >= m->width || y >= m->height) return 1;
  float over = (m->depth[(int64_t)y * m->width + x] - depth) / m->texel + 1;
  return over > 1 ? 1 : over > 0 ? over : 0;
}

/* Returns the index of the texel that contains coordinate x; -9 if x is far outside. */
static inline int texel_of(float x) {
  if (!(x > -1e6f && x < 1e6f)) return -9;
  int whole = (int)x;
  return whole - (x < (float)whole);
}

float sc_light_lamp(const sc_light *light, const double at[3], const double normal[3]) {
  if (!light->shadow) return 1;
  const sc_map *m = &light->lamp;
  float p[3], n[3], q[3], sum = 0;
  to_light_origin(light, at, normal, p, n);
  locate_point(m, p, n, 2, q);
  float x = q[0] - 1.5f, y = q[1] - 1.5f;
  int ix = texel_of(x), iy = texel_of(y);
  float fx = x - (float)ix, fy = y - (float)iy;
  /* mean visibility over a square of 3 x 3 texels about the point; texels at the rim of the square have
   * smaller weights */
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < 4; i++) {
      float wx = i == 0 ? 1 - fx : i == 3 ? fx : 1, wy = j == 0 ? 1 - fy : j == 3 ? fy : 1;
      sum += wx * wy * open_at(m, ix + i, iy + j, q[2]);
    }
  return sum / 9;
}

float sc_light_sky(const sc_light *light, const double at[3], const double normal[3]) {
  float p[3], n[3], q[3], sum = 0, height = (float)sc_dot(normal, light->up);
  to_light_origin(light, at, normal, p, n);
  if (!light->skies) return 0.5f + 0.5f * height;
  for (int k = 0; k < light->skies; k++) {
    const sc_map *m = light->sky + k;
    float slope = n[0] * m->toward[0] + n[1] * m->toward[1] + n[2] * m->toward[2];
    if (slope <= 0) continue;
    locate_point(m, p, n, 1.5f, q);
    sum += slope * open_at(m, texel_of(q[0]), texel_of(q[1]), q[2]);
  }
  return 2 * sum / (float)light->skies;
}
