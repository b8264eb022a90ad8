/* PLY files read back: surfaces are closed, face outwards and enclose the volume of their shapes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "io/container/file.h"
#include "support/frames.h"

enum { BODIES = 5 };
static char folder[64], path[128];

/* A ball, a turned superellipsoid, a cone, a fixed box and a plane. */
static scree_shape_info shapes[BODIES] = {
    {.body = 1, .type = SCREE_SPHERE, .radius = 0.5, .orientation = {1, 0, 0, 0}},
    {.body = 4,
        .type = SCREE_SUPERELLIPSOID,
        .size = {1, 2, 3},
        .own = {0.5, 1.4},
        .orientation = {0.8, 0, 0.6, 0}},
    {.body = 5, .type = SCREE_CONE, .radius = 1, .length = 2, .orientation = {1, 0, 0, 0}},
    {.body = 7, .type = SCREE_BOX, .size = {1, 2, 3}, .position = {1, 0, 0}, .orientation = {1, 0, 0, 0}},
    {.body = 9, .type = SCREE_HALFSPACE, .normal = {0, 0, 1}, .orientation = {1, 0, 0, 0}}};
static const int kinds[BODIES] = {SCREE_DYNAMIC, SCREE_DYNAMIC, SCREE_DYNAMIC, SCREE_FIXED, SCREE_FIXED};

static scree_status export(void) {
  uint64_t id[BODIES];
  int64_t group[BODIES];
  uint8_t kind[BODIES];
  double radius[BODIES], mass[BODIES], position[3 * BODIES] = {0}, orientation[4 * BODIES] = {0},
                                                    none[3 * BODIES] = {0};
  for (int i = 0; i < BODIES; i++) {
    id[i] = shapes[i].body, group[i] = i - 2, kind[i] = (uint8_t)kinds[i];
    radius[i] = i == 4 ? INFINITY : 2, mass[i] = kinds[i] ? INFINITY : 1;
    position[3 * i] = i == 4 ? 0 : 5 * i, orientation[4 * i] = 1;
  }
  const scree_frame frame = {.time = 0.5,
      .bodies = BODIES,
      .id = id,
      .group = group,
      .kind = kind,
      .radius = radius,
      .mass = mass,
      .position = position,
      .orientation = orientation,
      .velocity = none,
      .spin = none,
      .shapes = BODIES,
      .shape = shapes};
  scree_trajectory_def def = scree_trajectory_defaults();
  scree_error error;
  scree_writer *w = scree_writer_open(path, &def, &error);
  if (!w || scree_writer_frame(w, &frame, &error) || scree_writer_close(w, &error)) return SCREE_E_IO;
  scree_reader *reader = scree_reader_open(path, &error);
  scree_export_def to = scree_export_defaults();
  to.directory = folder, to.format = SCREE_PLY;
  int64_t files;
  scree_status status = scree_export(reader, &to, &files, &error);
  scree_reader_close(reader);
  return status ? status : files == 1 ? SCREE_OK : SCREE_E_IO;
}

typedef struct surface {
  int faces, vertices, group, kind;
  double volume, area[3];
} surface;

static void add_face(surface *s, const float (*v)[3], const uint32_t corner[3]) {
  double p[3][3], u[3], w[3], n[3];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) p[i][k] = (double)v[corner[i]][k];
  for (int k = 0; k < 3; k++) u[k] = p[1][k] - p[0][k], w[k] = p[2][k] - p[0][k];
  for (int k = 0; k < 3; k++) n[k] = u[(k + 1) % 3] * w[(k + 2) % 3] - u[(k + 2) % 3] * w[(k + 1) % 3];
  for (int k = 0; k < 3; k++) s->area[k] += n[k] / 2, s->volume += p[0][k] * n[k] / 6;
  s->faces++;
}

static void surfaces_are_closed_and_face_out(void **state) {
  (void)state;
  assert_int_equal(export(), SCREE_OK);
  char name[160], line[128];
  snprintf(name, sizeof name, "%s/frame_000000.ply", folder);
  FILE *in = fopen(name, "rb");
  assert_non_null(in);
  unsigned vertices = 0, faces = 0;
  while (fgets(line, sizeof line, in) && strcmp(line, "end_header\n")) {
    sscanf(line, "element vertex %u", &vertices);
    sscanf(line, "element face %u", &faces);
  }
  float(*v)[3] = malloc(vertices * sizeof *v);
  int *owner = calloc(vertices, sizeof *owner);
  assert_int_equal(fread(v, sizeof *v, vertices, in), vertices);
  surface s[BODIES] = {{0}};
  for (unsigned f = 0; f < faces; f++) {
    unsigned char bytes[22];
    uint32_t corner[3], body;
    assert_int_equal(fread(bytes, 1, sizeof bytes, in), sizeof bytes);
    memcpy(corner, bytes + 1, 12), memcpy(&body, bytes + 13, 4);
    assert_true(bytes[0] == 3 && body < BODIES);
    memcpy(&s[body].group, bytes + 17, 4), s[body].kind = bytes[21];
    for (int k = 0; k < 3; k++) {
      assert_true(corner[k] < vertices && (!owner[corner[k]] || owner[corner[k]] == (int)body + 1));
      s[body].vertices += !owner[corner[k]], owner[corner[k]] = (int)body + 1;
    }
    add_face(s + body, (const float(*)[3])v, corner);
  }
  assert_int_equal(fgetc(in), EOF);
  fclose(in);
  free(v), free(owner);
  for (int i = 0; i < BODIES; i++) {
    assert_true(s[i].group == i - 2 && s[i].kind == kinds[i]);
    if (i == 4) break;
    double volume = scree_shape_volume(shapes + i);
    assert_int_equal(s[i].faces, 2 * s[i].vertices - 4); // Euler: closed, without holes
    assert_true(s[i].volume > 0.98 * volume && s[i].volume < volume * (1 + 1e-5));
    for (int k = 0; k < 3; k++) assert_true(fabs(s[i].area[k]) < 1e-5);
  }
  assert_true(s[4].faces == 2 && s[4].area[2] > 100 && fabs(s[4].area[0]) < 1e-9);
}

