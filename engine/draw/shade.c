/* Computes the colours of hits, and from them the pixels.
 *
 * Light is summed in linear amounts. A linear amount is the square of the stored value, because the
 * brightness of a display is about the square of the value. The code therefore needs no function except the
 * square root. */
#include "draw/draw.h"
#include "math/vec.h"

/* Linear amounts of red, green and blue light, 0..1. */
typedef struct light_rgb {
  float c[3];
} light_rgb;

static light_rgb amount_of(const unsigned char rgb[3]) {
  light_rgb out;
  for (int k = 0; k < 3; k++) out.c[k] = (float)rgb[k] / 255 * ((float)rgb[k] / 255);
  return out;
}

static light_rgb mix_light(light_rgb a, light_rgb b, float share) {
  for (int k = 0; k < 3; k++) a.c[k] += share * (b.c[k] - a.c[k]);
  return a;
}

static light_rgb background_of(const sc_scene *scene, int y) {
  float share = ((float)y + 0.5f) / (float)scene->view.height;
  return mix_light(amount_of(scene->def->background[0]), amount_of(scene->def->background[1]), share);
}

/* ---- surfaces ---- */

/* A point at which a ray hits a solid. */
typedef struct hit {
  const sc_solid *solid;
  double at[3], normal[3], toward[3]; /* position, unit normal of the surface, unit vector towards the eye */
  /* distance on the screen to the nearest sharp edge of a box or hull [pixels]; INFINITY if no edge is
   * drawn */
  double crease;
} hit;

/* Computes a normal vector of the surface of a solid's standard form at the point p, of any length, in
 * standard coordinates. */
static void standard_normal(const sc_solid *s, const double p[3], double out[3]) {
  double across = sqrt(p[0] * p[0] + p[1] * p[1]), most = -INFINITY;
  double x = fabs(p[0]), y = fabs(p[1]), z = fabs(p[2]);
  sc_copy3(p, out);
  switch (s->form) {
  case SC_CUBE:
    sc_set3(x > y && x > z ? p[0] : 0, y >= x && y > z ? p[1] : 0, z >= x && z >= y ? p[2] : 0, out);
    break;
  case SC_ROUND:
    if (z >= 1 - 1e-4 && across < 1 - 1e-4 * (z < 1)) sc_set3(0, 0, p[2], out);
    else out[2] = 0;
    break;
  case SC_CONE:
    if (p[2] < -1 + 1e-4 && across < 1 - 1e-3) sc_set3(0, 0, -1, out);
    else out[2] = across / 2;
    break;
  case SC_CAPSULE: out[2] -= p[2] > s->extra ? s->extra : p[2] < -s->extra ? -s->extra : p[2]; break;
  case SC_HULL:
    for (int32_t f = 0; f < s->faces; f++) {
      double over = sc_dot(s->face[f], p) - s->face[f][3];
      if (over > most) most = over, sc_copy3(s->face[f], out);
    }
    break;
  case SC_TRIANGLE: sc_set3(0, 0, 1, out); break;
  default: break;
  }
}

/* An edge is drawn if the cosine of the angle between the normals of its faces is below this value. */
static const double SHARP = 0.9;

static double crease_of_cube(const sc_solid *s, const double p[3], const double normal[3]) {
  double least = INFINITY;
  for (int k = 0; k < 3; k++)
    if (normal[k] == 0) least = fmin(least, (1 - fabs(p[k])) / sc_norm(s->to + 3 * k));
  return least;
}

static double crease_of_hull(const sc_solid *s, const double p[3], const double normal[3]) {
  double least = INFINITY;
  for (int32_t f = 0; f < s->faces; f++)
    if (sc_dot(s->face[f], normal) < SHARP) least = fmin(least, s->face[f][3] - sc_dot(s->face[f], p));
  return least;
}

/* Returns the distance on the screen between a surface point and the nearest drawn edge of its solid
 * [pixels]. Returns INFINITY for solids narrower than WIDE pixels, and for forms without drawn edges. p: the
 * point in standard coordinates. normal: of the standard form at the point. */
static double crease_of(
    const sc_scene *scene, const sc_solid *s, const double p[3], const double normal[3], double depth) {
  enum { WIDE = 12 };
  const sc_view *v = &scene->view;
  double pixel = 2 * v->half_v / v->height * (v->parallel ? 1 : depth);
  if ((s->form != SC_CUBE && s->form != SC_HULL) || s->bound < WIDE * pixel) return INFINITY;
  return (s->form == SC_CUBE ? crease_of_cube(s, p, normal) : crease_of_hull(s, p, normal)) / pixel;
}

