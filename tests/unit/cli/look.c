/* Tests the look of pictures: all keys and their limits, cameras as text, addresses and paths, the camera
 * between two cameras of a path, the reader of JSON, values of bodies, ranges and marks of colour bars, the
 * box of a run. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "picture/box.h"
#include "picture/field.h"
#include "picture/json.h"
#include "picture/look.h"

/* ---- keys ---- */

static void keys_have_limits(void **state) {
  (void)state;
  static const struct {
    const char *key, *value;
    int code;
  } rows[] = {{"azimuth", "-60.5", 0}, {"azimuth", "x", 2}, {"azimuth", "1,2", 2}, {"azimuth", "inf", 2},
      {"azimuth", "", 2}, {"elevation", "95", 0}, {"elevation", "nan", 2}, {"zoom", "0.5", 0},
      {"zoom", "0", 2}, {"zoom", "-1", 2}, {"position", "1,2,3", 0}, {"position", "1:2:3", 0},
      {"position", "1,2", 2}, {"position", "1,2,3,4", 2}, {"position", "1;2;3", 2}, {"target", "1,2,3", 0},
      {"target", "1,2,z", 2}, {"up", "0,0,1", 0}, {"up", "0,0,0", 2}, {"up", "0,1,0", 0}, {"up", "1,0,0", 0},
      {"up", "0,1", 2}, {"angle", "0", 0}, {"angle", "169.9", 0}, {"angle", "170", 2}, {"angle", "-1", 2},
      {"color", "speed", 0}, {"color", "a name of more than thirty-one letters", 2},
      {"palette", "viridis", 0}, {"palette", "cividis", 0}, {"palette", "magma", 0},
      {"palette", "diverging", 0}, {"palette", "grey", 0}, {"palette", "gray", 0}, {"palette", "jet", 2},
      {"caption", "", 0}, {"caption", "text", 0}, {"range", "0,1", 0}, {"range", "1:0", 2},
      {"range", "1:1", 2}, {"range", "1", 2}, {"range", "-2:-1", 0}, {"walls", "0", 0}, {"walls", "1", 0},
      {"walls", "1.1", 2}, {"walls", "-0.1", 2}, {"size", "16x16", 0}, {"size", "8192x8192", 0},
      {"size", "15x16", 2}, {"size", "16x8193", 2}, {"size", "100.5x100", 2}, {"size", "100", 2},
      {"size", "1x2x3", 2}, {"frame", "7", 0}, {"frame", "x", 2}, {"nothing", "1", 0}, {"time", "3", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    look l = look_defaults();
    const int code = look_set("film", &l, rows[i].key, rows[i].value);
    if (code != rows[i].code) fail_msg("%s = '%s': %d", rows[i].key, rows[i].value, code);
  }
}

static void keys_set_their_member(void **state) {
  (void)state;
  look l = look_defaults();
  assert_true(l.camera.azimuth == -60 && l.camera.elevation == 25 && l.camera.zoom == 1 && l.angle == 30 &&
      l.walls == -1);
  assert_true(l.up[0] == 0 && l.up[1] == 0 && l.up[2] == 1 && l.size[0] == 1280 && l.size[1] == 720 &&
      l.frame == INT64_MIN);
  assert_true(!l.has_caption && !l.has_range && !l.path_count && !l.camera.has_position &&
      !l.camera.has_target && !*l.color);
  assert_string_equal(l.palette, "viridis");
  static const char *const rows[][2] = {{"azimuth", "1"}, {"elevation", "2"}, {"zoom", "3"},
      {"position", "4,5,6"}, {"target", "7:8:9"}, {"up", "0.5,-1,2"}, {"angle", "11"}, {"color", "vx"},
      {"range", "-12:13"}, {"palette", "magma"}, {"size", "140x150"}, {"walls", "0.25"},
      {"caption", "{title}"}, {"frame", "-2"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_int_equal(look_set("film", &l, rows[i][0], rows[i][1]), 0);
  const look_camera *c = &l.camera;
  assert_true(c->azimuth == 1 && c->elevation == 2 && c->zoom == 3 && c->has_position && c->has_target);
  for (int k = 0; k < 3; k++) assert_true(c->position[k] == 4 + k && c->target[k] == 7 + k);
  assert_true(l.up[0] == 0.5 && l.up[1] == -1 && l.up[2] == 2 && l.angle == 11 && l.has_range &&
      l.range[0] == -12 && l.range[1] == 13);
  assert_true(l.size[0] == 140 && l.size[1] == 150 && l.walls == 0.25 && l.has_caption && l.frame == -2);
  assert_string_equal(l.color, "vx");
  assert_string_equal(l.palette, "magma");
  assert_string_equal(l.caption, "{title}");
  static const char *const palettes[] = {"viridis", "cividis", "magma", "diverging", "grey", "gray"};
  for (int i = 0; i < 5; i++) assert_string_equal(scree_palette_name(look_palette(palettes[i])), palettes[i]);
  assert_int_equal(look_palette("gray"), look_palette("grey"));
  assert_int_equal(look_palette("rainbow"), -1);
}

/* ---- cameras ---- */

static void cameras_as_text(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double azimuth, elevation, zoom;
  } fine[] = {{"x", 0, 0, 2}, {"-x", 180, 0, 2}, {"y", 90, 0, 2}, {"-y", -90, 0, 2}, {"z", -90, 90, 2},
      {"-z", -90, -90, 2}, {"10,20", 10, 20, 2}, {"10,-20,3", 10, -20, 3},
      {"http://127.0.0.1:1/a#azimuth=5&elevation=6&zoom=7", 5, 6, 7}, {"azimuth=5&page=1&zoom=4&", 5, 25, 4}};
  for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
    look l = look_defaults();
    l.camera.zoom = 2, l.camera.has_position = l.camera.has_target = 1;
    assert_int_equal(look_camera_text("plot", &l, fine[i].text), 0);
    if (l.camera.azimuth != fine[i].azimuth || l.camera.elevation != fine[i].elevation ||
        l.camera.zoom != fine[i].zoom)
      fail_msg("%s: %g %g %g", fine[i].text, l.camera.azimuth, l.camera.elevation, l.camera.zoom);
    const int is_address = strchr(fine[i].text, '=') != NULL;
    assert_true(l.camera.has_position == is_address && l.camera.has_target == is_address);
  }
  static const char *const wrong[] = {"w", "", "1", "1,2,0", "1,2,-3", "1,2,3,4", "a,b", "zoom=0", "xx"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    look l = look_defaults();
    assert_int_equal(look_camera_text("plot", &l, wrong[i]), 2);
  }
  look l = look_defaults();
  assert_int_equal(
      look_camera_text("plot", &l,
          "position=1,2,3&caption=a%20b%2Bc%25&color=&novalue&frame=12&palette=gr%65y&size=20x30"),
      0);
  assert_string_equal(l.caption, "a b+c%");
  assert_string_equal(l.palette, "grey");
  assert_true(l.camera.has_position && !l.camera.has_target && l.camera.position[2] == 3 && l.frame == 12 &&
      l.size[0] == 20 && !*l.color);
}

static void paths_as_text(void **state) {
  (void)state;
  look l = look_defaults();
  l.camera.zoom = 4;
  assert_int_equal(look_path_text("film", &l, "0:10,20;1.5:30,40,2;2:-50,60"), 0);
  assert_int_equal(l.path_count, 3);
  assert_true(
      l.path[0].time == 0 && l.path[0].azimuth == 10 && l.path[0].elevation == 20 && l.path[0].zoom == 4);
  assert_true(
      l.path[1].time == 1.5 && l.path[1].azimuth == 30 && l.path[1].elevation == 40 && l.path[1].zoom == 2);
  assert_true(
      l.path[2].time == 2 && l.path[2].azimuth == -50 && l.path[2].elevation == 60 && l.path[2].zoom == 4);
  static const char *const wrong[] = {
      "0", "0:1", "0:1,2;0:1,2", "1:1,2;0:1,2", "x:1,2", ":1,2", "0:1,2,0", "0,1:1,2"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (look_path_text("film", &l, wrong[i]) != 2) fail_msg("%s", wrong[i]);
  char many[2048] = "";
  for (int i = 0; i <= LOOK_PATH; i++) {
    assert_int_equal(look_path_text("film", &l, many), 0);
    assert_int_equal(l.path_count, i);
    snprintf(many + strlen(many), sizeof many - strlen(many), "%s%d:1,%d", i ? ";" : "", i, i);
  }
  assert_int_equal(look_path_text("film", &l, many), 2);
}

/* Numbers of a camera between two cameras follow t^2 (3 - 2 t): 0.15625 of the difference after a quarter of
 * the time. */
static void cameras_move_smoothly(void **state) {
  (void)state;
  look l = look_defaults();
  l.camera.azimuth = 77;
  assert_true(look_at_time(&l, 3).azimuth == 77);
  assert_int_equal(look_path_text("film", &l, "1:0,10,1;3:64,42,3;4:0,0,1"), 0);
  for (int i = 0; i < 2; i++) {
    l.path[i].has_position = l.path[i].has_target = 1;
    for (int k = 0; k < 3; k++)
      l.path[i].position[k] = 64 * i * (k + 1), l.path[i].target[k] = 32 * i * (k + 1) + 5;
  }
  static const double at[][2] = {{0, 0}, {1, 0}, {1.5, 0.15625}, {2, 0.5}, {2.5, 0.84375}, {3, 1}};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    const look_camera c = look_at_time(&l, at[i][0]);
    const double t = at[i][1];
    assert_float_equal(c.azimuth, 64 * t, 1e-12);
    assert_float_equal(c.elevation, 10 + 32 * t, 1e-12);
    assert_float_equal(c.zoom, 1 + 2 * t, 1e-12);
    assert_true(c.has_position && c.has_target);
    for (int k = 0; k < 3; k++) {
      assert_float_equal(c.position[k], 64 * t * (k + 1), 1e-12);
      assert_float_equal(c.target[k], 32 * t * (k + 1) + 5, 1e-12);
    }
  }
  assert_true(look_at_time(&l, 3.25).has_position && !look_at_time(&l, 3.75).has_position);
  assert_true(look_at_time(&l, 3.25).position[1] == 128 && look_at_time(&l, 3.25).target[0] == 37);
  assert_true(look_at_time(&l, 9).azimuth == 0 && look_at_time(&l, 9).zoom == 1);
}

static void looks_of_scenes(void **state) {
  (void)state;
  look l = look_defaults();
  assert_int_equal(look_meta("film", &l,
                       "{\"a\": {\"zoom\": 9}, \"view\": {\"azimuth\": 1.5, \"elevation\": 2, \"zoom\": 3, "
                       "\"position\": [1, 2, 3], "
                       "\"target\": [4,5,6], \"up\": [0, 1, 0], \"angle\": 5, \"color\": \"spin\", "
                       "\"range\": [0, 2], \"palette\": "
                       "\"grey\", \"size\": [100, 200], \"walls\": 0.5, \"caption\": \"a \\\"b\\\"\", "
                       "\"path\": [{\"time\": 1}, {\"time\": "
                       "2, \"zoom\": 7, \"azimuth\": -3, \"elevation\": 8, \"position\": [7, 8, 9], "
                       "\"target\": [1, 1, 1]}]}}"),
      0);
  assert_true(l.camera.azimuth == 1.5 && l.camera.elevation == 2 && l.camera.zoom == 3 &&
      l.camera.position[1] == 2 && l.camera.target[2] == 6);
  assert_true(l.up[1] == 1 && l.angle == 5 && l.range[1] == 2 && l.size[0] == 100 && l.size[1] == 200 &&
      l.walls == 0.5 && l.path_count == 2);
  assert_string_equal(l.color, "spin");
  assert_string_equal(l.palette, "grey");
  assert_string_equal(l.caption, "a \"b\"");
  assert_true(
      l.path[0].time == 1 && l.path[0].zoom == 3 && l.path[0].azimuth == 1.5 && l.path[0].position[2] == 3);
  assert_true(l.path[1].time == 2 && l.path[1].zoom == 7 && l.path[1].azimuth == -3 &&
      l.path[1].elevation == 8 && l.path[1].position[0] == 7 && l.path[1].target[0] == 1);
  l = look_defaults();
  assert_int_equal(look_meta("film", &l, "{\"title\": \"x\"}"), 0);
  assert_int_equal(look_meta("film", &l, ""), 0);
  assert_int_equal(look_meta("film", &l, NULL), 0);
  assert_int_equal(look_meta("film", &l, "{\"view\": {\"zoom\": 0}}"), 2);
  assert_int_equal(look_meta("film", &l, "{\"view\": {\"path\": [{\"zoom\": 1}]}}"), 2);
  assert_int_equal(look_meta("film", &l, "{\"view\": {\"path\": [{\"time\": 1, \"zoom\": 0}]}}"), 2);
}

/* ---- JSON ---- */

static void json_values(void **state) {
  (void)state;
  static const char text[] =
      " { \"a\" : 1.5 , \"b\\\"c\": \"x\\\\y\\\"z\", \"list\": [ 1 , [2, 3], {\"a\": [4]} , \"five\" ], "
      "\"ab\": true,\n\"o\": {\"p\": {\"q\": -1e3}}, \"e\": [], \"last\": null}";
  static const struct {
    const char *name, *value;
  } rows[] = {{"a", "1.5"}, {"list", "1,2,3,{\"a\": [4]},five"}, {"ab", "true"}, {"e", ""}, {"last", "null"},
      {"o", "{\"p\": {\"q\": -1e3}}"}};
  char out[64];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_string_equal(json_text(json_member(text, rows[i].name), out, sizeof out), rows[i].value);
  assert_string_equal(json_text(json_member(text, "b\\\"c"), out, sizeof out), "x\\y\"z");
  assert_string_equal(
      json_text(json_member(json_member(json_member(text, "o"), "p"), "q"), out, sizeof out), "-1e3");
  static const char *const missing[] = {"", "b", "lis", "lists", "p", "q", "five"};
  for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) assert_null(json_member(text, missing[i]));
  const char *list = json_member(text, "list");
  assert_string_equal(json_text(json_element(json_element(list, 1), 1), out, sizeof out), "3");
  assert_string_equal(json_text(json_member(json_element(list, 2), "a"), out, sizeof out), "4");
  assert_string_equal(json_text(json_element(list, 3), out, sizeof out), "five");
  assert_true(!json_element(list, 4) && !json_element(text, 0) && !json_member(list, "a") &&
      !json_element(json_member(text, "e"), 0) && !json_element(NULL, 0));
  assert_string_equal(json_text(NULL, out, sizeof out), "");
  assert_string_equal(json_text("\"a\\u001fb\"", out, sizeof out), "ab");
  /* truncated to the size */
  assert_string_equal(json_text("\"abcdef\"", out, 4), "abc");
  assert_string_equal(json_text("123456", out, 4), "123");
  assert_string_equal(json_text("[12, 34, 56]", out, 5), "12,3");
  /* texts that end too early have no values behind their end */
  for (size_t length = 0; length < sizeof text; length++) {
    char part[sizeof text];
    snprintf(part, sizeof part, "%.*s", (int)length, text);
    json_text(json_member(part, "last"), out, sizeof out);
    json_text(json_element(json_member(part, "list"), 3), out, sizeof out);
    assert_true(strlen(out) <= 4);
  }
}

