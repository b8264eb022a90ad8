/* Pictures: areas, order, light, glass, planes; the same bytes on any number of threads; PNG files that hold
 * what was drawn. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include "base/base.h"
#include "scree/draw.h"
#include "scree/geometry.h"

enum { WIDTH = 200, HEIGHT = 120 };

static scree_drawn ball(double x, double y, double z, double radius, int red, int green, int blue) {
  return (scree_drawn){.type = SCREE_SPHERE,
      .position = {x, y, z},
      .orientation = {1, 0, 0, 0},
      .radius = radius,
      .color = {(unsigned char)red, (unsigned char)green, (unsigned char)blue},
      .opacity = 1};
}

static scree_drawn plane(double nx, double ny, double nz) {
  return (scree_drawn){.type = SCREE_HALFSPACE,
      .normal = {nx, ny, nz},
      .orientation = {1, 0, 0, 0},
      .color = {200, 200, 200},
      .opacity = 1};
}

/* From above (x to the right, y up), without sky and shadow, on black; the height shows 2.4 m. */
static scree_draw_def from_above(void) {
  scree_draw_def def = scree_draw_defaults();
  def.camera = (scree_camera){.position = {0, 0, 10}, .up = {0, 1, 0}, .height = 2.4};
  def.up[2] = 1;
  def.sky = def.shadow = 0;
  memset(def.background, 0, sizeof def.background);
  return def;
}

static void draw(
    const scree_draw_def *def, const scree_drawn *shapes, int64_t count, int threads, scree_image *image) {
  scree_error error = {SCREE_OK, ""};
  scree_drawer *drawer = scree_drawer_create(threads);
  assert_non_null(drawer);
  if (!image->rgb) assert_int_equal(scree_image_create(WIDTH, HEIGHT, image, &error), SCREE_OK);
  if (scree_draw(drawer, def, shapes, count, image, &error)) fail_msg("%s", error.text);
  scree_drawer_destroy(drawer);
}

static const unsigned char *pixel(const scree_image *image, int x, int y) {
  return image->rgb + 3 * (y * image->width + x);
}
static int brightness(const scree_image *image, int x, int y) {
  const unsigned char *p = pixel(image, x, y);
  return p[0] + p[1] + p[2];
}

/* A body far away makes the maps of the light long and thin; their sides are bounded, and the near bodies
 * are lit. */
static void far_away(void **state) {
  (void)state;
  scree_draw_def def = from_above();
  scree_image m = {0};
  def.sky = 8, def.shadow = 1;
  for (double far = 30; far < 1e9; far *= 3)
    for (int axis = 0; axis < 3; axis++) {
      const double sign = axis == 2 ? -1 : 1; /* below, out of the lamp's way */
      scree_drawn shapes[3] = {
          ball(0, 0, 0, 0.7, 255, 255, 255), ball(0, 0, 0, 1e-3, 255, 255, 255), plane(0, 0, 1)};
      shapes[1].position[axis] = sign * far, shapes[2].position[2] = -2;
      draw(&def, shapes, 3, 1, &m);
      assert_true(brightness(&m, WIDTH / 2, HEIGHT / 2) > 200);
    }
  scree_image_free(&m);
}

/* The share of covered pixels is the ball's cross-section. */
static void area(void **state) {
  (void)state;
  scree_drawn one = ball(0.1, -0.2, 0, 0.7, 255, 255, 255);
  scree_draw_def def = from_above();
  scree_image m = {0};
  def.samples = 1;
  draw(&def, &one, 1, 1, &m);
  double covered = 0, x = 0, y = 0;
  for (int j = 0; j < HEIGHT; j++)
    for (int i = 0; i < WIDTH; i++)
      if (brightness(&m, i, j) > 60) covered++, x += i + 0.5, y += j + 0.5;
  double pixel_area = (2.4 / HEIGHT) * (2.4 / HEIGHT), pi = acos(-1);
  assert_float_equal(covered * pixel_area, pi * 0.49, 0.01 * pi * 0.49);
  assert_float_equal((x / covered - WIDTH / 2.0) * 2.4 / HEIGHT, 0.1, 0.01);
  assert_float_equal((HEIGHT / 2.0 - y / covered) * 2.4 / HEIGHT, -0.2, 0.01);
  scree_image_free(&m);
}