static hit find_hit(const sc_scene *scene, int32_t solid, float depth, float x, float y) {
  hit h = {.solid = scene->solids->solid + solid};
  double from[3], along[3], p[3], local[3], normal[3];
  sc_view_ray(&scene->view, (double)x, (double)y, from, along);
  sc_axpy((double)depth, along, from, h.at);
  sc_sub(h.at, h.solid->centre, p);
  sc_mat_vec(h.solid->to, p, local);
  standard_normal(h.solid, local, normal);
  h.crease = crease_of(scene, h.solid, local, normal, (double)depth);
  sc_mat_tvec(h.solid->to, normal, h.normal);
  sc_normalise(h.normal, h.normal);
  sc_normalise(along, h.toward);
  sc_scale(-1, h.toward, h.toward);
  if (h.solid->form == SC_TRIANGLE && sc_dot(h.normal, h.toward) < 0) sc_scale(-1, h.normal, h.normal);
  return h;
}

/* Returns the brightness of the lamp's highlight at a hit: the 32nd power of the cosine between the normal
 * and the half vector, the direction midway between lamp and eye. */
static float gloss_of(const sc_light *light, const hit *h) {
  double half[3], c;
  sc_add(light->toward, h->toward, half);
  sc_normalise(half, half);
  c = fmax(0, sc_dot(half, h->normal));
  for (int i = 0; i < 5; i++) c *= c;
  return (float)c;
}

/* Returns how much a plane has faded at a hit, from 0 inside the box of the shapes to 1 at the end of its
 * rim. */
static float fading_of(const sc_scene *scene, const hit *h) {
  const sc_solids *all = scene->solids;
  double square = 0;
  for (int k = 0; k < 3; k++) {
    double off = fmax(0, fmax(all->low[k] - h->at[k], h->at[k] - all->high[k]));
    if (off > 0) square += off / all->rim[k] * (off / all->rim[k]);
  }
  double x = fmin(1, sqrt(square));
  return (float)(x * x * (3 - 2 * x));
}

static light_rgb shade_hit(const sc_scene *scene, const hit *h, float sky) {
  const sc_light *light = scene->light;
  const scree_drawn *d = scene->shapes + h->solid->own;
  light_rgb own = amount_of(d->color);
  float slope = (float)fmax(0, sc_dot(h->normal, light->toward)),
        height = (float)sc_dot(h->normal, light->up);
  float lamp = slope > 0 ? sc_light_lamp(light, h->at, h->normal) : 0;
  float floor = 0.5f - 0.5f * height;
  /* shadows on planes are faint, because planes are only the background of the shapes */
  if (h->solid->plane) lamp = 0.4f + 0.6f * lamp, sky = 0.45f * (0.5f + 0.5f * height) + 0.55f * sky;
  /* adds light that neighbouring shapes and the floor reflect */
  sky = 0.85f * sky + 0.15f * sky * sky + 0.22f * floor;
  float diffuse = 0.62f * sky + 0.72f * slope * lamp;
  float shine = h->solid->plane ? 0 : 0.10f * lamp * gloss_of(light, h);
  /* the surface is darker within 1.5 pixels of an edge */
  diffuse *= 1 - 0.45f * (float)fmax(0, fmin(1, 1.5 - h->crease));
  for (int k = 0; k < 3; k++) own.c[k] = own.c[k] * diffuse + shine;
  return own;
}

/* Mixes the colour of glass with the light behind it. Glass is more opaque at grazing angles. */
static light_rgb through_glass(const sc_scene *scene, const hit *h, light_rgb behind) {
  const scree_drawn *d = scene->shapes + h->solid->own;
  float side = 1 - (float)fabs(sc_dot(h->normal, h->toward)), share = (float)d->opacity;
  float light = 0.6f + 0.4f * (float)fmax(0, sc_dot(h->normal, scene->light->toward));
  light_rgb own = amount_of(d->color);
  for (int k = 0; k < 3; k++) own.c[k] *= light;
  share += (1 - share) * 0.5f * side * side * side;
  if (h->solid->plane) share *= 1 - fading_of(scene, h);
  return mix_light(behind, own, share);
}

/* ---- pixels ---- */

