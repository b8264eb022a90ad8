/* Files of grains and of triangles, and points, read in C with the keys that scenes have. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "scree/geometry.h"
#include "scree/grains.h"
#include "scree/param.h"
#include "scree/trajectory.h"

static scree_error error;
static char path[64];

static void assert_says(const char *words) {
  if (error.status != SCREE_E_ARGUMENT || !strstr(error.text, words))
    fail_msg("wanted '%s', got '%s'", words, error.text);
  error = (scree_error){0};
}

static void write_text(const char *ending, const char *text) {
  snprintf(path, sizeof path, "/tmp/scree_options_%d%s", (int)getpid(), ending);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

/* Grams and milliseconds only. */
static int read_small_unit(void *context, const char *text, const char *si, double *factor) {
  (void)context;
  *factor = 1e-3;
  return (!strcmp(text, "g") && !strcmp(si, "kg")) || (!strcmp(text, "ms") && !strcmp(si, "s"));
}

static scree_grains_def grains_in(const char *unit) {
  scree_grains_def def = scree_grains_defaults();
  const scree_param *row = scree_param_find(scree_grains_params, scree_grains_params_count, "unit");
  int index = 0;
  assert_non_null(row);
  for (const char *at = row->choices; strncmp(at, unit, strlen(unit)); index++) {
    at = strchr(at, '|');
    assert_non_null(at);
    at++;
  }
  *(int *)(void *)((char *)&def + row->offset) = index;
  def.path = path, def.mass_unit = "g", def.time_unit = "ms", def.read_unit = read_small_unit;
  return def;
}

static void grains(void **state) {
  (void)state;
  write_text(".csv", "x,y,z,r,vx,vy,vz,mass\n1,2,3,0.5,7,0,0,11\n4,2,3,3,7,0,0,11\n");
  scree_grains_def def = grains_in("cm");
  scree_grains *g = scree_grains_read(&def, &error);
  if (!g) fail_msg("%s", error.text);
  const scree_grain *row = scree_grains_rows(g);
  assert_float_equal(row->position[2], 0.03, 1e-15);
  assert_float_equal(row->velocity[0], 7 * 0.01 / 1e-3, 1e-12);
  assert_float_equal(row->mass, 0.011, 1e-15);
  /* 3 cm between the centres of radii 0.5 cm and 3 cm: 0.5 cm deep, factor 3 / 3.5 */
  const scree_grains_place place = {.shrink = 1};
  scree_overlaps found;
  double factor;
  assert_int_equal(scree_grains_separate(g, NULL, &place, &found, &factor, &error), SCREE_OK);
  assert_int_equal(found.count, 1);
  assert_float_equal(found.largest, 0.005, 1e-12);
  assert_float_equal(factor, 3 / 3.5, 1e-11);
  assert_float_equal(row->radius, 0.005 * 3 / 3.5, 1e-12);
  scree_grains_rows(g)[1].position[0] = row->position[0];
  assert_int_equal(scree_grains_separate(g, NULL, &place, &found, &factor, &error), SCREE_E_ARGUMENT);
  assert_says("rows 1 and 2 lie at the same place");
  scree_grains_destroy(g);
  write_text(".csv", "x,y,z,r,density\n1,2,3,0.5,2\n");
  g = scree_grains_read(&def, &error);
  assert_non_null(g);
  assert_float_equal(scree_grains_rows(g)->density, 2000, 1e-9); /* 2 g/cm3 */
  scree_grains_destroy(g);
  def.mass_unit = "t";
  assert_null(scree_grains_read(&def, &error)), assert_says("mass_unit: 't' is no unit of kg");
  def.mass_unit = NULL, def.time_unit = "g";
  assert_null(scree_grains_read(&def, &error)), assert_says("time_unit: 'g' is no unit of s");
  def.time_unit = NULL, def.unit = 7;
  assert_null(scree_grains_read(&def, &error)), assert_says("unit must be one of m|mm|cm|um|km|in|ft");
  def.unit = 0, def.separator = "&";
  assert_null(scree_grains_read(&def, &error)), assert_says("separator must be");
  unlink(path);
}

static void meshes(void **state) {
  (void)state;
  scree_geometry_info info;
  write_text(".obj", "v 0 0 0\nv 2 0 0\nv 0 4 0\nv 0 0 6\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  scree_file_def def = scree_file_defaults();
  def.path = path, def.unit = 1, def.up = 1, def.scale = 10;
  scree_geometry *g = scree_geometry_mesh_file(&def, &error);
  assert_non_null(g);
  scree_geometry_get_info(g, &info);
  /* the x axis becomes z, y becomes -x and z becomes -y; a centimetre for each unit */
  assert_float_equal(info.max[2], 0.02, 1e-15);
  assert_float_equal(info.min[0], -0.04, 1e-15);
  assert_float_equal(info.min[1], -0.06, 1e-15);
  assert_float_equal(info.volume, 2 * 4 * 6 / 6.0 * 1e-6, 1e-18);
  scree_geometry_release(g);
  /* points of the caller become what the points of a file become */
  double point[2][3] = {{2, 0, 0}, {0, 4, 6}};
  assert_int_equal(scree_file_place(&def, point, 2, &error), SCREE_OK);
  const double wanted[2][3] = {{0, 0, 0.02}, {-0.04, -0.06, 0}};
  for (int k = 0; k < 6; k++) assert_float_equal(point[k / 3][k % 3], wanted[k / 3][k % 3], 1e-15);
  def.unit = 9;
  assert_null(scree_geometry_hull_file(&def, &error)), assert_says("unit must be one of m|mm");
  def.unit = 0, def.up = 4;
  assert_null(scree_geometry_hull_file(&def, &error)), assert_says("up must be one of file|x|y|z");
  unlink(path);
  def.path = "a.GLB", def.up = 0, def.unit = 1;
  assert_null(scree_geometry_mesh_file(&def, &error)), assert_says("a.GLB says its unit itself");
  assert_int_equal(scree_file_has_unit("a.GLB"), 1);
  assert_int_equal(scree_file_has_unit("glb.stl"), 0);
}

static void formats(void **state) {
  (void)state;
  const scree_param *row = scree_param_find(scree_export_params, scree_export_params_count, "format");
  assert_non_null(row);
  const char *at = row->choices;
  for (int k = 0; k < SCREE_FORMATS; k++) {
    const size_t size = strlen(scree_format_name(k));
    assert_int_equal(strncmp(at, scree_format_name(k), size), 0);
    assert_true(at[size] == (k + 1 < SCREE_FORMATS ? '|' : 0));
    at += size + 1;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grains), cmocka_unit_test(meshes), cmocka_unit_test(formats)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