/* The nearer ball hides the farther one, whichever comes first. */
static void order(void **state) {
  (void)state;
  scree_drawn two[2] = {ball(0, 0, 0, 0.5, 255, 0, 0), ball(0, 0, 1, 0.3, 0, 255, 0)},
              turned[2] = {two[1], two[0]};
  scree_draw_def def = from_above();
  scree_image a = {0}, b = {0};
  draw(&def, two, 2, 1, &a);
  draw(&def, turned, 2, 1, &b);
  assert_true(pixel(&a, WIDTH / 2, HEIGHT / 2)[1] > 2 * pixel(&a, WIDTH / 2, HEIGHT / 2)[0]);
  assert_true(pixel(&a, WIDTH / 2 + 20, HEIGHT / 2)[0] > 2 * pixel(&a, WIDTH / 2 + 20, HEIGHT / 2)[1]);
  assert_memory_equal(a.rgb, b.rgb, 3 * WIDTH * HEIGHT);
  scree_image_free(&a);
  scree_image_free(&b);
}

/* Glass lets the colour behind through, and takes part of it. */
static void glass(void **state) {
  (void)state;
  scree_drawn two[2] = {ball(0, 0, 0, 0.5, 255, 0, 0),
      {.type = SCREE_BOX,
          .position = {0, 0, 2},
          .orientation = {1, 0, 0, 0},
          .size = {0.4, 3, 0.1},
          .color = {0, 0, 255},
          .opacity = 0.4}};
  scree_draw_def def = from_above();
  scree_image m = {0};
  draw(&def, two, 2, 1, &m);
  const unsigned char *through = pixel(&m, WIDTH / 2, HEIGHT / 2),
                      *bare = pixel(&m, WIDTH / 2 + 18, HEIGHT / 2);
  assert_true(through[0] > 60 && through[2] > 60);
  assert_true(bare[0] > 60 && bare[2] < 40);
  scree_image_free(&m);
}

/* A floor is bright beside a ball and dark below it, where neither lamp nor sky come; without light effects
 * it is even. */
static void shade(void **state) {
  (void)state;
  scree_drawn two[2] = {ball(0, 0, 0.45, 0.4, 255, 255, 255),
      {.type = SCREE_BOX,
          .position = {0, 0, -0.05},
          .orientation = {1, 0, 0, 0},
          .size = {6, 6, 0.1},
          .color = {200, 200, 200},
          .opacity = 1}};
  scree_draw_def def = from_above();
  scree_image even = {0}, shadow = {0}, sky = {0};
  for (int k = 0; k < 3; k++) def.low[k] = k < 2 ? -3 : 0, def.high[k] = k < 2 ? 3 : 1;
  def.lamp[0] = -1, def.lamp[2] = 1;
  draw(&def, two, 2, 1, &even);
  def.shadow = 1;
  draw(&def, two, 2, 1, &shadow);
  def.shadow = 0, def.sky = 24;
  draw(&def, two, 2, 1, &sky);
  int x = WIDTH / 2 + (int)(0.55 * HEIGHT / 2.4), y = HEIGHT / 2; /* the floor at x = 0.55 m */
  assert_true(brightness(&even, x, y) > 300);
  assert_in_range(abs(brightness(&even, x, y) - brightness(&even, WIDTH - 10, y)), 0, 6);
  assert_true(brightness(&shadow, x, y) < 0.85 * brightness(&even, x, y));
  assert_in_range(abs(brightness(&shadow, 20, y) - brightness(&even, 20, y)), 0, 6);
  assert_true(brightness(&sky, WIDTH / 2 + 22, y) < brightness(&sky, WIDTH - 20, y));
  scree_image_free(&even);
  scree_image_free(&shadow);
  scree_image_free(&sky);
}