/* ---- colours ---- */

static void values_of_bodies(void **state) {
  (void)state;
  uint64_t id[3] = {3, 5, 9};
  int64_t group[3] = {-1, 7, 0};
  uint8_t kind[3] = {SCREE_DYNAMIC, SCREE_DYNAMIC, SCREE_FIXED};
  double radius[3] = {0.5, 0.25, 2}, mass[3] = {1, 2, 4}, position[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9},
         velocity[9] = {3, 4, 12, 0, -1, 0, 0, 0, 0}, spin[9] = {1, 2, 2, -1, 0, 0, 0, 0, -5};
  scree_frame_contact contact[3] = {{.body1 = 3, .body2 = 5, .impulse = {3, 4, 0}, .force = {0, 0, 1}},
      {.body1 = 5, .body2 = 9, .impulse = {0, 0, 2}, .force = {0, 0, 3}}, {.body1 = 3, .body2 = 9}};
  scree_frame f = {.bodies = 3,
      .id = id,
      .group = group,
      .kind = kind,
      .radius = radius,
      .mass = mass,
      .position = position,
      .velocity = velocity,
      .spin = spin,
      .contacts = 3,
      .contact = contact};
  static const struct {
    const char *name;
    double value[3];
  } rows[] = {{"speed", {13, 1, 0}}, {"spin", {3, 1, 5}}, {"x", {1, 4, 7}}, {"y", {2, 5, 8}},
      {"z", {3, 6, 9}}, {"vx", {3, 0, 0}}, {"vy", {4, -1, 0}}, {"vz", {12, 0, 0}}, {"wx", {1, -1, 0}},
      {"wy", {2, 0, 0}}, {"wz", {2, 0, -5}}, {"radius", {0.5, 0.25, 2}}, {"size", {1, 0.5, 4}},
      {"mass", {1, 2, 4}}, {"id", {3, 5, 9}}, {"contacts", {1, 2, 1}}, {"force", {5, 7, 2}},
      {"group", {-1, 7, 0}}, {"body", {3, 5, 9}}, {"none", {0, 0, 0}}};
  double out[3];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    field_values(field_find("film", rows[i].name), &f, out);
    for (int k = 0; k < 3; k++)
      if (out[k] != rows[i].value[k]) fail_msg("%s of body %d: %g", rows[i].name, k, out[k]);
  }
  assert_null(field_find("film", "sped"));
  f.forces = 1;
  field_values(field_find("film", "force"), &f, out);
  assert_true(out[0] == 1 && out[1] == 4 && out[2] == 3);
  field_values(field_find("film", "contacts"), &f, out);
  assert_true(out[0] == 1 && out[1] == 2 && out[2] == 1);
  f.velocity = f.spin = f.position = NULL;
  static const char *const lost[] = {"speed", "spin", "x", "vy", "wz"};
  for (int i = 0; i < 5; i++) {
    field_values(field_find("film", lost[i]), &f, out);
    assert_true(out[0] == 0 && out[1] == 0 && out[2] == 0);
  }
}