/* Light of the sky on the solids in a square of SQUARE x SQUARE pixels. The pixels share this light if they
 * hit the same solid, because it varies slowly. who: index of the solid. */
enum { SQUARE = 2, KNOWN = 8 };
typedef struct skies {
  int32_t who[KNOWN];
  float light[KNOWN];
  int count;
} skies;

static float sky_of(const sc_scene *scene, skies *known, int32_t who, const hit *h) {
  for (int i = 0; i < known->count; i++)
    if (known->who[i] == who) return known->light[i];
  float light = sc_light_sky(scene->light, h->at, h->normal);
  if (known->count < KNOWN) known->who[known->count] = who, known->light[known->count++] = light;
  return light;
}

/* A pixel. Samples of the pixel that hit the same solid share one colour. */
typedef struct pixel {
  const sc_tile *tile;
  skies *known;
  int x, y;         /* position in the tile [pixels] */
  float left, top;  /* position in the picture [pixels] */
  light_rgb behind; /* colour of the background */
} pixel;

static light_rgb opaque_color(const sc_scene *scene, const pixel *p, int sample) {
  const float(*place)[2] = sc_sample_places(p->tile->samples);
  int32_t who = p->tile->who[sample][p->y][p->x];
  if (who < 0) return p->behind;
  hit h = find_hit(
      scene, who, p->tile->depth[sample][p->y][p->x], p->left + place[sample][0], p->top + place[sample][1]);
  light_rgb c = shade_hit(scene, &h, sky_of(scene, p->known, who, &h));
  return h.solid->plane ? mix_light(c, p->behind, fading_of(scene, &h)) : c;
}

static light_rgb add_glass(const sc_scene *scene, const pixel *p, int sample, light_rgb c) {
  const float(*place)[2] = sc_sample_places(p->tile->samples);
  for (int i = p->tile->layers[sample][p->y][p->x]; i-- > 0;) {
    const sc_layer *layer = p->tile->layer[sample][p->y][p->x] + i;
    hit h = find_hit(
        scene, layer->solid, layer->depth, p->left + place[sample][0], p->top + place[sample][1]);
    c = through_glass(scene, &h, c);
  }
  return c;
}

static void put_pixel(const light_rgb *sum, int samples, unsigned char rgb[3]) {
  for (int k = 0; k < 3; k++) {
    float value = sqrtf(sum->c[k] / (float)samples) * 255 + 0.5f;
    rgb[k] = (unsigned char)(value < 255 ? value : 255);
  }
}

static void shade_pixel(const sc_scene *scene, const pixel *p, unsigned char rgb[3]) {
  const sc_tile *tile = p->tile;
  light_rgb sum = {{0}}, known[SC_SAMPLES_MOST];
  for (int s = 0; s < tile->samples; s++) {
    int like = 0;
    while (tile->who[like][p->y][p->x] != tile->who[s][p->y][p->x]) like++;
    known[s] = like < s ? known[like] : opaque_color(scene, p, s);
    light_rgb c = tile->any_layers ? add_glass(scene, p, s, known[s]) : known[s];
    for (int k = 0; k < 3; k++) sum.c[k] += c.c[k];
  }
  put_pixel(&sum, tile->samples, rgb);
}

/* Computes the SQUARE x SQUARE pixels from (x, y) on in a tile. left, top: position of the tile in the
 * picture [pixels]. */
static void shade_square(
    const sc_tile *tile, const sc_scene *scene, int left, int top, int x, int y, scree_image *image) {
  skies known = {.count = 0};
  for (int j = y; j < y + SQUARE && top + j < image->height; j++)
    for (int i = x; i < x + SQUARE && left + i < image->width; i++) {
      pixel p = {tile, &known, i, j, (float)(left + i), (float)(top + j), background_of(scene, top + j)};
      shade_pixel(
          scene, &p, image->rgb + 3 * ((size_t)(top + j) * (size_t)image->width + (size_t)(left + i)));
    }
}

void sc_tile_shade(const sc_tile *tile, const sc_scene *scene, int index, scree_image *image) {
  int left = index % scene->sights->across * SC_TILE, top = index / scene->sights->across * SC_TILE;
  for (int y = 0; y < SC_TILE && top + y < image->height; y += SQUARE)
    for (int x = 0; x < SC_TILE && left + x < image->width; x += SQUARE)
      shade_square(tile, scene, left, top, x, y, image);
}