/* Planes are seen from their free side, and not where another plane's solid side lies. */
static void planes(void **state) {
  (void)state;
  scree_drawn floor[2] = {plane(0, 0, 1), plane(1, 0, 0)}, under = plane(0, 0, -1);
  scree_draw_def def = from_above();
  scree_image m = {0};
  for (int k = 0; k < 3; k++) def.low[k] = -3, def.high[k] = 3;
  draw(&def, &under, 1, 1, &m);
  assert_int_equal(brightness(&m, WIDTH / 2, HEIGHT / 2), 0);
  draw(&def, floor, 2, 1, &m);
  assert_true(brightness(&m, WIDTH / 2 + 40, HEIGHT / 2) > 200);
  assert_int_equal(brightness(&m, WIDTH / 2 - 40, HEIGHT / 2), 0);
  scree_image_free(&m);
}

/* Many shapes of all kinds. */
static int64_t heap(scree_drawn *out, const scree_geometry *hull) {
  static const int types[] = {
      SCREE_SPHERE, SCREE_BOX, SCREE_CYLINDER, SCREE_CONE, SCREE_CAPSULE, SCREE_ELLIPSOID, SCREE_HULL};
  sc_rng rng;
  sc_rng_seed(&rng, 11);
  for (int i = 0; i < 210; i++) {
    scree_drawn *d = out + i;
    *d = ball(0, 0, 0, 0.1 + 0.1 * sc_rng_unit(&rng), 0, 0, 0);
    d->type = types[i % 7], d->length = 0.2, d->geometry = hull;
    for (int k = 0; k < 3; k++)
      d->position[k] = 2 * sc_rng_unit(&rng) - (k < 2), d->size[k] = 0.1 + 0.3 * sc_rng_unit(&rng);
    d->orientation[1] = sc_rng_unit(&rng),
    d->orientation[0] = sqrt(1 - d->orientation[1] * d->orientation[1]);
    scree_palette_color(i % 5, i / 209.0, d->color);
    d->opacity = i % 9 ? 1 : 0.3;
  }
  out[210] = plane(0, 0, 1), out[211] = plane(0, 1, 0);
  out[211].position[1] = -2;
  return 212;
}

/* The bytes are the same with any number of threads, and those that they always were. */
static void same_bytes(void **state) {
  (void)state;
  static const double octahedron[6][3] = {
      {0.2, 0, 0}, {-0.2, 0, 0}, {0, 0.2, 0}, {0, -0.2, 0}, {0, 0, 0.3}, {0, 0, -0.3}};
  static scree_drawn shapes[212];
  scree_error error;
  scree_geometry *hull = scree_geometry_hull(octahedron, 6, &error);
  int64_t count = heap(shapes, hull);
  double low[3] = {-1, -1, 0}, high[3] = {1, 1, 2}, up[3] = {0, 0, 1};
  scree_draw_def def = scree_draw_defaults();
  scree_image one = {0}, more = {0};
  def.camera = scree_camera_fit(low, high, up, -50, 30, 30, 1, WIDTH / (double)HEIGHT);
  draw(&def, shapes, count, 1, &one);
  for (int threads = 2; threads <= 8; threads *= 2) {
    draw(&def, shapes, count, threads, &more);
    assert_memory_equal(one.rgb, more.rgb, 3 * WIDTH * HEIGHT);
  }
  uint64_t hash = sc_hash(SC_HASH_START, one.rgb, 3 * WIDTH * HEIGHT);
  /* of gcc 12 and clang 14, from -O0 to -O3 -march=native: a picture that shall change changes it here */
  if (hash != 0x505ec12a51a7d837ull) fail_msg("the picture is %016llx", (unsigned long long)hash);
  scree_image_free(&one);
  scree_image_free(&more);
  scree_geometry_release(hull);
}