static void ranges_of_bars(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double low, high, size, duration, from, to;
  } rows[] = {{"speed", 1, 3, 0.1, 1, 0, 3}, {"vx", 1, 3, 0.1, 1, 1, 3}, {"vx", -1, 3, 0.1, 1, -1, 3},
      {"mass", 1, 3, 0, 0, 1, 3}, {"mass", 2, 2, 0, 0, 0, 2}, {"id", 2, 2, 0, 0, 1.5, 2.5},
      {"x", 4, 4, 0, 0, 3.5, 4.5}, {"contacts", 2, 5, 0, 0, 0, 5}, {"speed", INFINITY, -INFINITY, 0, 0, 0, 1},
      /* at rest: less than a thousandth of the size 0.5 in 2 s; spins: of a radian */
      {"speed", 0, 2.4e-4, 0.5, 2, 0, 2.5e-4}, {"speed", 0, 2.6e-4, 0.5, 2, 0, 2.6e-4},
      {"vx", -1e-5, 2e-5, 0.5, 2, -2.5e-4, 2.5e-4}, {"vx", -3e-4, 2e-5, 0.5, 2, -3e-4, 2e-5},
      {"spin", 0, 4e-4, 0.5, 2, 0, 5e-4}, {"wx", 1e-4, 4e-4, 9, 2, -5e-4, 5e-4},
      {"speed", 0, 1e-9, 0.5, 0, 0, 1e-9}, {"speed", 0, 0, 0, 0, -0.5, 0.5}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const field_range r = field_bar(field_find("film", rows[i].name),
        (field_range){rows[i].low, rows[i].high}, rows[i].size, rows[i].duration);
    if (fabs(r.low - rows[i].from) > 1e-15 || fabs(r.high - rows[i].to) > 1e-15)
      fail_msg("%zu: %s: %.17g to %.17g", i, rows[i].name, r.low, r.high);
  }
}