/* Writes a frame of balls in a row and exports it. Returns the bytes of the file a ball. */
static double export_balls(int count) {
  uint64_t *id = calloc((size_t)count, sizeof *id);
  int64_t *group = calloc((size_t)count, sizeof *group);
  uint8_t *kind = calloc((size_t)count, 1);
  double *radius = calloc((size_t)count, 8), *position = calloc((size_t)count, 24),
         *orientation = calloc((size_t)count, 32), *zero = calloc((size_t)count, 24);
  scree_shape_info *ball = calloc((size_t)count, sizeof *ball);
  for (int i = 0; i < count; i++) {
    id[i] = (uint64_t)i + 1, radius[i] = 1 + i % 3, position[3 * i] = 8 * (i % 50);
    position[3 * i + 1] = 8 * (i / 50), orientation[4 * i] = 0.6, orientation[4 * i + 2] = 0.8;
    ball[i] = (scree_shape_info){
        .body = id[i], .type = SCREE_SPHERE, .radius = radius[i], .orientation = {1, 0, 0, 0}};
  }
  const scree_frame frame = {.bodies = count,
      .id = id,
      .group = group,
      .kind = kind,
      .radius = radius,
      .mass = radius,
      .position = position,
      .orientation = orientation,
      .velocity = zero,
      .spin = zero,
      .shapes = count,
      .shape = ball};
  char file[160], name[160];
  snprintf(file, sizeof file, "%s/balls_%d.scree", folder, count);
  scree_trajectory_def def = scree_trajectory_defaults();
  scree_writer *w = scree_writer_open(file, &def, NULL);
  assert_int_equal(scree_writer_frame(w, &frame, NULL), SCREE_OK);
  assert_int_equal(scree_writer_close(w, NULL), SCREE_OK);
  scree_reader *reader = scree_reader_open(file, NULL);
  scree_export_def to = scree_export_defaults();
  to.directory = folder, to.format = SCREE_PLY, to.basename = "balls";
  assert_int_equal(scree_export(reader, &to, NULL, NULL), SCREE_OK);
  scree_reader_close(reader);
  free(id), free(group), free(kind), free(radius), free(position), free(orientation), free(zero), free(ball);
  snprintf(name, sizeof name, "%s/balls_000000.ply", folder);
  FILE *in = fopen(name, "rb");
  fseek(in, 0, SEEK_END);
  double bytes = (double)ftell(in) / count;
  fclose(in);
  return bytes;
}

/* Checks the surface of each ball: closed, facing out, and not smaller than this share of its volume. */
static void check_balls(int count, double share) {
  char name[160], line[128];
  snprintf(name, sizeof name, "%s/balls_000000.ply", folder);
  FILE *in = fopen(name, "rb");
  unsigned vertices = 0, faces = 0;
  while (fgets(line, sizeof line, in) && strcmp(line, "end_header\n")) {
    sscanf(line, "element vertex %u", &vertices);
    sscanf(line, "element face %u", &faces);
  }
  float(*v)[3] = calloc(vertices, sizeof *v);
  surface *s = calloc((size_t)count, sizeof *s);
  assert_int_equal(fread(v, sizeof *v, vertices, in), vertices);
  for (unsigned f = 0; f < faces; f++) {
    unsigned char bytes[22];
    uint32_t corner[3], body;
    assert_int_equal(fread(bytes, 1, sizeof bytes, in), sizeof bytes);
    memcpy(corner, bytes + 1, 12), memcpy(&body, bytes + 13, 4);
    assert_true(bytes[0] == 3 && body < (uint32_t)count);
    for (int k = 0; k < 3; k++) {
      const float *x = v[corner[k]];
      double d[3] = {(double)x[0] - 8 * (int)(body % 50), (double)x[1] - 8 * (int)(body / 50), (double)x[2]};
      double r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      assert_true(corner[k] < vertices && fabs(r - (1 + (int)body % 3)) < 1e-4);
    }
    add_face(s + body, (const float(*)[3])v, corner);
  }
  assert_int_equal(fgetc(in), EOF);
  fclose(in);
  assert_int_equal(faces, 2 * vertices - 4 * (unsigned)count); // Euler
  for (int i = 0; i < count; i++) {
    double r = 1 + i % 3, volume = 4 * 3.14159265358979 / 3 * r * r * r;
    assert_true(s[i].volume > share * volume && s[i].volume < volume);
    for (int k = 0; k < 3; k++) assert_true(fabs(s[i].area[k]) < 1e-4);
  }
  free(v), free(s);
}

static void many_balls_are_coarse(void **state) {
  (void)state;
  assert_true(export_balls(100) > 60000);
  check_balls(100, 0.98);
  assert_true(export_balls(1000) < 9100);
  check_balls(1000, 0.96);
  assert_true(export_balls(1001) < 3000);
  check_balls(1001, 0.85);
}

static int begin(void **state) {
  (void)state;
  support_path(folder, path, "t.scree");
  return 0;
}
static int end(void **state) {
  (void)state;
  support_clean(folder);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(surfaces_are_closed_and_face_out), cmocka_unit_test(many_balls_are_coarse)};
  return cmocka_run_group_tests(tests, begin, end);
}