/* Two boxes side by side show where they meet; small ones have no edges drawn. */
static void seams(void **state) {
  (void)state;
  scree_draw_def def = from_above();
  scree_image m = {0};
  scree_drawn two[2];
  for (int i = 0; i < 2; i++) {
    two[i] = ball(i ? 0.5 : -0.5, 0, 0, 0, 200, 200, 200);
    two[i].type = SCREE_BOX;
    for (int k = 0; k < 3; k++) two[i].size[k] = 1;
  }
  draw(&def, two, 2, 1, &m);
  int seam = brightness(&m, WIDTH / 2, HEIGHT / 2), face = brightness(&m, WIDTH / 2 + 25, HEIGHT / 2);
  assert_true(seam < 0.9 * face && seam > 0.3 * face);
  def.camera.height = 40;
  draw(&def, two, 2, 1, &m);
  assert_true(abs(brightness(&m, WIDTH / 2, HEIGHT / 2) - brightness(&m, WIDTH / 2 + 1, HEIGHT / 2)) < 3);
  scree_image_free(&m);
}

/* A cell is drawn by the edges that repeat: 12 of three directions, 4 of two, 1 of one. */
static void edges_of_a_cell(void **state) {
  (void)state;
  static const int expected[4] = {0, 1, 4, 12};
  scree_frame frame = {
      .has_cell = 1, .cell = {.matrix = {1, 0.5, 0, 0, 2, 0, 0, 0, 4}, .origin = {-1, 0, 0}}};
  scree_drawn edge[SCREE_CELL_EDGES];
  for (int n = 0; n <= 3; n++) {
    double sum = 0;
    for (int k = 0; k < 3; k++) frame.cell.periodic[k] = k < n;
    assert_int_equal(scree_drawn_cell(&frame, edge), expected[n]);
    for (int i = 0; i < expected[n]; i++) sum += edge[i].length;
    if (n == 3) assert_float_equal(sum, 4 * (1 + hypot(0.5, 2) + 4), 1e-12);
  }
  assert_true(edge[0].position[0] == -0.5 && edge[0].position[1] == 0 && edge[0].position[2] == 0);
  frame.has_cell = 0;
  assert_int_equal(scree_drawn_cell(&frame, edge), 0);
}

/* A wall hides a ball from one side only; one that covers it hides all of it. */
static void hidden(void **state) {
  (void)state;
  scree_drawn two[2] = {ball(0, 0, 0, 0.5, 255, 0, 0),
      {.type = SCREE_BOX,
          .position = {0.25, 0, 2},
          .orientation = {1, 0, 0, 0},
          .size = {0.5, 3, 0.1},
          .opacity = 1}};
  unsigned char marked[2] = {1, 0};
  double share[2];
  scree_error error;
  scree_draw_def def = from_above();
  scree_drawer *drawer = scree_drawer_create(1);
  assert_int_equal(scree_draw_hidden(drawer, &def, two, marked, 2, share, &error), SCREE_OK);
  assert_float_equal(share[1], 0.5, 0.02);
  assert_true(share[0] == 0);
  def.camera.position[2] = -10;
  assert_int_equal(scree_draw_hidden(drawer, &def, two, marked, 2, share, &error), SCREE_OK);
  assert_true(share[1] == 0);
  def.camera.position[2] = 10, two[1].position[0] = 0, two[1].size[0] = 3;
  assert_int_equal(scree_draw_hidden(drawer, &def, two, marked, 2, share, &error), SCREE_OK);
  assert_true(share[1] == 1 && share[0] == 0);
  scree_drawer_destroy(drawer);
}

/* ---- images ---- */

static unsigned be32(const unsigned char *at) {
  return (unsigned)at[0] << 24 | (unsigned)at[1] << 16 | (unsigned)at[2] << 8 | at[3];
}