/* Marks are the multiples in the range of a step. The step is the smallest of 1, 2 or 5 times a power of ten
 * that gives at most 5 steps. */
static void marks_of_bars(void **state) {
  (void)state;
  for (double low = -3.3; low < 40; low += 0.7)
    for (double span = 0.013; span < 3e3; span *= 1.7) {
      double mark[6], step = 1e-6;
      for (int k = 0; span / step > 5 * (1 + 1e-12); k++) step *= k % 3 == 1 ? 2.5 : 2;
      const int count = field_marks((field_range){low, low + span}, mark, 5);
      int expected = 0;
      for (double k = ceil(low / step - 1e-9); k * step <= low + span + 1e-9 * span && expected < 5;
           k++, expected++)
        if (expected < count) assert_float_equal(mark[expected], k * step, 1e-9 * span);
      assert_int_equal(count, expected);
    }
}

/* ---- the box ---- */

enum { BALLS = 12 };
typedef struct row {
  scree_frame frame;
  uint64_t id[BALLS];
  uint8_t kind[BALLS];
  double radius[BALLS], position[3 * BALLS];
} row;

/* Makes a row of balls of radius 0.5 at x = 0, 1, 2, ...; the last ball is fixed. */
static void make_balls(row *r, int balls) {
  *r = (row){0};
  for (int i = 0; i < balls; i++)
    r->id[i] = (uint64_t)(2 * i + 2), r->radius[i] = 0.5, r->position[3 * i] = i, r->kind[i] = SCREE_DYNAMIC;
  r->kind[balls - 1] = SCREE_FIXED;
  r->frame = (scree_frame){
      .bodies = balls, .id = r->id, .kind = r->kind, .radius = r->radius, .position = r->position};
}