/* Undoes the filters of the rows behind their numbers. */
static void unfilter(const unsigned char *rows, scree_image *out) {
  int bytes = 3 * out->width;
  for (int y = 0; y < out->height; y++)
    for (int i = 0; i < bytes; i++) {
      unsigned char *to = out->rgb + y * bytes;
      int kind = rows[y * (bytes + 1)], a = i >= 3 ? to[i - 3] : 0, b = y ? to[i - bytes] : 0,
          c = y && i >= 3 ? to[i - bytes - 3] : 0, p = a + b - c;
      int pa = abs(p - a), pb = abs(p - b), pc = abs(p - c),
          paeth = pa <= pb && pa <= pc ? a
          : pb <= pc                   ? b
                                       : c;
      int add = kind == 1 ? a : kind == 2 ? b : kind == 4 ? paeth : 0;
      to[i] = (unsigned char)(rows[y * (bytes + 1) + 1 + i] + add);
    }
}

static void png(void **state) {
  (void)state;
  static unsigned char file[400000], rows[(3 * WIDTH + 1) * HEIGHT];
  char path[] = "/tmp/scree-picture-XXXXXX";
  scree_drawn one = ball(0.1, -0.2, 0, 0.7, 255, 160, 40);
  scree_draw_def def = from_above();
  scree_image m = {0}, back = {0};
  scree_error error = {SCREE_OK, ""};
  draw(&def, &one, 1, 1, &m);
  close(mkstemp(path));
  assert_int_equal(scree_image_write(&m, path, &error), SCREE_OK);
  FILE *f = fopen(path, "rb");
  size_t size = fread(file, 1, sizeof file, f);
  fclose(f);
  unlink(path);
  assert_memory_equal(file, "\x89PNG\r\n\x1a\n", 8);
  assert_int_equal(be32(file + 16), WIDTH);
  assert_int_equal(be32(file + 20), HEIGHT);
  assert_int_equal(be32(file + 29), crc32(0, file + 12, 17));
  unsigned count = be32(file + 33);
  uLongf room = sizeof rows;
  assert_true(count + 57 == size);
  assert_int_equal(be32(file + 41 + count), crc32(0, file + 37, count + 4));
  assert_int_equal(uncompress(rows, &room, file + 41, count), Z_OK);
  assert_int_equal(room, sizeof rows);
  assert_int_equal(scree_image_create(WIDTH, HEIGHT, &back, &error), SCREE_OK);
  unfilter(rows, &back);
  assert_memory_equal(back.rgb, m.rgb, 3 * WIDTH * HEIGHT);
  assert_int_equal(scree_image_write(&m, "/no/such/folder/a.png", &error), SCREE_E_IO);
  scree_image_free(&m);
  scree_image_free(&back);
}

static int dark(const scree_image *m) {
  int count = 0;
  for (int i = 0; i < m->width * m->height; i++) count += m->rgb[3 * i] < 128;
  return count;
}

/* Every letter leaves ink, no two leave the same, and texts are as wide as they say. */
static void letters(void **state) {
  (void)state;
  static const unsigned char black[3] = {0};
  scree_error error;
  uint64_t seen[128];
  int count = 0;
  for (char c = '!'; c <= '~'; c++) {
    char text[2] = {c, 0};
    scree_image m = {0};
    assert_int_equal(scree_image_create(60, 60, &m, &error), SCREE_OK);
    scree_image_text(&m, 10, 40, 30, -1, black, text);
    assert_true(dark(&m) > 4);
    seen[count] = sc_hash(SC_HASH_START, m.rgb, 3 * 60 * 60);
    for (int k = 0; k < count; k++) assert_true(seen[k] != seen[count]);
    count++;
    scree_image_free(&m);
  }
  assert_float_equal(scree_image_text_width(9, "ab"), 12, 1e-12);
  assert_float_equal(scree_image_text_width(18, "m\xc2\xb2"), 2 * 13, 1e-12);
  assert_float_equal(scree_image_text_width(9, "\xff\xc2"), 12, 1e-12);
}