static void boxes_bound_bodies(void **state) {
  (void)state;
  row one, two;
  make_balls(&one, BALLS), make_balls(&two, BALLS);
  double value[BALLS], other[BALLS];
  for (int i = 0; i < BALLS; i++) {
    value[i] = i == 3 ? NAN : i, other[i] = i == 3 ? INFINITY : -i;
    two.position[3 * i + 1] = 0.25 * i, two.radius[i] = 0.75;
  }
  body_spans s = box_start();
  one.frame.bodies = BALLS - 3; /* the first frame lacks bodies that come later, and has one that goes */
  one.kind[BALLS - 4] = SCREE_DYNAMIC;
  two.id[0] = 1;
  assert_int_equal(box_add_frame(&s, &one.frame, value), 1);
  assert_int_equal(box_add_frame(&s, &two.frame, other), 1);
  assert_int_equal(s.count, BALLS);
  for (int64_t i = 0; i < s.count; i++) {
    const body_span *b = s.of + i;
    assert_true(!i || s.of[i - 1].id < b->id);
    const int at = (int)(b->id / 2) - 1, in_one = b->id != 1 && at < BALLS - 3, in_two = b->id != 2;
    const double x = b->id == 1 ? 0 : at;
    assert_float_equal(b->low[0], x - (in_two ? 0.75 : 0.5), 1e-12);
    assert_float_equal(b->high[0], x + (in_two ? 0.75 : 0.5), 1e-12);
    assert_float_equal(b->low[1], in_one ? fmin(-0.5, in_two ? 0.25 * x - 0.75 : 0) : 0.25 * x - 0.75, 1e-12);
    assert_float_equal(b->high[1], in_two ? 0.25 * x + 0.75 : 0.5, 1e-12);
    if (at == 3) assert_true(b->least > b->most);
    else {
      assert_float_equal(b->most, in_one ? x : -x, 1e-12);
      assert_float_equal(b->least, in_two ? -x : x, 1e-12);
      assert_float_equal(b->size, in_two ? 1.5 : 1, 1e-12);
    }
  }
  run_box box;
  assert_int_equal(box_finish(&s, NULL, &box), 1);
  assert_true(box.strays == 0);
  assert_float_equal(box.low[0], -0.75, 1e-12);
  assert_float_equal(box.high[0], BALLS - 2 + 0.75, 1e-12);
  assert_float_equal(box.high[1], 0.25 * (BALLS - 2) + 0.75, 1e-12);
  box_free(&box);
  free(s.of);
  /* nothing: a box of 2 m */
  s = box_start();
  assert_int_equal(box_finish(&s, NULL, &box), 1);
  for (int k = 0; k < 3; k++) assert_true(box.low[k] == -1 && box.high[k] == 1);
  free(s.of);
}

/* The middle three fifths of 11 balls have x = 2 to 8, so their box is 7 x 1 x 1. A ball is a stray if it
 * reaches 5 diagonals beyond this box. */
static void strays_are_left_out(void **state) {
  (void)state;
  const double edge = sqrt(7 * 7 + 1 + 1), high = 8.5 + 5 * edge, low = 1.5 - 5 * edge;
  for (int side = 0; side < 2; side++)
    for (int beyond = 0; beyond < 2; beyond++) {
      row r;
      make_balls(&r, BALLS);
      const double at = side ? high - 0.5 + (beyond ? 1e-6 : -1e-6) : low + 0.5 - (beyond ? 1e-6 : -1e-6);
      r.position[side ? 3 * (BALLS - 2) : 0] = at;
      body_spans s = box_start();
      assert_int_equal(box_add_frame(&s, &r.frame, NULL), 1);
      run_box box;
      assert_int_equal(box_finish(&s, NULL, &box), 1);
      assert_int_equal(box.strays, beyond);
      if (beyond) assert_int_equal(box.stray[0], side ? 2 * (BALLS - 1) : 2);
      assert_float_equal(box.low[0], side ? -0.5 : beyond ? 0.5 : at - 0.5, 1e-9);
      assert_float_equal(box.high[0], !side ? 10.5 : beyond ? 9.5 : at + 0.5, 1e-9);
      for (int i = 0; i < BALLS; i++)
        assert_int_equal(box_is_stray(&box, r.id[i]), beyond && i == (side ? BALLS - 2 : 0));
      assert_int_equal(box_is_stray(&box, 1000), 0);
      int64_t free_bodies;
      assert_int_equal(box_count_far(&box, &r.frame, &free_bodies), beyond);
      assert_int_equal(free_bodies, BALLS - 1);
      box_free(&box);
      free(s.of);
    }
  char text[96];
  box_describe_far(1, 10, text, sizeof text);
  assert_string_equal(text, "1 of 10 bodies is far away and not shown");
  box_describe_far(2, 10, text, sizeof text);
  assert_string_equal(text, "2 of 10 bodies are far away and not shown");
}