/* Pictures that cannot be drawn are errors with their reason. */
static void refused(void **state) {
  (void)state;
  scree_drawn one = ball(0, 0, 0, 1, 0, 0, 0);
  scree_draw_def good = from_above(), def = good;
  scree_image m = {0};
  scree_error error = {SCREE_OK, ""};
  scree_drawer *drawer = scree_drawer_create(1);
  assert_int_equal(scree_draw(drawer, &def, &one, 1, &m, &error), SCREE_E_ARGUMENT);
  unsigned char other[3];
  m = (scree_image){1, 1, other};
  assert_int_equal(scree_image_create(0, 5, &m, &error), SCREE_E_ARGUMENT);
  assert_true(!m.rgb && !m.width && !m.height); /* to be freed as after a success */
  assert_int_equal(scree_image_create(5, SCREE_IMAGE_MOST + 1, &m, &error), SCREE_E_ARGUMENT);
  assert_int_equal(scree_image_create(WIDTH, HEIGHT, &m, &error), SCREE_OK);
  def.samples = 3;
  assert_int_equal(scree_draw(drawer, &def, &one, 1, &m, &error), SCREE_E_ARGUMENT);
  def = good, def.camera.up[1] = 0, def.camera.up[2] = 1;
  assert_int_equal(scree_draw(drawer, &def, &one, 1, &m, &error), SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, "up"));
  def = good, def.camera.angle = 175;
  assert_int_equal(scree_draw(drawer, &def, &one, 1, &m, &error), SCREE_E_ARGUMENT);
  one.opacity = 1.5;
  assert_int_equal(scree_draw(drawer, &good, &one, 1, &m, &error), SCREE_E_ARGUMENT);
  one.opacity = 1, one.position[1] = NAN;
  assert_int_equal(scree_draw(drawer, &good, &one, 1, &m, &error), SCREE_E_ARGUMENT);
  assert_int_equal(scree_draw(drawer, &good, NULL, 0, &m, &error), SCREE_OK);
  scree_drawer_destroy(drawer);
  scree_image_free(&m);
}

/* Counts pixels between the picture of a box and the border: left, right, top, bottom. */
static void find_margins(const scree_image *m, int margin[4]) {
  margin[0] = margin[1] = WIDTH, margin[2] = margin[3] = HEIGHT;
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      const int here[4] = {x, WIDTH - 1 - x, y, HEIGHT - 1 - y};
      for (int k = 0; k < 4 && brightness(m, x, y) > 0; k++)
        margin[k] = here[k] < margin[k] ? here[k] : margin[k];
    }
}

static int smallest(const int margin[4]) {
  int least = margin[0];
  for (int k = 1; k < 4; k++) least = margin[k] < least ? margin[k] : least;
  return least;
}

/* A camera that is fitted to a box shows the whole box from any side. The picture reaches the border, and
 * does not at 0.97 of the size. */
static void fitted(void **state) {
  (void)state;
  double low[3] = {-1, 2, 0}, high[3] = {5, 3, 1.5}, up[3] = {0, 0, 1};
  scree_drawn box = {.type = SCREE_BOX,
      .position = {2, 2.5, 0.75},
      .orientation = {1, 0, 0, 0},
      .size = {6, 1, 1.5},
      .color = {255, 255, 255},
      .opacity = 1};
  scree_draw_def def = from_above();
  scree_image m = {0};
  for (int k = 0; k < 14; k++)
    for (int small = 0; small < 2; small++) {
      int margin[4];
      def.camera = scree_camera_fit(
          low, high, up, 50.0 * k, k % 5 * 45 - 90, k % 2 ? 30 : 0, small ? 0.97 : 1, WIDTH / (double)HEIGHT);
      draw(&def, &box, 1, 1, &m);
      find_margins(&m, margin);
      assert_true(margin[0] < WIDTH && (small ? smallest(margin) > 0 : smallest(margin) <= 3));
    }
  scree_image_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(area), cmocka_unit_test(far_away),
      cmocka_unit_test(order), cmocka_unit_test(glass), cmocka_unit_test(shade), cmocka_unit_test(planes),
      cmocka_unit_test(seams), cmocka_unit_test(edges_of_a_cell), cmocka_unit_test(same_bytes),
      cmocka_unit_test(hidden), cmocka_unit_test(png), cmocka_unit_test(letters), cmocka_unit_test(refused),
      cmocka_unit_test(fitted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