/* A body is far if it lies farther outside the box than half its diagonal: 3.5 m for a box of 2 x 3 x 6. */
static void far_bodies(void **state) {
  (void)state;
  const run_box box = {.low = {0, 0, 0}, .high = {2, 3, 6}};
  for (int k = 0; k < 3; k++)
    for (int side = -1; side <= 1; side += 2)
      for (int beyond = -1; beyond <= 1; beyond += 2) {
        row r;
        make_balls(&r, 2);
        for (int e = 0; e < 3; e++) r.position[e] = 1;
        r.position[k] = (side > 0 ? box.high[k] : 0) + side * (3.5 + 0.5 + 1e-9 * beyond);
        assert_int_equal(box_is_far(&box, &r.frame, 0), beyond > 0);
        r.kind[0] = SCREE_KINEMATIC;
        assert_int_equal(box_is_far(&box, &r.frame, 0), 0);
      }
  uint64_t list[5] = {2, 4, 6, 8, 10};
  for (uint64_t id = 1; id < 12; id++)
    for (int count = 0; count <= 5; count++)
      assert_int_equal(box_has_id(list, count, id), id % 2 == 0 && id <= 2 * (uint64_t)count);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(keys_have_limits),
      cmocka_unit_test(keys_set_their_member), cmocka_unit_test(cameras_as_text),
      cmocka_unit_test(paths_as_text), cmocka_unit_test(cameras_move_smoothly),
      cmocka_unit_test(looks_of_scenes), cmocka_unit_test(json_values), cmocka_unit_test(values_of_bodies),
      cmocka_unit_test(ranges_of_bars), cmocka_unit_test(marks_of_bars), cmocka_unit_test(boxes_bound_bodies),
      cmocka_unit_test(strays_are_left_out), cmocka_unit_test(far_bodies)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
